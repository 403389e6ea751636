#ifndef VERNIER_FACES_NATIVE_EVENT_SOURCE_H_
#define VERNIER_FACES_NATIVE_EVENT_SOURCE_H_

#include <vernier/v1/job_service.pb.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "edge/grpc/pumped_writer.h"
#include "store/store.h"

namespace vernier {

/// Events for one WatchEvents call. Not thread-safe: the pump owns it.
class EventSource final : public MessageSource<v1::Event> {
 public:
  /// Borrows `store`. Errors: NOT_FOUND for an unknown job, INVALID_ARGUMENT
  /// for a negative sequence.
  static absl::StatusOr<std::unique_ptr<EventSource>> Create(
      const Store& store, const v1::WatchEventsRequest& request);

  std::optional<absl::Status> Next(std::deque<v1::Event>* messages) override;
  bool is_busy() const override { return told_none_; }

 private:
  EventSource(const Store& store, const v1::WatchEventsRequest& request,
              std::optional<StudyId> study);

  bool IsOver(const StoreSnapshot& snapshot) const;
  std::string JobIdOf(const StoreSnapshot& snapshot, StudyId study);
  bool IsTold(const std::string& job_id) const;

  const Store& store_;
  const bool stop_at_end_;
  const bool until_now_;
  const std::optional<StudyId> study_;
  const std::string project_;  // Only its events are sent; empty: all.
  EventSequence sent_;         // The last event that was handed out.
  bool told_none_ = false;     // The last batch had events, but none to send.
  std::map<StudyId, std::string> job_ids_;  // Also of jobs deleted meanwhile.
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_EVENT_SOURCE_H_
