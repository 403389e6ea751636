#include "study/json_depth.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace vernier {

// Up to its first mistake a text is read here as any parser reads it, and none
// goes on behind that.
absl::Status CheckJsonDepth(std::string_view text) {
  int depth = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_string) {
      if (c == '\\') ++i;
      if (c == '"') is_in_string = false;
    } else if (c == '"') {
      is_in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxJsonDepth) {
        return absl::InvalidArgumentError(
            absl::StrCat("JSON is nested too deeply: at most ", kMaxJsonDepth,
                         " levels are read"));
      }
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return absl::OkStatus();
}

}  // namespace vernier
