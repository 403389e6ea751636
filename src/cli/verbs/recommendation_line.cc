#include "cli/verbs/recommendation_line.h"

#include <vernier/v1/job_service.grpc.pb.h>

#include <cstdio>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "cli/command/service_call.h"
#include "cli/display/resource_tables.h"
#include "cli/text/console.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

// Returns the number as text; the service leaves out a 0.
std::string NumberText(const Json& prediction, const char* key) {
  return ShortNumber(prediction.value(key, 0.0));
}

// "its 3 results have the mean 0.25 (0.2 to 0.3)"
std::string PointText(const Json& point) {
  const int count = point.value("count", 0);
  std::string text = absl::StrCat(
      count == 1 ? "its one result is "
                 : absl::StrCat("its ", count, " results have the mean "),
      NumberText(point, "mean"));
  if (count > 1 && point.contains("low")) {
    absl::StrAppend(&text, " (", NumberText(point, "low"), " to ",
                    NumberText(point, "high"), ")");
  }
  return text;
}

}  // namespace

std::string RecommendationLine(const ClientConnection& client,
                               const std::string& job_id, ModelWait wait) {
  v1::RecommendTrialRequest request;
  request.set_job_id(job_id);
  request.set_only_if_ready(wait == ModelWait::kNo);
  const absl::StatusOr<Json> document =
      Ask(client, &v1::JobService::Stub::RecommendTrial, request);
  if (absl::IsNotFound(document.status())) return "";
  if (!document.ok()) {
    PrintTo(stderr, "vernier: no trial can be recommended: %s\n",
            std::string(document.status().message()).c_str());
    return "";
  }
  if (document->value("notReady", false)) {
    PrintTo(stderr,
            "What the model recommends takes seconds to work out with so "
            "many trials: vernier trials best %s --recommend\n",
            job_id.c_str());
    return "";
  }
  std::string line = absl::StrCat("Recommended: trial ",
                                  document->value("trialId", std::string("0")));
  if (const auto found = document->find("prediction");
      found != document->end()) {
    absl::StrAppend(&line, "; without noise its value is expected to be ",
                    NumberText(*found, "mean"), " (", NumberText(*found, "low"),
                    " to ", NumberText(*found, "high"), ")");
  }
  if (const auto found = document->find("point"); found != document->end()) {
    absl::StrAppend(&line, "; ", PointText(*found));
  }
  return line + "\n";
}

}  // namespace vernier
