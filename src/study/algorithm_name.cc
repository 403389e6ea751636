#include "study/algorithm_name.h"

namespace vernier {

const char* AlgorithmName(Algorithm algorithm) {
  for (const AlgorithmNames& names : kAlgorithmNames) {
    if (names.value == algorithm) return names.name;
  }
  return "";
}

std::optional<Algorithm> AlgorithmNamed(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const AlgorithmNames& names : kAlgorithmNames) {
    if (name == names.name || name == names.ai_platform_name) {
      return names.value;
    }
  }
  return std::nullopt;
}

}  // namespace vernier
