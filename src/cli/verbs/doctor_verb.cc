#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
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

}  // namespace

void DeclareDoctorVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "doctor",
      "Look whether this machine has what a service needs, and say what to do; "
      "exits with 1 if something does not work");
  auto root = std::make_shared<std::string>();
  verb->add_option("--data-dir", *root,
                   "Data directory of the service (default $VERNIER_HOME)");
  invocation.DeclareFormatFlag(*verb);
  verb->callback([&invocation, root] {
    invocation.set_action([&invocation, root]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(const DataDir data_dir, FindDataDir(*root));
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
      VERNIER_RETURN_IF_ERROR(invocation.Print(DumpJson(list), table));
      const bool is_faulty = std::any_of(
          findings.begin(), findings.end(), [](const Finding& finding) {
            return finding.grade == Finding::Grade::kFault;
          });
      return is_faulty ? kExitFault : kExitDone;
    });
  });
}

}  // namespace vernier
