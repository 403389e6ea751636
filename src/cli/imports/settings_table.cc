#include "cli/imports/settings_table.h"

#include <cmath>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// In brackets, since settings may be called as these are without.
constexpr const char* kOwnColumns[] = {"(trial)", "(status)", "(started)",
                                       "(ended)"};

std::string ValueText(const TrialSettings& trial, const std::string& metric) {
  const auto found = trial.values.find(metric);
  if (found == trial.values.end()) return "";
  if (std::isfinite(found->second)) return NumberText(found->second);
  if (std::isnan(found->second)) return "nan";
  return found->second > 0 ? "inf" : "-inf";
}

}  // namespace

CsvTable SettingsTable(const std::vector<TrialSettings>& trials,
                       TableColumns* columns, std::vector<std::string>* notes) {
  std::set<std::string> names;
  for (const TrialSettings& trial : trials) {
    for (const auto& [name, value] : trial.settings) names.insert(name);
  }
  for (const char* own : kOwnColumns) names.erase(own);
  for (const MetricGoal& metric : columns->metrics) {
    if (names.erase(metric.name) == 0) continue;
    notes->push_back(absl::StrCat("the setting ", ShowText(metric.name),
                                  " is left out, since the metric has its "
                                  "name"));
  }
  CsvTable table;
  table.columns.assign(names.begin(), names.end());
  for (const char* own : kOwnColumns) table.columns.emplace_back(own);
  for (const MetricGoal& metric : columns->metrics) {
    table.columns.push_back(metric.name);
  }
  for (const TrialSettings& trial : trials) {
    CsvTable::Row& row = table.rows.emplace_back();
    row.line = table.rows.size();
    for (const std::string& name : names) {
      const auto found = trial.settings.find(name);
      row.cells.push_back(found == trial.settings.end() ? "" : found->second);
    }
    for (const std::string* own :
         {&trial.id, &trial.status, &trial.started, &trial.ended}) {
      row.cells.push_back(*own);
    }
    for (const MetricGoal& metric : columns->metrics) {
      row.cells.push_back(ValueText(trial, metric.name));
    }
  }
  columns->id = kOwnColumns[0];
  columns->state = kOwnColumns[1];
  columns->started = kOwnColumns[2];
  columns->ended = kOwnColumns[3];
  return table;
}

}  // namespace vernier
