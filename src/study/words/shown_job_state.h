#ifndef VERNIER_STUDY_WORDS_SHOWN_JOB_STATE_H_
#define VERNIER_STUDY_WORDS_SHOWN_JOB_STATE_H_

#include <string_view>

#include "study/job_state.h"

namespace vernier {

/// Returns the state for people: "PAUSED" for a job that is to pause and has
/// neither ended nor is about to, else ToString(state). The API has no such
/// state.
std::string_view ShownState(JobState state, JobWanted wanted);

/// Returns the state as the rest of a sentence about the job: "is paused",
/// "succeeded".
std::string_view StateWords(JobState state, JobWanted wanted);

/// Like ShownState, for names as the API has them: "RUNNING", "PAUSE".
std::string_view ShownState(std::string_view state, std::string_view wanted);

}  // namespace vernier

#endif  // VERNIER_STUDY_WORDS_SHOWN_JOB_STATE_H_
