#include "base/json_bounds.h"

#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// An object that keeps the order of its members compares each new key with all
// earlier ones, so n members cost n^2 / 2 comparisons.
constexpr std::int64_t kMaxLookUps = 200'000'000;

/// Follows the brackets and commas of a text. It need not detect malformed
/// text: up to the first mistake it reads what any parser reads, and no parser
/// reads on after that.
class BoundsReader {
 public:
  explicit BoundsReader(std::int64_t max_values) : max_values_(max_values) {}

  absl::Status Add(char c) {
    switch (c) {
      case '{':
      case '[':
        return Open(c == '{');
      case '}':
      case ']':
        if (depth_ > 0) --depth_;
        return absl::OkStatus();
      case ',':
        return AddSibling();
      default:
        return absl::OkStatus();
    }
  }

 private:
  struct Level {
    bool is_object = false;
    std::int64_t members = 0;
  };

  absl::Status Open(bool is_object) {
    if (depth_ == kMaxJsonDepth) {
      return absl::InvalidArgumentError(
          absl::StrCat("JSON is nested too deeply: at most ", kMaxJsonDepth,
                       " levels are read"));
    }
    levels_[depth_++] = {is_object, 1};
    return CountValue();
  }

  absl::Status AddSibling() {
    if (depth_ > 0) {
      Level& level = levels_[depth_ - 1];
      if (level.is_object) look_ups_ += level.members;
      ++level.members;
    }
    if (look_ups_ > kMaxLookUps) {
      return absl::InvalidArgumentError(
          "JSON has objects with too many members: some 20,000 in one are "
          "read");
    }
    return CountValue();
  }

  absl::Status CountValue() {
    if (++values_ <= max_values_) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "JSON has too many values: at most ", max_values_, " are read"));
  }

  const std::int64_t max_values_;
  std::array<Level, kMaxJsonDepth> levels_;
  std::size_t depth_ = 0;
  std::int64_t values_ = 0;
  std::int64_t look_ups_ = 0;
};

}  // namespace

absl::Status CheckJsonBounds(std::string_view text, std::int64_t max_values) {
  BoundsReader reader(max_values);
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_string) {
      if (c == '\\') ++i;
      if (c == '"') is_in_string = false;
    } else if (c == '"') {
      is_in_string = true;
    } else {
      VERNIER_RETURN_IF_ERROR(reader.Add(c));
    }
  }
  return absl::OkStatus();
}

}  // namespace vernier
