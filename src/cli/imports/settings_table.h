#ifndef VERNIER_CLI_IMPORTS_SETTINGS_TABLE_H_
#define VERNIER_CLI_IMPORTS_SETTINGS_TABLE_H_

#include <map>
#include <string>
#include <vector>

#include "cli/imports/csv_table.h"
#include "cli/imports/table_study.h"

namespace vernier {

/// A trial as a tool keeps it that has names for all settings and values.
struct TrialSettings {
  std::string id;
  std::string status;
  std::string started;
  std::string ended;
  std::map<std::string, std::string> settings;  ///< Texts by name.
  std::map<std::string, double> values;         ///< Of metrics, by name.
};

/// Writes trials as a table, with a column for each setting, for each metric of
/// `columns`, and for id, status and times, which `columns` gets the names of.
/// A setting that is called as a metric has no place, which `notes` says. Pure.
CsvTable SettingsTable(const std::vector<TrialSettings>& trials,
                       TableColumns* columns, std::vector<std::string>* notes);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_SETTINGS_TABLE_H_
