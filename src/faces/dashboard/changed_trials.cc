#include "faces/dashboard/changed_trials.h"

#include <algorithm>
#include <set>

#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr std::size_t kMostChanges = 5000;

// An edit may rename the metrics, which are the names of columns.
bool IsRevision(const Event& event) {
  return event.kind == "job.revised" || event.kind == "study.revised";
}

}  // namespace

absl::StatusOr<std::optional<std::vector<TrialId>>> TrialsChangedSince(
    const Store& store, const StudySnapshot& study, EventSequence since) {
  using Changed = std::optional<std::vector<TrialId>>;
  VERNIER_ASSIGN_OR_RETURN(const std::vector<Event> events,
                           store.ListEvents(since, study.id, kMostChanges));
  if (events.size() >= kMostChanges ||
      std::any_of(events.begin(), events.end(), IsRevision)) {
    return Changed(std::nullopt);
  }
  std::set<TrialId> changed(study.open.begin(), study.open.end());
  const auto count = static_cast<std::int64_t>(study.trials.size());
  for (const Event& event : events) {
    // The events may be newer than the snapshot.
    if (event.trial.has_value() && ToInt(*event.trial) <= count) {
      changed.insert(*event.trial);
    }
  }
  return Changed(std::vector<TrialId>(changed.begin(), changed.end()));
}

}  // namespace vernier
