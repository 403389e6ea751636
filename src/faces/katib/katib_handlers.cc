#include "faces/katib/katib_handlers.h"

#include <memory>
#include <optional>
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
#include "faces/katib/katib_stopping.h"
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

constexpr char kNoEarlyStopping[] =
    "early stopping is not served here: start the service with "
    "--katib-db-manager HOST:PORT";

/// The work for one answer about early stopping, which asks for the reports of
/// one trial after the other.
struct RulesTask {
  // Not a copy: this may be the last to go, in a thread that read_log made.
  const KatibCluster* cluster = nullptr;
  katib::ExperimentSpec experiment;
  KatibStopping stopping;
  std::vector<std::string> trials;
  std::size_t next = 0;
  std::vector<double> means;
  katib::GetObservationLogRequest asked;
  katib::GetObservationLogReply answered;
  katib::GetEarlyStoppingRulesReply* reply = nullptr;
  CallMeter* meter = nullptr;
  std::function<void(absl::Status)> done;
};

absl::StatusOr<std::shared_ptr<RulesTask>> ReadRulesTask(
    const katib::GetEarlyStoppingRulesRequest& request) {
  auto task = std::make_shared<RulesTask>();
  task->experiment = request.experiment().spec();
  // Katib's own service answers experiments that say nothing, too.
  if (task->experiment.has_early_stopping()) {
    VERNIER_ASSIGN_OR_RETURN(
        task->stopping, ReadKatibStopping(task->experiment.early_stopping()));
  }
  VERNIER_ASSIGN_OR_RETURN(task->trials, SucceededTrials(request));
  task->asked.set_metric_name(
      task->experiment.objective().objective_metric_name());
  return task;
}

void AskForReports(const std::shared_ptr<RulesTask>& task);

absl::Status OfDbManager(const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat("Katib's DB manager: ", status.message()));
}

absl::Status TakeReports(RulesTask& task) {
  const CallMeterScope scope(task.meter);
  // An abandoned call ends here.
  VERNIER_RETURN_IF_ERROR(UseInCall(CallCost{1, 0}));
  const std::optional<double> mean = MeanOfFirstReports(
      task.answered.observation_log(), task.stopping.start_step);
  if (mean.has_value()) task.means.push_back(*mean);
  ++task.next;
  return absl::OkStatus();
}

void AskForReports(const std::shared_ptr<RulesTask>& task) {
  if (task->next == task->trials.size()) {
    AddMedianRule(task->experiment, task->stopping, std::move(task->means),
                  task->reply);
    return task->done(absl::OkStatus());
  }
  task->asked.set_trial_name(task->trials[task->next]);
  task->answered.Clear();
  task->cluster->read_log(
      task->asked, &task->answered, [task](const absl::Status& status) {
        const absl::Status taken = RunContained([&]() -> absl::Status {
          VERNIER_RETURN_IF_ERROR(OfDbManager(status));
          return TakeReports(*task);
        });
        if (!taken.ok()) return task->done(taken);
        AskForReports(task);
      });
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

void KatibHandlers::GetEarlyStoppingRules(
    const katib::GetEarlyStoppingRulesRequest& request,
    katib::GetEarlyStoppingRulesReply* reply,
    std::function<void(absl::Status)> done) {
  if (cluster_.read_log == nullptr) {
    return done(absl::FailedPreconditionError(kNoEarlyStopping));
  }
  absl::StatusOr<std::shared_ptr<RulesTask>> task;
  const absl::Status status = RunContained([&]() -> absl::Status {
    VERNIER_ASSIGN_OR_RETURN(task, ReadRulesTask(request));
    return absl::OkStatus();
  });
  if (!status.ok()) return done(status);
  (*task)->cluster = &cluster_;
  (*task)->reply = reply;
  (*task)->meter = CurrentMeter();
  (*task)->done = std::move(done);
  AskForReports(*task);
}

absl::Status KatibHandlers::SetTrialStatus(
    const katib::SetTrialStatusRequest& request,
    katib::SetTrialStatusReply* /*reply*/) {
  if (cluster_.mark_stopped == nullptr) {
    return absl::FailedPreconditionError(kNoEarlyStopping);
  }
  return cluster_.mark_stopped(request.trial_name());
}

absl::Status KatibHandlers::ValidateEarlyStoppingSettings(
    const katib::ValidateEarlyStoppingSettingsRequest& request,
    katib::ValidateEarlyStoppingSettingsReply* /*reply*/) {
  VERNIER_RETURN_IF_ERROR(ReadKatibStopping(request.early_stopping()).status());
  if (cluster_.read_log != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(kNoEarlyStopping);
}

}  // namespace vernier
