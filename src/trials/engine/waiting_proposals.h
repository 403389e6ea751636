#ifndef VERNIER_TRIALS_ENGINE_WAITING_PROPOSALS_H_
#define VERNIER_TRIALS_ENGINE_WAITING_PROPOSALS_H_

#include <vector>

#include "absl/status/status.h"
#include "store/store.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// INVALID_ARGUMENT if the algorithm looks at no proposals.
absl::Status CheckTakesProposals(Algorithm algorithm);

/// Returns the proposed points that may still become trials, in the order in
/// which they came: those that lie in the present search space, meet its
/// constraints, and are no trial's; of each source its newest ones,
/// kMostProposalsConsidered at most. Pure. O(trials) where there are any
/// proposals.
std::vector<Proposal> WaitingProposals(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_WAITING_PROPOSALS_H_
