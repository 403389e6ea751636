#ifndef VERNIER_SUGGEST_SUGGESTER_FACTORY_H_
#define VERNIER_SUGGEST_SUGGESTER_FACTORY_H_

#include <memory>
#include <string_view>

#include "study/job_spec.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// Returns the suggester for `algorithm`, with arithmetic for this machine's
/// processor. Never null.
std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm);

/// As above, with the arithmetic of SuggestionRecord::instruction_set, so that
/// a choice can be repeated on another machine. Returns null if this build or
/// this processor lacks it.
std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm,
                                         std::string_view instruction_set);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SUGGESTER_FACTORY_H_
