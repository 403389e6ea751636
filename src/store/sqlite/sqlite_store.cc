#include "store/sqlite/sqlite_store.h"

#include <chrono>
#include <future>
#include <utility>

#include "base/status_macros.h"
#include "store/sqlite/store_writer.h"

namespace vernier {
namespace {

// A caller puts a Request into the queue and waits for it. The writer thread
// takes all waiting requests, up to kMaxGroup. It answers those that only read,
// runs all writes as one transaction with one sync, publishes the new state,
// and answers the writers. So concurrent callers share the cost of a sync, and
// no write is answered before it is on the disk.

// The largest number of requests in one group. With more, the first caller
// would wait too long for the last one's rows.
constexpr std::size_t kMaxGroup = 1000;

// The log is emptied when it is this long, even under load (40 MiB) ...
constexpr int kLongLogPages = 10000;
// ... and from this length on when nobody has written for a while.
constexpr int kIdleLogPages = 1000;
constexpr std::chrono::milliseconds kIdle{250};

}  // namespace

// The work that a caller waits for: a write, a read, or a read of its own
// write. It is shared, because the caller may wake up and leave while the
// writer is still inside set_value.
struct SqliteStore::Request {
  WriteItem* write = nullptr;
  std::function<void(StoreWriter&)> read;
  std::promise<void> done;
};

absl::StatusOr<std::unique_ptr<SqliteStore>> SqliteStore::Open(
    const std::string& path, const SqliteStoreOptions& options) {
  VERNIER_ASSIGN_OR_RETURN(std::unique_ptr<StoreWriter> writer,
                           StoreWriter::Open(path, options));
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(writer)));
}

SqliteStore::SqliteStore(std::unique_ptr<StoreWriter> writer)
    : writer_(std::move(writer)),
      log_note_(writer_->log_note()),
      studies_(writer_->committed()),
      last_event_(writer_->last_event()),
      thread_([this] { RunWriter(); }) {}

SqliteStore::~SqliteStore() {
  {
    const std::lock_guard lock(queue_mu_);
    stopping_ = true;
  }
  queue_changed_.notify_one();
  thread_.join();
}

absl::StatusOr<StudyId> SqliteStore::CreateJob(const NewJob& job,
                                               Timestamp now) {
  WriteItem item{&job, now, absl::OkStatus(), {}};
  Write(item);
  if (!item.status.ok()) return item.status;
  return item.study;
}

absl::StatusOr<StudyId> SqliteStore::CreateStudy(const NewStudy& study,
                                                 Timestamp now) {
  WriteItem item{&study, now, absl::OkStatus(), {}};
  Write(item);
  if (!item.status.ok()) return item.status;
  return item.study;
}

absl::Status SqliteStore::Commit(const std::vector<Change>& changes,
                                 Timestamp now) {
  WriteItem item{&changes, now, absl::OkStatus(), {}};
  Write(item);
  return item.status;
}

std::shared_ptr<const StoreSnapshot> SqliteStore::Snapshot() const {
  const MutexLock lock(published_mu_);
  if (snapshot_ == nullptr) {
    // The map is copied when somebody asks for it, not at each commit.
    snapshot_ = std::make_shared<const StoreSnapshot>(studies_);
  }
  return snapshot_;
}

absl::StatusOr<std::vector<Measurement>> SqliteStore::ListMeasurements(
    StudyId study, TrialId trial, const std::string& metric,
    std::size_t limit) const {
  absl::StatusOr<std::vector<Measurement>> list;
  Read([&](StoreWriter& writer) {
    list = writer.ListMeasurements(study, trial, metric, limit);
  });
  return list;
}

absl::StatusOr<std::vector<Measurement>> SqliteStore::ListMeasurementsAfter(
    const AttemptKey& attempt, const std::string& metric, std::int64_t step,
    std::size_t limit) const {
  absl::StatusOr<std::vector<Measurement>> list;
  Read([&](StoreWriter& writer) {
    list = writer.ListMeasurementsAfter(attempt, metric, step, limit);
  });
  return list;
}

absl::StatusOr<std::vector<TrialMeasurement>>
SqliteStore::ListStudyMeasurements(StudyId study, TrialId first, TrialId last,
                                   std::size_t limit) const {
  absl::StatusOr<std::vector<TrialMeasurement>> list;
  Read([&](StoreWriter& writer) {
    list = writer.ListStudyMeasurements(study, first, last, limit);
  });
  return list;
}

