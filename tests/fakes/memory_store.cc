#include "tests/fakes/memory_store.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/status_macros.h"
#include "store/metric_names.h"

namespace vernier {

MemoryStore::MemoryStore()
    : state_(LoadedState{}),
      snapshot_(std::make_shared<const StoreSnapshot>()) {}

absl::StatusOr<bool> MemoryStore::Measurements::Insert(
    const AttemptKey& attempt, const Measurement& measurement) {
  const Key key{attempt.study,      attempt.trial,    attempt.number,
                measurement.metric, measurement.step, measurement.reported_at};
  const bool is_new =
      rows.emplace(key, Row{measurement.value, measurement.elapsed,
                            measurement.road})
          .second;
  if (is_new) new_in_item.push_back(key);
  return is_new;
}

absl::StatusOr<bool> MemoryStore::Measurements::Holds(
    const AttemptKey& attempt, const Measurement& measurement) {
  Key key{attempt.study,      attempt.trial,    attempt.number,
          measurement.metric, measurement.step, Timestamp::min()};
  bool is_held = false;  // By the latest.
  for (auto row = rows.lower_bound(key); row != rows.end(); ++row) {
    std::get<Timestamp>(key) = std::get<Timestamp>(row->first);
    if (row->first != key) break;
    // By their bits, as a database compares them.
    is_held = std::bit_cast<std::uint64_t>(row->second.value) ==
              std::bit_cast<std::uint64_t>(measurement.value);
  }
  return is_held;
}

absl::StatusOr<bool> MemoryStore::Measurements::Void(
    const AttemptKey& attempt, const CurveRestart& restart) {
  bool is_any = false;
  for (auto& [key, row] : rows) {
    const auto& [study, trial, number, metric, step, time] = key;
    if (AttemptKey{study, trial, number} != attempt ||
        metric != restart.metric || step < restart.from_step ||
        time >= restart.at || row.road != restart.road || row.is_void) {
      continue;
    }
    row.is_void = true;
    void_in_item.push_back(key);
    is_any = true;
  }
  return is_any;
}

absl::StatusOr<std::vector<Measurement>> MemoryStore::Measurements::List(
    StudyId study, TrialId trial, const std::string& metric) const {
  std::vector<Measurement> list;
  const Key first{study, trial, 0, "", 0, Timestamp{}};
  for (auto row = rows.lower_bound(first); row != rows.end(); ++row) {
    const auto& [row_study, row_trial, attempt, name, step, time] = row->first;
    if (row_study != study || row_trial != trial) break;
    if (row->second.is_void || (!metric.empty() && name != metric)) continue;
    list.push_back({name, step, time, row->second.value, row->second.elapsed,
                    attempt, row->second.road});
  }
  return list;
}

void MemoryStore::Measurements::UndoItem() {
  for (const Key& key : void_in_item) rows.at(key).is_void = false;
  for (const Key& key : new_in_item) rows.erase(key);
}

absl::Status MemoryStore::StartWrite() {
  if (!health_.ok()) return absl::UnavailableError(health_.message());
  state_.BeginItem();
  measurements_.new_in_item.clear();
  measurements_.void_in_item.clear();
  return std::exchange(next_write_, absl::OkStatus());
}

void MemoryStore::Keep(Effects effects) {
  for (Event& event : effects.events) events_.push_back(std::move(event));
  for (auto& [study, operation] : effects.operations) {
    operations_[{study, operation.number}] = std::move(operation);
  }
  for (const RowChange& row : effects.rows) {
    if (row.kind != RowChange::Kind::kStudyRemoved) continue;
    using Key = Measurements::Key;
    const auto first = [](StudyId study) {
      return Key{study, TrialId{0}, 0, "", 0, Timestamp{}};
    };
    measurements_.rows.erase(
        measurements_.rows.lower_bound(first(row.key.study)),
        measurements_.rows.lower_bound(
            first(StudyId{ToInt(row.key.study) + 1})));
    std::erase_if(operations_, [&](const auto& entry) {
      return entry.first.first == row.key.study;
    });
  }
  state_.CommitGroup();
  snapshot_ = std::make_shared<const StoreSnapshot>(state_.committed());
}

template <typename New, typename Rule>
absl::StatusOr<StudyId> MemoryStore::Create(const New& added, Timestamp now,
                                            Rule rule) {
  const MutexLock lock(mu_);
  absl::Status start = StartWrite();
  if (!start.ok()) return start;
  Effects effects;
  ChangeContext context{state_, measurements_, now, effects};
  absl::StatusOr<StudyId> study = rule(added, context);
  if (study.ok()) {
    Keep(std::move(effects));
  } else {
    state_.UndoItem();
  }
  return study;
}

absl::StatusOr<StudyId> MemoryStore::CreateJob(const NewJob& job,
                                               Timestamp now) {
  return Create(job, now,
                [](const NewJob& added,
                   ChangeContext& context) -> absl::StatusOr<StudyId> {
                  auto before = ChangesBeforeCreate(added, context);
                  if (!before.ok()) return before.status();
                  for (const Change& change : *before) {
                    absl::Status applied = ApplyChange(change, context);
                    if (!applied.ok()) return applied;
                  }
                  return ApplyCreateJob(added, context);
                });
}

absl::StatusOr<StudyId> MemoryStore::CreateStudy(const NewStudy& study,
                                                 Timestamp now) {
  return Create(study, now, &ApplyCreateStudy);
}

absl::Status MemoryStore::Commit(const std::vector<Change>& changes,
                                 Timestamp now) {
  std::function<void()> then;
  {
    const MutexLock lock(mu_);
    absl::Status status = StartWrite();
    if (!status.ok()) return status;
    Effects effects;
    ChangeContext context{state_, measurements_, now, effects};
    for (const Change& change : changes) {
      status = ApplyChange(change, context);
      if (status.ok()) continue;
      measurements_.UndoItem();
      state_.UndoItem();
      return status;
    }
    Keep(std::move(effects));
    then = std::exchange(then_, nullptr);
  }
  if (then) then();
  return absl::OkStatus();
}

std::shared_ptr<const StoreSnapshot> MemoryStore::Snapshot() const {
  const MutexLock lock(mu_);
  return snapshot_;
}

absl::StatusOr<std::vector<Measurement>> MemoryStore::ListMeasurements(
    StudyId study, TrialId trial, const std::string& metric,
    std::size_t limit) const {
  const MutexLock lock(mu_);
  const StudySnapshot* found = state_.Find(study);
  if (found == nullptr || ToInt(trial) < 1 ||
      static_cast<std::size_t>(ToInt(trial)) > found->trials.size()) {
    return absl::NotFoundError("no such trial");
  }
  const FormerNames& names = found->spec->renamed_from;
  VERNIER_ASSIGN_OR_RETURN(
      std::vector<Measurement> list,
      measurements_.List(study, trial, RecordedName(names, metric)));
  TakePresentNames(names, &list);
  list.resize(std::min(list.size(), limit));
  return list;
}

absl::StatusOr<std::vector<Measurement>> MemoryStore::ListMeasurementsAfter(
    const AttemptKey& attempt, const std::string& metric, std::int64_t step,
    std::size_t limit) const {
  VERNIER_ASSIGN_OR_RETURN(
      std::vector<Measurement> list,
      ListMeasurements(attempt.study, attempt.trial, metric,
                       std::numeric_limits<std::size_t>::max()));
  std::erase_if(list, [&](const Measurement& one) {
    return one.attempt != attempt.number || one.step <= step;
  });
  list.resize(std::min(list.size(), limit));
  return list;
}

absl::StatusOr<std::vector<TrialMeasurement>>
MemoryStore::ListStudyMeasurements(StudyId study, TrialId first, TrialId last,
                                   std::size_t limit) const {
  const MutexLock lock(mu_);
  const StudySnapshot* const found = state_.Find(study);
  if (found == nullptr) return absl::NotFoundError("no such study");
  std::vector<TrialMeasurement> list;
  for (const auto& [key, row] : measurements_.rows) {
    const auto& [row_study, trial, attempt, name, step, time] = key;
    if (row_study != study || trial < first || trial > last || row.is_void) {
      continue;
    }
    if (list.size() == limit) break;
    list.push_back(
        {trial, {name, step, time, row.value, row.elapsed, attempt, row.road}});
  }
  TakePresentNames(found->spec->renamed_from, &list);
  return list;
}

absl::StatusOr<OperationRecord> MemoryStore::FindOperation(
    StudyId study, std::int64_t number) const {
  const MutexLock lock(mu_);
  const auto found = operations_.find({study, number});
  if (found == operations_.end()) {
    return absl::NotFoundError("no such operation");
  }
  return found->second;
}

absl::StatusOr<RememberedRequest> MemoryStore::FindRequest(
    const std::string& request_id) const {
  const MutexLock lock(mu_);
  const RememberedRequest* const found = state_.FindRequest(request_id);
  if (found == nullptr) return absl::NotFoundError("no such request");
  return *found;
}

absl::StatusOr<std::vector<Event>> MemoryStore::ListEvents(
    EventSequence after, std::optional<StudyId> study,
    std::size_t limit) const {
  const MutexLock lock(mu_);
  std::vector<Event> list;
  for (const Event& event : events_) {
    if (list.size() >= limit) break;
    if (event.sequence <= after) continue;
    if (study.has_value() && event.study != *study) continue;
    list.push_back(event);
  }
  return list;
}

EventSequence MemoryStore::LastEvent() const {
  const MutexLock lock(mu_);
  return state_.last_event();
}

absl::Status MemoryStore::Health() const {
  const MutexLock lock(mu_);
  return health_;
}

void MemoryStore::FailNextWrite(absl::Status error) {
  const MutexLock lock(mu_);
  next_write_ = std::move(error);
}

void MemoryStore::AfterNextCommit(std::function<void()> then) {
  const MutexLock lock(mu_);
  then_ = std::move(then);
}

void MemoryStore::Break(const std::string& why) {
  const MutexLock lock(mu_);
  if (health_.ok()) health_ = absl::UnavailableError(why);
}

}  // namespace vernier
