#include "faces/native/event_source.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "faces/messages/trial_message.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/job_id.h"

namespace vernier {
namespace {

constexpr std::size_t kEventsAtOnce = 100;

}  // namespace

absl::StatusOr<std::unique_ptr<EventSource>> EventSource::Create(
    const Store& store, const v1::WatchEventsRequest& request) {
  if (request.after_sequence() < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "after_sequence must be >= 0: ", request.after_sequence()));
  }
  std::optional<StudyId> study;
  if (!request.job_id().empty()) {
    VERNIER_ASSIGN_OR_RETURN(const auto found,
                             FindStudy(*store.Snapshot(), request.job_id()));
    study = found->id;
  }
  return std::unique_ptr<EventSource>(new EventSource(store, request, study));
}

EventSource::EventSource(const Store& store,
                         const v1::WatchEventsRequest& request,
                         std::optional<StudyId> study)
    : store_(store),
      stop_at_end_(request.stop_at_end()),
      until_now_(request.until_now()),
      study_(study),
      project_(study.has_value() ? "" : request.project()),
      sent_(EventSequence(request.after_sequence())) {
  if (study_.has_value()) job_ids_[*study_] = request.job_id();
}

std::optional<absl::Status> EventSource::Next(std::deque<v1::Event>* messages) {
  // The snapshot is taken first: if it shows that the job has ended, the event
  // of that end is in the list below.
  const auto snapshot = store_.Snapshot();
  bool is_all = store_.LastEvent() <= sent_;
  told_none_ = false;
  if (!is_all) {
    absl::StatusOr<std::vector<Event>> events =
        store_.ListEvents(sent_, study_, kEventsAtOnce);
    if (!events.ok()) return events.status();
    is_all = events->empty();
    for (const Event& event : *events) {
      sent_ = event.sequence;
      const std::string job_id = JobIdOf(*snapshot, event.study);
      if (IsTold(job_id)) messages->push_back(ToProto(event, job_id));
    }
    // A batch may hold only events of other projects; the next call continues.
    told_none_ = !is_all && messages->empty();
  }
  if (is_all && IsOver(*snapshot)) return absl::OkStatus();
  return std::nullopt;
}

bool EventSource::IsTold(const std::string& job_id) const {
  if (project_.empty()) return true;
  // If the job was deleted before its name was seen here, its project is
  // unknown.
  return !job_id.empty() && ProjectOfName(job_id) == project_;
}

bool EventSource::IsOver(const StoreSnapshot& snapshot) const {
  if (until_now_) return true;
  if (!study_.has_value()) return stop_at_end_;
  const auto job = snapshot.find(*study_);
  if (job == snapshot.end()) return true;  // Deleted: nothing more will come.
  if (!stop_at_end_) return false;
  const auto client = AsClientStudy(*job->second);
  return client.has_value() ? client->run().state == StudyState::kCompleted
                            : IsFinishedJob(*job->second);
}

std::string EventSource::JobIdOf(const StoreSnapshot& snapshot, StudyId study) {
  std::string& job_id = job_ids_[study];
  const auto job = snapshot.find(study);
  if (job_id.empty() && job != snapshot.end()) {
    job_id = job->second->name;
  }
  return job_id;
}

}  // namespace vernier
