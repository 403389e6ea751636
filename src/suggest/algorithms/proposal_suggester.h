#ifndef VERNIER_SUGGEST_ALGORITHMS_PROPOSAL_SUGGESTER_H_
#define VERNIER_SUGGEST_ALGORITHMS_PROPOSAL_SUGGESTER_H_

#include <memory>
#include <vector>

#include "suggest/algorithms/wrapping_suggester.h"

namespace vernier {

/// Of one source, no more than so many proposals are looked at: its newest.
inline constexpr int kMostProposalsConsidered = 16;

/// Wraps a suggester for studies in which people, agents or other tools propose
/// points.
///
/// A proposal is tried if its source has earned it: it must be trusted more
/// than the search, by what the points of both came to (source_trust.h). The
/// search has four results of its own before. The model may object, unless most
/// points of the source have won: a point is left out if it would have to be
/// better than predicted by more than one standard deviation to be the best. Of
/// several sources the most trusted one comes first, and of its points the one
/// that could be best. Proposals that are not tried wait, and are looked at
/// again after each result.
///
/// The search goes on beside them as it would without, with points of its own
/// first ones. Without proposals, suggestions are those of the wrapped
/// suggester, bit for bit. Thread-safe.
class ProposalSuggester final : public WrappingSuggester {
 public:
  explicit ProposalSuggester(std::unique_ptr<Suggester> inner);

 private:
  bool Concerns(const StudyView& view) const override;
  absl::StatusOr<std::vector<Suggestion>> FirstPoints(const StudyView& view,
                                                      int count) const override;
  StudyView After(const StudyView& view,
                  const std::vector<Suggestion>& first) const override;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_PROPOSAL_SUGGESTER_H_
