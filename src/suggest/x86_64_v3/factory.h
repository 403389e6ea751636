#ifndef VERNIER_SUGGEST_X86_64_V3_FACTORY_H_
#define VERNIER_SUGGEST_X86_64_V3_FACTORY_H_

#include <string_view>

#include "suggest/suggester.h"

namespace vernier {

/// Instruction sets that suggestion records name: every 64-bit x86 processor,
/// and those with AVX2 and FMA.
inline constexpr std::string_view kBaseline = "baseline";
inline constexpr std::string_view kX8664V3 = "x86-64-v3";

}  // namespace vernier

/// A GaussianProcessSuggester in the engine's second copy, which the caller
/// owns. Defined if VERNIER_HAS_X86_64_V3 (cmake/instruction_sets.cmake).
extern "C" vernier::Suggester* VernierMakeSuggesterX8664V3();

#endif  // VERNIER_SUGGEST_X86_64_V3_FACTORY_H_
