#ifndef VERNIER_TRIALS_ENGINE_STUDY_VIEW_H_
#define VERNIER_TRIALS_ENGINE_STUDY_VIEW_H_

#include <cstddef>
#include <vector>

#include "store/store.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// Returns the trials that say something about their parameters, in the order
/// in which they ended, and by id among those that ended at the same time.
/// After an edit of the search, trials that lie outside of its present space
/// are not among them. Pure.
std::vector<TrialId> ObservedTrials(const StudySnapshot& study);

/// Returns whether ObservedTrials has more than `count` trials. It reads no
/// more trials than that takes.
bool HasMoreObservedThan(const StudySnapshot& study, std::size_t count);

/// Returns the number of trials, without deleted ones, that lie outside of the
/// present search space, because it was edited. Pure.
std::size_t CountOutside(const StudySnapshot& study);

/// Returns the view for the suggester of `study`: observations of the study
/// that it resumes (null: none), then its own, in the order of ObservedTrials,
/// the open trials, and WaitingProposals. Pure. The job must be a tuning job.
StudyView MakeStudyView(const StudySnapshot& study,
                        const StudySnapshot* resumed);

/// Returns the same without a resumed study and without proposals, for callers
/// that choose no points and have `observed`, ObservedTrials of `study`,
/// already. The view's observations are those trials, one for one.
StudyView MakeStudyView(const StudySnapshot& study,
                        const std::vector<TrialId>& observed);

/// Brings a view without a resumed study up to date after the end of one trial:
/// appends its observation, if ObservedTrials of `study` has the trial. It must
/// have ended after all others. O(1) where nobody edited the search.
void AppendEnd(const StudySnapshot& study, TrialId id, StudyView* view);

/// Returns whether suggestions depend on no other trial: random points in a
/// space where no two are ever equal.
bool IsBlind(Algorithm algorithm, const StudySpec& spec);

/// Returns the part of the view that `algorithm` needs: no trials if it is
/// blind, which costs nothing.
StudyView MakeStudyViewFor(Algorithm algorithm, const StudySnapshot& study,
                           const StudySnapshot* resumed);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_STUDY_VIEW_H_
