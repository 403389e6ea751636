#ifndef VERNIER_NOTIFICATIONS_JOB_END_NOTICE_H_
#define VERNIER_NOTIFICATIONS_JOB_END_NOTICE_H_

#include <cstddef>
#include <string>

#include "store/study_kinds.h"

namespace vernier {

/// The notice about the end of a job. docs/notifications.md describes the body.
struct JobEndNotice {
  /// The same whenever the same end is reported, even by another service on the
  /// same data, and different for any other end: receivers recognize
  /// repetitions by it.
  std::string id;
  EventSequence event{};
  std::string job;
  std::string body;  ///< JSON, at most kMaxNoticeBytes.
};

inline constexpr std::size_t kMaxNoticeBytes = std::size_t{64} << 10;

/// Returns whether an event ends a job.
bool IsJobEnd(const Event& event);

/// Returns the notice of an end; `job` is the event's study, at the event or
/// later. Pure.
JobEndNotice NoticeOf(const Event& event, JobRef job);

}  // namespace vernier

#endif  // VERNIER_NOTIFICATIONS_JOB_END_NOTICE_H_
