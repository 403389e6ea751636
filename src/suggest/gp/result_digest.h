#ifndef VERNIER_SUGGEST_GP_RESULT_DIGEST_H_
#define VERNIER_SUGGEST_GP_RESULT_DIGEST_H_

#include <cstdint>
#include <span>
#include <vector>

#include "suggest/space/study_view.h"

namespace vernier {

/// Identifies the data that a model was made from: entry n is a digest of the
/// first n completed observations of `view` and of everything else that a model
/// depends on. The space enters only by names, bounds and numbers of values, so
/// compare digests of one study only. O(n).
std::vector<std::uint64_t> DigestResults(const StudyView& view);

/// Identifies the space of `view` and merits of its first observations. O(n),
/// but some hundred times faster than DigestResults.
std::uint64_t DigestMerits(const StudyView& view,
                           std::span<const double> merits);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_RESULT_DIGEST_H_
