#ifndef VERNIER_FACES_KATIB_KATIB_HANDLERS_H_
#define VERNIER_FACES_KATIB_KATIB_HANDLERS_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "base/thread_pool.h"
#include "faces/katib/katib_points.h"
#include "faces/katib/katib_space.h"

namespace vernier {

/// The calls of Katib's Suggestion service, without the transport.
/// proto/katib/v1beta1/katib.proto is the contract. They are functions of their
/// requests: nothing is stored, and the same call gets the same answer.
/// Thread-safe.
class KatibHandlers {
 public:
  /// Points are chosen on the threads of `fitters`, which must outlive this
  /// object and all calls.
  explicit KatibHandlers(ThreadPool& fitters) : fitters_(fitters) {}

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

 private:
  ThreadPool& fitters_;
  // The work of an abandoned call may outlive this object.
  const std::shared_ptr<KatibSuggesters> suggesters_ =
      std::make_shared<KatibSuggesters>();
};

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_HANDLERS_H_
