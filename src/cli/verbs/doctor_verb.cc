#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/verb.h"
#include "cli/display/text_table.h"
#include "cli/doctor/finding.h"
#include "cli/doctor/machine_look.h"
#include "cli/verbs/verbs.h"
#include "daemon/data_dir.h"

namespace vernier {
namespace {

constexpr int kExitFault = 1;

std::string GradeName(Finding::Grade grade) {
  switch (grade) {
    case Finding::Grade::kGood:
      return "good";
    case Finding::Grade::kNote:
      return "note";
    case Finding::Grade::kWarning:
      return "warning";
    case Finding::Grade::kFault:
      return "fault";
  }
  return "";
}

absl::StatusOr<int> LookForFaults(Invocation& invocation,
                                  const std::string& root) {
  VERNIER_ASSIGN_OR_RETURN(const DataDir data_dir, FindDataDir(root));
  const std::vector<Finding> findings = LookAtMachine(data_dir.root);
  TextTable table{{"SUBJECT", "GRADE", "FOUND", "WHAT_TO_DO"}, {}};
  Json list = Json::array();
  for (const Finding& finding : findings) {
    table.rows.push_back({finding.subject, GradeName(finding.grade),
                          finding.found, finding.remedy});
    Json document = Json::object();
    document["subject"] = finding.subject;
    document["grade"] = GradeName(finding.grade);
    document["found"] = finding.found;
    if (!finding.remedy.empty()) document["whatToDo"] = finding.remedy;
    list.push_back(std::move(document));
  }
  VERNIER_RETURN_IF_ERROR(invocation.Show(list, table));
  const bool is_faulty =
      std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.grade == Finding::Grade::kFault;
      });
  return is_faulty ? kExitFault : kExitDone;
}

}  // namespace

void DeclareDoctorVerb(CLI::App& app, Invocation& invocation) {
  const Verb<std::string> verb(
      app, invocation, "doctor",
      "Look whether this machine has what a service needs, and say what to do; "
      "exits with 1 if something does not work");
  verb->add_option("--data-dir", verb.words(),
                   "Data directory of the service (default $VERNIER_HOME)");
  verb.Does(Flags::kFormat, &LookForFaults);
}

}  // namespace vernier
