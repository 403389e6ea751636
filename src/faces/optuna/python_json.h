#ifndef VERNIER_FACES_OPTUNA_PYTHON_JSON_H_
#define VERNIER_FACES_OPTUNA_PYTHON_JSON_H_

#include <string>
#include <string_view>

namespace vernier {

/// Begins a string that stands for a bare word; no sane text begins with it.
inline constexpr char kBareWordMark = '\x01';

/// Returns Python's JSON as JSON: Python writes numbers that are not finite as
/// bare words (NaN, Infinity, -Infinity), which JSON does not have. They become
/// strings of kBareWordMark and the word. Pure. Linear.
std::string WithoutBareWords(std::string_view json);

}  // namespace vernier

#endif  // VERNIER_FACES_OPTUNA_PYTHON_JSON_H_
