#include "faces/logging/log_entries.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cluster/log_times.h"
#include "cluster/replica_log.h"
#include "trials/jobs/orchestrator.h"

namespace vernier {
namespace {

// A k-way merge by time. Each opened log is a cursor at its next line, and a
// heap holds the cursors. A log is opened only when the merge reaches the
// beginning of its attempt, so that few files are open at a time; the service's
// own messages are a sorted list beside the heap.

constexpr std::size_t kBlock = std::size_t{16} << 10;
constexpr std::size_t kLongestLine = std::size_t{64} << 10;
constexpr char kServiceTask[] = "service";

LogPosition PositionOf(const LogEntry& entry) {
  return {entry.at, entry.insert_id};
}

// The numbers have a fixed width, so that ids sort as the numbers do.
std::string InsertId(StudyId study, std::int64_t trial, int attempt,
                     const std::string& task, std::int64_t offset) {
  return absl::StrFormat("%010d-%08d-%04d-%s-%016d", ToInt(study), trial,
                         attempt, task, offset);
}

}  // namespace

/// A replica's log that has not been opened yet.
struct LogEntries::Source {
  std::shared_ptr<const StudySnapshot> study;
  TrialId trial{};
  int attempt = 0;
  Timestamp begin{};
  std::optional<Timestamp> end;
};

/// Reads one replica's log, line by line.
class LogEntries::Cursor {
 public:
  Cursor(const Source& source, std::string dir, std::string replica)
      : source_(source),
        dir_(std::move(dir)),
        replica_(std::move(replica)),
        times_(LogTimes::Read(dir_, replica_)) {}

  /// Moves to the first line that ended at `from` or later.
  bool Begin(Timestamp from, std::size_t* bytes_read) {
    // The offset may lie in the middle of a line, so begin far enough before
    // it.
    offset_ = std::max<std::int64_t>(
        0, times_.OffsetBefore(from) - static_cast<std::int64_t>(kLongestLine));
    if (offset_ > 0) {
      while (block_.find('\n') == std::string::npos && Fill(bytes_read)) {
      }
      at_ = block_.find('\n') + 1;  // 0 if there is none.
    }
    while (Advance(bytes_read)) {
      if (entry_.at >= from) return true;
    }
    return false;
  }

  /// Moves to the next line; false if there is none.
  bool Advance(std::size_t* bytes_read) {
    while (true) {
      const std::size_t newline = block_.find('\n', at_);
      if (newline != std::string::npos) {
        SetEntry(newline + 1, false);
        return true;
      }
      if (block_.size() - at_ >= kLongestLine) {
        SetEntry(block_.size(), false);
        return true;
      }
      block_.erase(0, at_);
      offset_ += static_cast<std::int64_t>(at_);
      at_ = 0;
      if (Fill(bytes_read)) continue;
      // A line without an end is shown only when nothing more can come.
      if (block_.empty() || !source_.end.has_value()) return false;
      SetEntry(block_.size(), true);
      return true;
    }
  }

  const LogEntry& entry() const { return entry_; }

 private:
  bool Fill(std::size_t* bytes_read) {
    const auto part = ReadReplicaLog(
        dir_, replica_, offset_ + static_cast<std::int64_t>(block_.size()),
        kBlock);
    if (!part.ok() || part->data.empty()) return false;
    if (part->offset != offset_ + static_cast<std::int64_t>(block_.size())) {
      // The log is capped, and the bytes at this offset have been dropped.
      block_.clear();
      offset_ = part->offset;
    }
    block_ += part->data;
    *bytes_read += part->data.size();
    return true;
  }

  void SetEntry(std::size_t end, bool is_last_word) {
    const std::string_view line(block_.data() + at_, end - at_);
    const std::int64_t last = offset_ + static_cast<std::int64_t>(end) - 1;
    entry_.at = is_last_word
                    ? *source_.end
                    : times_.At(last, source_.end.value_or(source_.begin));
    entry_.insert_id = InsertId(source_.study->id, ToInt(source_.trial),
                                source_.attempt, replica_, last);
    const JobSpec& spec = *JobOf(*source_.study).run().spec;
    entry_.job_id = spec.job_id;
    entry_.task_name = replica_;
    entry_.trial_id = spec.training_input.hyperparameters.has_value()
                          ? absl::StrCat(ToInt(source_.trial))
                          : "";
    entry_.line = ParseLogLine(line);
    at_ = end;
  }

