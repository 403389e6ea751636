#ifndef VERNIER_SUGGEST_ALGORITHMS_INSTRUCTION_SET_H_
#define VERNIER_SUGGEST_ALGORITHMS_INSTRUCTION_SET_H_

#include <string_view>

namespace vernier {

/// Instruction sets that suggestion records name: the one of every 64-bit x86
/// processor, and the one with AVX2 and FMA.
inline constexpr std::string_view kBaseline = "baseline";
inline constexpr std::string_view kX8664V3 = "x86-64-v3";

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_INSTRUCTION_SET_H_
