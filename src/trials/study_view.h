#ifndef VERNIER_TRIALS_STUDY_VIEW_H_
#define VERNIER_TRIALS_STUDY_VIEW_H_

#include <vector>

#include "store/store.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// The trials that say something about their parameters, in the order in which
/// they ended; by id among those that ended at once. Pure.
std::vector<TrialId> ObservedTrials(const StudySnapshot& study);

/// What the suggester of `study` may know: observations of the study it resumes
/// (null: none), then its own, as ObservedTrials orders them; and the open
/// trials. Pure. The job must be a tuning job.
StudyView MakeStudyView(const StudySnapshot& study,
                        const StudySnapshot* resumed);

/// As much of it as `algorithm` needs. Points that are drawn at random, from a
/// space where no two are ever the same, depend on no other: their view has no
/// trials, and making it does not look at any.
StudyView MakeStudyViewFor(Algorithm algorithm, const StudySnapshot& study,
                           const StudySnapshot* resumed);

}  // namespace vernier

#endif  // VERNIER_TRIALS_STUDY_VIEW_H_
