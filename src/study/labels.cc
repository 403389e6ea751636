#include "study/labels.h"

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/utf8.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxLabelLength = 64;

absl::Status WrongLabel(std::string_view what, const std::string& text) {
  return absl::InvalidArgumentError(
      absl::StrCat("the ", std::string(what), " of a label ",
                   std::string(kLabelRule), ": \"", ShowText(text), "\""));
}

}  // namespace

bool IsLabelText(std::string_view text) {
  if (FindInvalidUtf8(text) != std::string_view::npos) return false;
  std::size_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) ++length;
    const bool is_allowed = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                            c == '_' || c == '-' || byte >= 0x80;
    if (!is_allowed) return false;
  }
  return length <= kMaxLabelLength;
}

absl::Status CheckLabels(const std::map<std::string, std::string>& labels) {
  if (labels.size() > kMaxLabels) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a job has at most ", kMaxLabels, " labels: ", labels.size()));
  }
  for (const auto& [key, value] : labels) {
    if (key.empty() || !IsLabelText(key)) return WrongLabel("name", key);
    if (!IsLabelText(value)) return WrongLabel("value", value);
  }
  return absl::OkStatus();
}

}  // namespace vernier
