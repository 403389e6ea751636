#include "faces/optuna/python_json.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr std::string_view kBareWords[] = {"NaN", "Infinity", "-Infinity"};

}  // namespace

std::string WithoutBareWords(std::string_view json) {
  std::string strict;
  bool is_in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (is_in_string && json[i] == '\\' && i + 1 < json.size()) {
      strict += json[i++];
    } else if (json[i] == '"') {
      is_in_string = !is_in_string;
    } else if (!is_in_string) {
      for (const std::string_view word : kBareWords) {
        if (json.substr(i, word.size()) != word) continue;
        absl::StrAppend(&strict, "\"\\u0001", std::string(word), "\"");
        i += word.size();
        break;
      }
      if (i >= json.size()) break;
    }
    strict += json[i];
  }
  return strict;
}

}  // namespace vernier
