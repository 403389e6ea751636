#ifndef VERNIER_FACES_NATIVE_LOG_SOURCE_H_
#define VERNIER_FACES_NATIVE_LOG_SOURCE_H_

#include <vernier/v1/job_service.pb.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "edge/grpc/pumped_writer.h"
#include "store/study_kinds.h"

namespace vernier {

/// Log lines for one ReadLog call, trial by trial; lines of running trials as
/// they come. It keeps positions, not text. Not thread-safe: the pump owns it.
class LogSource final : public MessageSource<v1::LogChunk> {
 public:
  /// Borrows `store`. Errors: NOT_FOUND for an unknown job, trial, attempt or
  /// replica; INVALID_ARGUMENT for negative numbers.
  static absl::StatusOr<std::unique_ptr<LogSource>> Create(
      const Store& store, const v1::ReadLogRequest& request);

  std::optional<absl::Status> Next(std::deque<v1::LogChunk>* messages) override;

 private:
  /// The part of one trial's logs that has been sent.
  struct Tail {
    TrialId trial{};
    int attempt = 0;                              // 0: none has begun yet.
    std::map<std::string, std::int64_t> offsets;  // By replica.
  };

  LogSource(const Store& store, const v1::ReadLogRequest& request,
            StudyId study);

  void AddTails(JobRef job);
  /// Returns true if `tail` is at its end.
  bool ReadTail(JobRef job, Tail* tail, std::deque<v1::LogChunk>* messages);
  /// Returns true if everything so far was read.
  bool ReadAttempt(JobRef job, Tail* tail, bool has_ended,
                   std::deque<v1::LogChunk>* messages);
  bool IsOver(JobRef job) const;

  const Store& store_;
  const v1::ReadLogRequest request_;
  const StudyId study_;
  std::int64_t next_trial_;  // The first that has no tail yet.
  std::deque<Tail> tails_;
  std::size_t bytes_ = 0;  // In this call of Next.
};

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_LOG_SOURCE_H_
