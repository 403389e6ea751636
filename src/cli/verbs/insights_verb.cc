#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
#include "cli/display/resource_paths.h"
#include "cli/display/terminal.h"
#include "cli/text/console.h"
#include "cli/verbs/insights_text.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Studies = v1::StudyService::Stub;

// The limits of the line width: no wider on any terminal, and never too narrow
// for a bar.
constexpr std::size_t kColumns = 80;
constexpr std::size_t kFewestColumns = 60;

/// Adds "FIRST,SECOND" as a pair to the request.
absl::Status AddContour(const std::string& text,
                        v1::GetInsightsRequest* request) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || comma == 0 || comma + 1 == text.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--contour must name two parameters, as in lr,batch: \"", text, "\""));
  }
  v1::GetInsightsRequest::Pair* pair = request->add_contours();
  pair->set_first(text.substr(0, comma));
  pair->set_second(text.substr(comma + 1));
  return absl::OkStatus();
}

absl::StatusOr<int> ShowInsights(Invocation& invocation,
                                 v1::GetInsightsRequest request,
                                 const std::vector<std::string>& contours) {
  for (const std::string& contour : contours) {
    VERNIER_RETURN_IF_ERROR(AddContour(contour, &request));
  }
  VERNIER_ASSIGN_OR_RETURN(
      const std::string answer,
      CallForJson(invocation, &Studies::GetInsights, request));
  if (!invocation.wants_table()) {
    VERNIER_RETURN_IF_ERROR(invocation.Print(answer, ImportanceTable(answer),
                                             PathsOf(Resource::kInsights)));
    return kExitDone;
  }
  const std::size_t columns =
      std::clamp(StandardOutputSize().columns, kFewestColumns, kColumns);
  VERNIER_ASSIGN_OR_RETURN(
      const std::string text,
      InsightsText(request.study(), answer, columns, StandardOutput().palette));
  WritePainted(stdout, text);
  return kExitDone;
}

}  // namespace

void DeclareInsightsVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* verb = app.add_subcommand(
      "insights",
      "What the results say: which parameters matter, what is best");
  auto request = std::make_shared<v1::GetInsightsRequest>();
  auto contours = std::make_shared<std::vector<std::string>>();
  verb->add_option("JOB", *request->mutable_study(),
                   "Name of the job, or of a study")
      ->required();
  verb->add_option("--metric", *request->mutable_metric(),
                   "Of several metrics, this one; without: the first");
  verb->add_option("--contour", *contours,
                   "With --format json: draw these two, e.g. lr,batch; may be "
                   "repeated")
      ->allow_extra_args(false);
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, request, contours] {
    invocation.set_action([&invocation, request, contours] {
      return ShowInsights(invocation, *request, *contours);
    });
  });
}

}  // namespace vernier
