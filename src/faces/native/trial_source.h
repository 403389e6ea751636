#ifndef VERNIER_FACES_NATIVE_TRIAL_SOURCE_H_
#define VERNIER_FACES_NATIVE_TRIAL_SOURCE_H_

#include <vernier/v1/job_service.pb.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "edge/grpc/pumped_writer.h"
#include "store/store.h"
#include "trials/trial_query.h"

namespace vernier {

/// Trials for one StreamTrials call. All are of one moment, however long the
/// client takes to read them. Not thread-safe: the pump owns it.
class TrialSource final : public MessageSource<v1::Trial> {
 public:
  /// Errors: NOT_FOUND for an unknown job; those of SelectTrials.
  static absl::StatusOr<std::unique_ptr<TrialSource>> Create(
      const Store& store, const v1::ListTrialsRequest& request);

  std::optional<absl::Status> Next(std::deque<v1::Trial>* messages) override;
  bool is_busy() const override { return true; }

 private:
  explicit TrialSource(TrialSelection selection)
      : selection_(std::move(selection)) {}

  TrialSelection selection_;
  std::vector<TrialId> found_;
  std::size_t sent_ = 0;  // Of those.
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_TRIAL_SOURCE_H_
