#include "store/model/working_state.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "study/job_id.h"

namespace vernier {

WorkingState::WorkingState(LoadedState loaded)
    : committed_(std::move(loaded.studies)),
      requests_(std::move(loaded.requests)),
      leases_(std::move(loaded.leases)),
      last_study_(loaded.last_study),
      last_event_(loaded.last_event) {
  for (const auto& [id, study] : committed_) {
    studies_by_job_[study->name] = id;
  }
}

const StudySnapshot* WorkingState::Find(StudyId study) const {
  const auto edited = edited_.find(study);
  if (edited != edited_.end()) return edited->second.get();
  const auto found = committed_.find(study);
  return found == committed_.end() ? nullptr : found->second.get();
}

int WorkingState::CountStudies(const std::string& project) const {
  return static_cast<int>(std::count_if(
      studies_by_job_.begin(), studies_by_job_.end(),
      [&](const auto& each) { return ProjectOfName(each.first) == project; }));
}

std::optional<StudyId> WorkingState::FindJob(const std::string& job_id) const {
  const auto found = studies_by_job_.find(job_id);
  if (found == studies_by_job_.end()) return std::nullopt;
  return found->second;
}

const RememberedRequest* WorkingState::FindRequest(
    const std::string& request_id) const {
  const auto found = requests_.find(request_id);
  return found == requests_.end() ? nullptr : &found->second;
}

const AttemptKey* WorkingState::LeaseHolder(const DeviceId& device) const {
  const auto found = leases_.find(device);
  return found == leases_.end() ? nullptr : &found->second;
}

std::shared_ptr<StudySnapshot>& WorkingState::Editable(StudyId study) {
  auto [slot, is_new] = edited_.try_emplace(study);
  if (is_new) {
    slot->second =
        // Readers hold the committed snapshot, so it is never changed in place.
        std::make_shared<StudySnapshot>(*committed_.find(study)->second);
  }
  VERNIER_CHECK(slot->second != nullptr);
  return slot->second;
}

// One saved copy for each item suffices, because undoing it also undoes the
// item's later edits.
StudySnapshot& WorkingState::Edit(StudyId study) {
  std::shared_ptr<StudySnapshot>& editable = Editable(study);
  if (saved_in_item_.insert(study).second) {
    undo_.push_back([this, study, before = *editable]() mutable {
      *edited_.at(study) = std::move(before);
    });
  }
  return *editable;
}

void WorkingState::PutTrial(StudyId study,
                            std::shared_ptr<const TrialRecord> trial) {
  StudySnapshot& editable = *Editable(study);
  if (saved_in_item_.count(study) == 0) {
    // An edit later in this item saves the study with this trial in it, and is
    // undone before this.
    undo_.push_back([this, study, before = editable.trials.Share(trial->id)]() {
      edited_.at(study)->trials.Put(before);
    });
  }
  editable.trials.Put(std::move(trial));
}

void WorkingState::AddStudy(std::shared_ptr<StudySnapshot> study) {
  const StudyId id = study->id;
  const std::string job_id = study->name;
  VERNIER_CHECK(ToInt(id) == ToInt(last_study_) + 1);
  VERNIER_CHECK(studies_by_job_.emplace(job_id, id).second);
  last_study_ = id;
  edited_[id] = std::move(study);
  saved_in_item_.insert(id);
  undo_.push_back([this, id, job_id] {
    edited_.erase(id);
    studies_by_job_.erase(job_id);
    last_study_ = StudyId{ToInt(id) - 1};
  });
}

void WorkingState::RemoveStudy(StudyId study) {
  std::shared_ptr<StudySnapshot>& editable = Editable(study);
  const std::string job_id = editable->name;
  undo_.push_back([this, study, job_id, before = editable] {
    edited_[study] = before;
    studies_by_job_[job_id] = study;
  });
  editable = nullptr;
  studies_by_job_.erase(job_id);
}

void WorkingState::RememberRequest(const std::string& request_id,
                                   const RememberedRequest& request) {
  requests_[request_id] = request;
  undo_.push_back([this, request_id] { requests_.erase(request_id); });
}

void WorkingState::TakeLease(const DeviceId& device, const AttemptKey& holder) {
  VERNIER_CHECK(leases_.emplace(device, holder).second);
  undo_.push_back([this, device] { leases_.erase(device); });
}

void WorkingState::ReleaseLease(const DeviceId& device) {
  const auto found = leases_.find(device);
  VERNIER_CHECK(found != leases_.end());
  undo_.push_back([this, device, holder = found->second] {
    leases_.emplace(device, holder);
  });
  leases_.erase(found);
}

EventSequence WorkingState::NextEvent() {
  undo_.push_back([this, before = last_event_] { last_event_ = before; });
  last_event_ = EventSequence{ToInt(last_event_) + 1};
  return last_event_;
}

void WorkingState::BeginItem() {
  item_mark_ = undo_.size();
  saved_in_item_.clear();
}

void WorkingState::UndoItem() { UndoTo(item_mark_); }

void WorkingState::UndoGroup() {
  UndoTo(0);
  edited_.clear();
}

StoreSnapshot WorkingState::CommitGroup() {
  undo_.clear();
  item_mark_ = 0;
  StoreSnapshot changed;
  for (auto& [id, study] : edited_) {
    changed[id] = study;
    if (study == nullptr) {
      committed_.erase(id);
    } else {
      committed_[id] = std::move(study);
    }
  }
  edited_.clear();
  return changed;
}

void WorkingState::UndoTo(std::size_t mark) {
  while (undo_.size() > mark) {
    undo_.back()();
    undo_.pop_back();
  }
  saved_in_item_.clear();
}

}  // namespace vernier
