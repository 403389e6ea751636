#ifndef VERNIER_FACES_KATIB_KATIB_HANDLERS_H_
#define VERNIER_FACES_KATIB_KATIB_HANDLERS_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/thread_pool.h"
#include "faces/katib/katib_points.h"
#include "faces/katib/katib_space.h"

namespace vernier {

/// What early stopping needs of the cluster on which Katib runs.
struct KatibCluster {
  /// Asks Katib's DB manager for the reports of a trial. `done` is called once,
  /// by any thread; both messages live until then. Null: early stopping is not
  /// served.
  std::function<void(const katib::GetObservationLogRequest& request,
                     katib::GetObservationLogReply* reply,
                     std::function<void(absl::Status)> done)>
      read_log = nullptr;
  /// Says in the status of a trial's object that it was stopped early; may
  /// wait. Any thread. Null like `read_log`.
  std::function<absl::Status(const std::string& trial)> mark_stopped = nullptr;
};

/// The calls of Katib's Suggestion and EarlyStopping services, without the
/// transport. proto/katib/v1beta1/katib.proto is the contract. They are
/// functions of their requests and of what Katib itself has stored: nothing is
/// stored here. Thread-safe.
class KatibHandlers {
 public:
  /// Points are chosen on the threads of `fitters`, which must outlive this
  /// object and all calls.
  explicit KatibHandlers(ThreadPool& fitters, KatibCluster cluster = {})
      : fitters_(fitters), cluster_(std::move(cluster)) {}

  /// Returns exactly as many points as the request wants. `done` is called
  /// once, by any thread; no thread waits meanwhile. Errors: INVALID_ARGUMENT
  /// as ValidateAlgorithmSettings, or if the request is too large; those of
  /// UseInCall.
  void GetSuggestions(const katib::GetSuggestionsRequest& request,
                      katib::GetSuggestionsReply* reply,
                      std::function<void(absl::Status)> done);

  /// INVALID_ARGUMENT with Katib's messages; see CheckKatibExperiment.
  absl::Status ValidateAlgorithmSettings(
      const katib::ValidateAlgorithmSettingsRequest& request,
      katib::ValidateAlgorithmSettingsReply* reply);

  /// Returns the rule by which the sidecars of new trials stop them; see
  /// AddMedianRule. `done` as in GetSuggestions. Errors: INVALID_ARGUMENT as
  /// ValidateEarlyStoppingSettings, or if there are too many trials;
  /// UNAVAILABLE if the DB manager does not answer; FAILED_PRECONDITION if
  /// early stopping is not served.
  void GetEarlyStoppingRules(const katib::GetEarlyStoppingRulesRequest& request,
                             katib::GetEarlyStoppingRulesReply* reply,
                             std::function<void(absl::Status)> done);

  /// Marks a trial that its sidecar has stopped. Errors: those of
  /// KatibCluster::mark_stopped; FAILED_PRECONDITION as above.
  absl::Status SetTrialStatus(const katib::SetTrialStatusRequest& request,
                              katib::SetTrialStatusReply* reply);

  /// INVALID_ARGUMENT with Katib's messages, also if early stopping is not
  /// served, since the controller takes every other code for a yes.
  absl::Status ValidateEarlyStoppingSettings(
      const katib::ValidateEarlyStoppingSettingsRequest& request,
      katib::ValidateEarlyStoppingSettingsReply* reply);

 private:
  ThreadPool& fitters_;
  const KatibCluster cluster_;
  // The work of an abandoned call may outlive this object.
  const std::shared_ptr<KatibSuggesters> suggesters_ =
      std::make_shared<KatibSuggesters>();
};

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_HANDLERS_H_
