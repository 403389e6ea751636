#include "trials/jobs/job_times.h"

namespace vernier {

JobTimes JobTimekeeper::Measure(JobRef job, SteadyTime now) {
  const auto [found, is_new] = readings_.try_emplace(job->id);
  Reading& reading = found->second;
  if (is_new) {
    reading.times = {job.run().waited_for, job.run().ran_for};
    reading.stored_at = now;
  } else if (job.run().state == JobState::kRunning) {
    reading.times.ran_for += now - reading.at;
  } else if (job.run().state == JobState::kQueued ||
             job.run().state == JobState::kPreparing) {
    reading.times.waited_for += now - reading.at;
  }
  reading.at = now;
  return reading.times;
}

bool JobTimekeeper::NeedsCheckpoint(StudyId study, SteadyTime now) const {
  const auto found = readings_.find(study);
  return found != readings_.end() &&
         now - found->second.stored_at >= checkpoint_period_;
}

void JobTimekeeper::Checkpointed(StudyId study, SteadyTime now) {
  const auto found = readings_.find(study);
  if (found != readings_.end()) found->second.stored_at = now;
}

void JobTimekeeper::Forget(const StoreSnapshot& snapshot) {
  std::erase_if(readings_, [&](const auto& reading) {
    const auto found = snapshot.find(reading.first);
    return found == snapshot.end() || IsFinishedJob(*found->second);
  });
}

}  // namespace vernier