  const Source source_;
  const std::string dir_;
  const std::string replica_;
  const LogTimes times_;
  std::int64_t offset_ = 0;  // Of block_.
  std::string block_;
  std::size_t at_ = 0;  // The next line's place in block_.
  LogEntry entry_;
};

namespace {

// Orders a heap with the earliest entry at its top.
struct IsLater {
  template <typename Pointer>
  bool operator()(const Pointer& a, const Pointer& b) const {
    return PositionOf(a->entry()) > PositionOf(b->entry());
  }
};

}  // namespace

LogEntries::LogEntries(
    const std::vector<std::shared_ptr<const StudySnapshot>>& studies,
    Timestamp from, Timestamp until)
    : from_(from), until_(until) {
  for (const auto& study : studies) {
    AddServiceEntries(JobOf(*study));
    AddSources(study);
  }
  std::sort(service_.begin(), service_.end(),
            [](const LogEntry& a, const LogEntry& b) {
              return PositionOf(a) > PositionOf(b);
            });
  std::stable_sort(
      sources_.begin(), sources_.end(),
      [](const Source& a, const Source& b) { return a.begin > b.begin; });
}

LogEntries::~LogEntries() = default;

void LogEntries::AddServiceEntries(JobRef job) {
  int number = 0;
  const auto add = [&](std::optional<Timestamp> at, std::int64_t trial,
                       const char* severity, std::string message) {
    ++number;
    if (!at.has_value() || *at < from_ || *at > until_) return;
    LogEntry entry;
    entry.at = *at;
    entry.insert_id = InsertId(job->id, trial, 0, kServiceTask, number);
    entry.job_id = job.run().spec->job_id;
    entry.task_name = kServiceTask;
    if (trial > 0) entry.trial_id = absl::StrCat(trial);
    entry.line.severity = severity;
    entry.line.message = std::move(message);
    service_.push_back(std::move(entry));
  };
  add(job->created_at, 0, "INFO", "Job is queued.");
  add(job.run().started_at, 0, "INFO", "Job is running.");
  for (std::size_t i = 1; i <= job->trials.size(); ++i) {
    const std::shared_ptr<const TrialRecord> trial =
        job->trials.Share(TrialId(static_cast<std::int64_t>(i)));
    if (trial->message.empty() || !trial->ended_at.has_value()) continue;
    add(trial->ended_at, ToInt(trial->id),
        trial->state == TrialState::kFailed ? "ERROR" : "WARNING",
        absl::StrCat("Trial ", ToInt(trial->id), ": ", trial->message));
  }
  const bool is_good = job.run().state == JobState::kSucceeded;
  add(job.run().ended_at, 0, is_good ? "INFO" : "ERROR",
      is_good ? "Job completed successfully."
              : absl::StrCat("Job is ", std::string(ToString(job.run().state)),
                             job.run().error_message.empty() ? "." : ": ",
                             job.run().error_message));
}

void LogEntries::AddSources(const std::shared_ptr<const StudySnapshot>& study) {
  for (std::size_t i = 1; i <= study->trials.size(); ++i) {
    const auto id = TrialId(static_cast<std::int64_t>(i));
    const std::shared_ptr<const TrialRecord> trial = study->trials.Share(id);
    for (const AttemptRecord& attempt : trial->attempts) {
      const bool is_over = attempt.ended_at && *attempt.ended_at < from_;
      if (is_over || attempt.intended_at > until_) continue;
      sources_.push_back(
          {study, id, attempt.number, attempt.intended_at, attempt.ended_at});
    }
  }
}

void LogEntries::Push(std::unique_ptr<Cursor> cursor) {
  cursors_.push_back(std::move(cursor));
  std::push_heap(cursors_.begin(), cursors_.end(), IsLater());
}

void LogEntries::OpenSourcesUpTo(Timestamp time) {
  while (!sources_.empty() && sources_.back().begin <= time) {
    const Source source = std::move(sources_.back());
    sources_.pop_back();
    const std::string dir = AttemptDir(
        JobOf(*source.study), {source.study->id, source.trial, source.attempt});
    for (const ReplicaLogInfo& log : ListReplicaLogs(dir)) {
      auto cursor = std::make_unique<Cursor>(source, dir, log.replica);
      if (cursor->Begin(from_, &bytes_read_)) Push(std::move(cursor));
    }
  }
}

std::unique_ptr<LogEntry> LogEntries::Next() {
  // Open sources until none of the closed ones can have an earlier entry.
  while (!sources_.empty()) {
    Timestamp earliest = Timestamp::max();
    if (!cursors_.empty()) earliest = cursors_.front()->entry().at;
    if (!service_.empty()) earliest = std::min(earliest, service_.back().at);
    if (sources_.back().begin > earliest) break;
    OpenSourcesUpTo(sources_.back().begin);
  }
  const bool has_line = !cursors_.empty();
  if (!service_.empty() &&
      (!has_line ||
       PositionOf(service_.back()) < PositionOf(cursors_.front()->entry()))) {
    auto entry = std::make_unique<LogEntry>(std::move(service_.back()));
    service_.pop_back();
    return entry;
  }
  if (!has_line || cursors_.front()->entry().at > until_) return nullptr;
  std::pop_heap(cursors_.begin(), cursors_.end(), IsLater());
  std::unique_ptr<Cursor> cursor = std::move(cursors_.back());
  cursors_.pop_back();
  auto entry = std::make_unique<LogEntry>(cursor->entry());
  if (cursor->Advance(&bytes_read_)) Push(std::move(cursor));
  return entry;
}

}  // namespace vernier
