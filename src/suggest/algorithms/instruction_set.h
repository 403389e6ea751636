#ifndef VERNIER_SUGGEST_ALGORITHMS_INSTRUCTION_SET_H_
#define VERNIER_SUGGEST_ALGORITHMS_INSTRUCTION_SET_H_

#include <string_view>

namespace vernier {

/// Instruction sets that suggestion records name: the one of every processor
/// that this program runs on ("baseline" is that of 64-bit x86), and the x86
/// one with AVX2 and FMA. Each rounds in its own way.
#if defined(__aarch64__)
inline constexpr std::string_view kBaseline = "aarch64";
#else
inline constexpr std::string_view kBaseline = "baseline";
#endif
inline constexpr std::string_view kX8664V3 = "x86-64-v3";

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_INSTRUCTION_SET_H_
