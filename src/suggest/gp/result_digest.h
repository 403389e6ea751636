#ifndef VERNIER_SUGGEST_GP_RESULT_DIGEST_H_
#define VERNIER_SUGGEST_GP_RESULT_DIGEST_H_

#include <cstdint>
#include <vector>

#include "suggest/space/study_view.h"

namespace vernier {

/// Identifies the data that a model was made from: entry n is a digest of the
/// first n completed observations of `view` and of everything else that a model
/// depends on. The space enters only by names, bounds and numbers of values, so
/// compare digests of one study only. O(n).
std::vector<std::uint64_t> DigestResults(const StudyView& view);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_RESULT_DIGEST_H_
