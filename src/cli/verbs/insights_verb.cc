#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/resource_paths.h"
#include "cli/display/terminal.h"
#include "cli/text/console.h"
#include "cli/verbs/insights_text.h"
#include "cli/verbs/verbs.h"

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

struct InsightsFlags {
  v1::GetInsightsRequest request;
  std::vector<std::string> contours;
};

absl::Status ShowInsights(Invocation& invocation, const InsightsFlags& flags) {
  v1::GetInsightsRequest request = flags.request;
  for (const std::string& contour : flags.contours) {
    VERNIER_RETURN_IF_ERROR(AddContour(contour, &request));
  }
  VERNIER_ASSIGN_OR_RETURN(
      const std::string answer,
      CallForJson(invocation, &Studies::GetInsights, request));
  if (!invocation.wants_table()) {
    return invocation.Print(answer, ImportanceTable(answer),
                            PathsOf(Resource::kInsights));
  }
  const std::size_t columns =
      std::clamp(StandardOutputSize().columns, kFewestColumns, kColumns);
  VERNIER_ASSIGN_OR_RETURN(
      const std::string text,
      InsightsText(request.study(), answer, columns, StandardOutput().palette));
  WritePainted(stdout, text);
  return absl::OkStatus();
}

}  // namespace

void DeclareInsightsVerb(CLI::App& app, Invocation& invocation) {
  const Verb<InsightsFlags> verb(
      app, invocation, "insights",
      "What the results say: which parameters matter, what is best");
  InsightsFlags& flags = verb.words();
  verb.Needs("JOB", *flags.request.mutable_study(),
             "Name of the job, or of a study");
  verb->add_option("--metric", *flags.request.mutable_metric(),
                   "Of several metrics, this one; without: the first");
  verb->add_option("--contour", flags.contours,
                   "With --format json: draw these two, e.g. lr,batch; may be "
                   "repeated")
      ->allow_extra_args(false);
  verb.Does(Flags::kJob, &ShowInsights);
}

}  // namespace vernier
