#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/counted_noun.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/verb.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "daemon/data_dir.h"
#include "daemon/data_dir_check.h"
#include "store/exit_code.h"

namespace vernier {
namespace {

constexpr int kExitDamaged = 1;

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string PagesText(const DatabaseReport& database) {
  if (!database.exists) return "is not there";
  return absl::StrCat(database.pages.matched, " of ", database.pages.pages,
                      " match their checksums, ", database.pages.in_log,
                      " are newer in the log, ", database.pages.unused,
                      " are unused");
}

std::string RowsText(const DatabaseReport& database) {
  return absl::StrJoin(database.rows, ", ",
                       [](std::string* text, const auto& row) {
                         absl::StrAppend(text, row.second, " of ", row.first);
                       });
}

TextTable TableOf(const DataDirReport& report) {
  TextTable table{{"CHECKED", "FOUND"}, {}};
  for (const DatabaseReport& database : report.databases) {
    const std::string name = NameOf(database.path);
    table.rows.push_back({name + " pages", PagesText(database)});
    if (!database.exists) continue;
    table.rows.push_back({name + " rows", RowsText(database)});
  }
  table.rows.push_back({"pinned code", Counted(report.pinned_code, "folder")});
  table.rows.push_back(
      {"attempts",
       absl::StrCat(
           Counted(report.attempts, "folder"),
           report.attempts_gone == 0
               ? ""
               : absl::StrCat("; ", report.attempts_gone,
                              " of attempts that are over are gone"))});
  table.rows.push_back({"packages", Counted(report.packages, "environment")});
  for (const std::string& note : report.notes) {
    table.rows.push_back({"note", note});
  }
  for (const std::string& fault : report.faults) {
    table.rows.push_back({"fault", fault});
  }
  return table;
}

Json DocumentOf(const DatabaseReport& database) {
  Json document = Json::object();
  document["path"] = database.path;
  document["exists"] = database.exists;
  if (!database.exists) return document;
  document["pages"] = database.pages.pages;
  document["matchedPages"] = database.pages.matched;
  document["newerPagesInLog"] = database.pages.in_log;
  document["unusedPages"] = database.pages.unused;
  document["damagedPages"] = database.pages.damaged;
  document["rows"] = Json::object();
  for (const auto& [table, count] : database.rows) {
    document["rows"][table] = count;
  }
  return document;
}

Json DocumentOf(const DataDirReport& report) {
  Json document = Json::object();
  document["databases"] = Json::array();
  for (const DatabaseReport& database : report.databases) {
    document["databases"].push_back(DocumentOf(database));
  }
  document["pinnedCodeFolders"] = report.pinned_code;
  document["attemptFolders"] = report.attempts;
  document["goneAttemptFolders"] = report.attempts_gone;
  document["packageEnvironments"] = report.packages;
  document["notes"] = report.notes;
  document["faults"] = report.faults;
  return document;
}

absl::StatusOr<int> Check(Invocation& invocation, const std::string& root) {
  VERNIER_ASSIGN_OR_RETURN(const DataDir data_dir, FindDataDir(root));
  const auto report = CheckDataDir(data_dir);
  if (absl::IsNotFound(report.status())) {
    return absl::InvalidArgumentError(report.status().message());
  }
  if (!report.ok()) {
    PrintTo(stderr, "vernier: %s\n",
            std::string(report.status().message()).c_str());
    return ExitCodeFor(report.status());
  }
  VERNIER_RETURN_IF_ERROR(
      invocation.Show(DocumentOf(*report), TableOf(*report)));
  if (report->faults.empty()) {
    PrintTo(stderr, "No damage was found.\n");
    return kExitDone;
  }
  PrintTo(stderr,
          "vernier: %s found in %s; restore a backup of the data "
          "directory (docs/operations.md)\n",
          Counted(report->faults.size(), "fault").c_str(),
          data_dir.root.c_str());
  return kExitDamaged;
}

}  // namespace

void DeclareCheckVerb(CLI::App& app, Invocation& invocation) {
  const Verb<std::string> verb(
      app, invocation, "check",
      "Look for damage in a data directory that no service uses");
  verb->add_option("--data-dir", verb.words(),
                   "Which (default $VERNIER_HOME, else "
                   "~/.local/share/vernier)");
  verb.Does(Flags::kFormat, &Check);
}

}  // namespace vernier