absl::StatusOr<std::vector<TrialMeasurement>> SqliteStore::CommitAndList(
    const std::vector<Change>& changes, Timestamp now, StudyId study,
    TrialId trial, std::size_t limit) {
  WriteItem item{&changes, now, absl::OkStatus(), {}};
  absl::StatusOr<std::vector<TrialMeasurement>> list;
  auto request = std::make_shared<Request>();
  request->write = &item;
  request->read = [&](StoreWriter& writer) {
    if (item.status.ok()) {
      list = writer.ListStudyMeasurements(study, trial, trial, limit);
    } else {
      list = item.status;
    }
  };
  Enqueue(std::move(request));
  return list;
}

absl::StatusOr<OperationRecord> SqliteStore::FindOperation(
    StudyId study, std::int64_t number) const {
  absl::StatusOr<OperationRecord> operation;
  Read([&](StoreWriter& writer) {
    operation = writer.FindOperation(study, number);
  });
  return operation;
}

absl::StatusOr<RememberedRequest> SqliteStore::FindRequest(
    const std::string& request_id) const {
  absl::StatusOr<RememberedRequest> request;
  Read([&](StoreWriter& writer) { request = writer.FindRequest(request_id); });
  return request;
}

absl::StatusOr<std::vector<Event>> SqliteStore::ListEvents(
    EventSequence after, std::optional<StudyId> study,
    std::size_t limit) const {
  absl::StatusOr<std::vector<Event>> list;
  Read([&](StoreWriter& writer) {
    list = writer.ListEvents(after, study, limit);
  });
  return list;
}

EventSequence SqliteStore::LastEvent() const {
  const MutexLock lock(published_mu_);
  return last_event_;
}

absl::Status SqliteStore::Health() const {
  const MutexLock lock(published_mu_);
  return health_;
}

void SqliteStore::Write(WriteItem& item) const {
  auto request = std::make_shared<Request>();
  request->write = &item;
  Enqueue(std::move(request));
}

void SqliteStore::Read(std::function<void(StoreWriter&)> read) const {
  auto request = std::make_shared<Request>();
  request->read = std::move(read);
  Enqueue(std::move(request));
}

void SqliteStore::Enqueue(std::shared_ptr<Request> request) const {
  std::future<void> done = request->done.get_future();
  bool was_empty = false;
  {
    const std::lock_guard lock(queue_mu_);
    was_empty = queue_.empty();
    queue_.push_back(std::move(request));
  }
  // The writer sleeps only while the queue is empty, so one wake-up suffices.
  if (was_empty) queue_changed_.notify_one();
  done.get();
}

void SqliteStore::RunWriter() {
  for (Queue requests = TakeRequests(); !requests.empty();
       requests = TakeRequests()) {
    // Reads need not wait for the disk.
    RunReads(requests, false);
    RunWrites(requests);
    RunReads(requests, true);
    writer_->CheckpointFrom(kLongLogPages);
    may_checkpoint_ = true;
  }
}

// Returns no request only if the store is to stop and every request was
// answered.
SqliteStore::Queue SqliteStore::TakeRequests() {
  const auto has_work = [this] { return stopping_ || !queue_.empty(); };
  std::unique_lock lock(queue_mu_);
  if (may_checkpoint_ && !queue_changed_.wait_for(lock, kIdle, has_work)) {
    lock.unlock();
    // The queue stays open meanwhile, because a checkpoint waits for the disk.
    writer_->CheckpointFrom(kIdleLogPages);
    may_checkpoint_ = false;
    lock.lock();
  }
  queue_changed_.wait(lock, has_work);
  Queue requests;
  while (!queue_.empty() && requests.size() < kMaxGroup) {
    requests.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return requests;
}

void SqliteStore::RunWrites(const Queue& requests) {
  std::vector<WriteItem*> items;
  for (const std::shared_ptr<Request>& request : requests) {
    if (request->write != nullptr) items.push_back(request->write);
  }
  if (!items.empty()) Publish(writer_->RunGroup(items));
}

// Runs the reads, and answers the callers, of those requests that have written
// or of those that have not.
void SqliteStore::RunReads(const Queue& requests, bool have_written) {
  const auto are_due = [&](const std::shared_ptr<Request>& request) {
    return (request->write != nullptr) == have_written;
  };
  for (const std::shared_ptr<Request>& request : requests) {
    if (are_due(request) && request->read != nullptr) request->read(*writer_);
  }
  Publish({});  // A read may have found the failure.
  for (const std::shared_ptr<Request>& request : requests) {
    if (are_due(request)) request->done.set_value();
  }
}

void SqliteStore::Publish(const StoreSnapshot& changed) {
  const MutexLock lock(published_mu_);
  for (const auto& [id, study] : changed) {
    if (study == nullptr) {
      studies_.erase(id);
    } else {
      studies_[id] = study;
    }
  }
  if (!changed.empty()) snapshot_ = nullptr;
  last_event_ = writer_->last_event();
  health_ = writer_->health();
}

}  // namespace vernier
