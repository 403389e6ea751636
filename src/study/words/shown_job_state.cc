#include "study/words/shown_job_state.h"

namespace vernier {

std::string_view ShownState(JobState state, JobWanted wanted) {
  return wanted == JobWanted::kPause && state < JobState::kCancelling
             ? "PAUSED"
             : ToString(state);
}

std::string_view StateWords(JobState state, JobWanted wanted) {
  if (ShownState(state, wanted) != ToString(state)) return "is paused";
  switch (state) {
    case JobState::kQueued:
      return "is queued";
    case JobState::kPreparing:
      return "is being prepared";
    case JobState::kRunning:
      return "runs";
    case JobState::kCancelling:
      return "is being ended";
    case JobState::kSucceeded:
      return "succeeded";
    case JobState::kFailed:
      return "failed";
    case JobState::kCancelled:
      return "was cancelled";
  }
  return "";
}

std::string_view ShownState(std::string_view state, std::string_view wanted) {
  if (wanted != "PAUSE") return state;
  for (const JobState each :
       {JobState::kQueued, JobState::kPreparing, JobState::kRunning}) {
    if (state == ToString(each)) return ShownState(each, JobWanted::kPause);
  }
  return state;
}

}  // namespace vernier
