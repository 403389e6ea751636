#ifndef VERNIER_TRIALS_STUDY_VIEW_H_
#define VERNIER_TRIALS_STUDY_VIEW_H_

#include "store/store.h"
#include "suggest/suggester.h"

namespace vernier {

/// What the suggester of `study` may know: observations of the study it resumes
/// (null: none), then its own, each by trial id; and the open trials. Pure.
/// The job must be a tuning job.
StudyView MakeStudyView(const StudySnapshot& study,
                        const StudySnapshot* resumed);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STUDY_VIEW_H_
