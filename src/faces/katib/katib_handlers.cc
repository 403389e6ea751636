#include "faces/katib/katib_handlers.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/calls/call_meter.h"
#include "base/calls/current_meter.h"
#include "base/contained_call.h"
#include "base/status_macros.h"
#include "faces/katib/katib_algorithm.h"
#include "faces/katib/katib_history.h"
#include "faces/messages/message_cost.h"

namespace vernier {
namespace {

/// The work of one call that fitters do.
struct PointsTask {
  std::string experiment;
  KatibSearch search;
  KatibSpace space;
  StudyView view;
  int count = 0;
};

absl::StatusOr<PointsTask> ReadTask(
    const katib::GetSuggestionsRequest& request) {
  PointsTask task;
  const katib::Experiment& experiment = request.experiment();
  task.experiment = experiment.name();
  VERNIER_ASSIGN_OR_RETURN(task.search, ReadKatibSearch(experiment));
  VERNIER_ASSIGN_OR_RETURN(
      task.space,
      KatibSpace::Read(experiment.spec().parameter_specs().parameters()));
  if (task.search.algorithm == Algorithm::kGridSearch) {
    VERNIER_RETURN_IF_ERROR(task.space.CheckIsGrid());
  }
  if (task.space.parameters().empty()) {
    return absl::InvalidArgumentError("the experiment has no parameters");
  }
  task.count = request.current_request_number();
  if (task.count < 0 || task.count > kMostKatibPoints) {
    return absl::InvalidArgumentError(
        absl::StrCat("current_request_number must be in [0, ", kMostKatibPoints,
                     "]: ", task.count));
  }
  VERNIER_ASSIGN_OR_RETURN(task.view,
                           ViewOfKatib(request, task.space, task.search.seed));
  return task;
}

absl::Status FillReply(PointsTask& task, KatibSuggesters& suggesters,
                       katib::GetSuggestionsReply* reply) {
  if (task.count == 0) return absl::OkStatus();
  const std::shared_ptr<const Suggester> suggester =
      suggesters.Of(task.experiment, task.search.algorithm);
  VERNIER_ASSIGN_OR_RETURN(
      const std::vector<Parameters> points,
      ChooseKatibPoints(*suggester, std::move(task.view), task.count));
  for (const Parameters& point : points) {
    auto* const added = reply->add_parameter_assignments();
    task.space.Write(point, added->mutable_assignments());
    VERNIER_RETURN_IF_ERROR(UseInCall(*added));
  }
  return absl::OkStatus();
}

}  // namespace

void KatibHandlers::GetSuggestions(const katib::GetSuggestionsRequest& request,
                                   katib::GetSuggestionsReply* reply,
                                   std::function<void(absl::Status)> done) {
  auto task = std::make_shared<PointsTask>();
  const absl::Status status = RunContained([&]() -> absl::Status {
    VERNIER_ASSIGN_OR_RETURN(*task, ReadTask(request));
    return absl::OkStatus();
  });
  if (!status.ok()) return done(status);
  // The call's own limits and its client's leave end the work there, too.
  fitters_.Run("Katib's clients",
               [task = std::move(task), suggesters = suggesters_, reply,
                meter = CurrentMeter(), done = std::move(done)] {
                 absl::Status filled;
                 {
                   const CallMeterScope scope(meter);
                   filled = RunContained(
                       [&] { return FillReply(*task, *suggesters, reply); });
                 }
                 done(filled);
               });
}

absl::Status KatibHandlers::ValidateAlgorithmSettings(
    const katib::ValidateAlgorithmSettingsRequest& request,
    katib::ValidateAlgorithmSettingsReply* /*reply*/) {
  return CheckKatibExperiment(request.experiment());
}

}  // namespace vernier
