#ifndef VERNIER_STORE_MODEL_WORKING_STATE_H_
#define VERNIER_STORE_MODEL_WORKING_STATE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/store.h"

namespace vernier {

/// A state as read from a database, or an empty one.
struct LoadedState {
  StoreSnapshot studies;
  std::map<std::string, RememberedRequest> requests;
  std::map<DeviceId, AttemptKey> leases;  ///< Of live attempts only.
  StudyId last_study{};                   ///< Highest id ever given.
  EventSequence last_event{};
};

/// All studies while transactions change them, with undo at two levels: an
/// item is one caller's transaction; a group is the items that one COMMIT
/// makes durable. A study is copied once per group, so that the snapshots
/// readers hold never change.
///
/// Not thread-safe: the store's writer owns it.
class WorkingState {
 public:
  explicit WorkingState(LoadedState loaded);

  /// Null if unknown. Valid until the next change.
  const StudySnapshot* Find(StudyId study) const;
  std::optional<StudyId> FindJob(const std::string& job_id) const;
  /// The number of jobs and studies of clients in a project. O(all of them).
  int CountStudies(const std::string& project) const;
  const RememberedRequest* FindRequest(const std::string& request_id) const;
  /// The live attempt that holds `device`, or null.
  const AttemptKey* LeaseHolder(const DeviceId& device) const;
  StudyId last_study() const { return last_study_; }
  EventSequence last_event() const { return last_event_; }

  /// Returns the study for a change; it must be known. Valid until the next
  /// call.
  StudySnapshot& Edit(StudyId study);
  /// Replaces one trial of a known study; much cheaper than Edit.
  void PutTrial(StudyId study, std::shared_ptr<const TrialRecord> trial);
  /// `study->id` must be last_study() + 1 and its job id free.
  void AddStudy(std::shared_ptr<StudySnapshot> study);
  /// Its job id becomes free; its study id is never given again.
  void RemoveStudy(StudyId study);
  void RememberRequest(const std::string& request_id,
                       const RememberedRequest& request);
  void TakeLease(const DeviceId& device, const AttemptKey& holder);
  void ReleaseLease(const DeviceId& device);
  /// Numbers the next event.
  EventSequence NextEvent();

  void BeginItem();
  /// Undoes everything since BeginItem.
  void UndoItem();
  /// Undoes everything since the last CommitGroup.
  void UndoGroup();
  /// Ends the group. Returns the studies that changed; null: removed.
  StoreSnapshot CommitGroup();

  /// All studies as of the last CommitGroup.
  const StoreSnapshot& committed() const { return committed_; }

 private:
  std::shared_ptr<StudySnapshot>& Editable(StudyId study);
  void UndoTo(std::size_t mark);

  StoreSnapshot committed_;
  // The studies that this group changed; shared with nobody until CommitGroup.
  std::map<StudyId, std::shared_ptr<StudySnapshot>> edited_;
  std::map<std::string, StudyId> studies_by_job_;
  std::map<std::string, RememberedRequest> requests_;
  std::map<DeviceId, AttemptKey> leases_;
  StudyId last_study_;
  EventSequence last_event_;

  std::vector<std::function<void()>> undo_;  // This group's, oldest first.
  std::size_t item_mark_ = 0;  // Where this item's part of undo_ begins.
  std::set<StudyId> saved_in_item_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_MODEL_WORKING_STATE_H_
