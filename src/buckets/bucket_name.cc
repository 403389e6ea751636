#include "buckets/bucket_name.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/utf8.h"

namespace vernier {
namespace {

// Cloud Storage has the same limits.
constexpr std::size_t kMinBucketName = 3;
constexpr std::size_t kMaxBucketName = 63;
constexpr std::size_t kMaxObjectName = 1024;
constexpr std::size_t kMaxPart = 255;  // The limit of file systems.
constexpr std::string_view kScheme = "gs://";

bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

absl::Status BadObject(const std::string& rule, std::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("an object's name ", rule, ": ", std::string(name)));
}

absl::Status CheckPart(std::string_view part, std::string_view name) {
  if (part.empty()) {
    return BadObject("must not begin with '/' or hold '//'", name);
  }
  if (part == "." || part == "..") {
    return BadObject("must have no part that is '.' or '..'", name);
  }
  if (part.size() > kMaxPart) {
    return BadObject(
        absl::StrCat("must have at most ", kMaxPart, " bytes between two '/'"),
        name);
  }
  return absl::OkStatus();
}

absl::Status CheckCharacters(std::string_view name) {
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      return absl::InvalidArgumentError(
          "an object's name must hold no control character");
    }
  }
  if (FindInvalidUtf8(name) != std::string_view::npos) {
    return absl::InvalidArgumentError("an object's name must be UTF-8");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckBucketName(std::string_view name) {
  bool is_good = name.size() >= kMinBucketName &&
                 name.size() <= kMaxBucketName &&
                 IsLetterOrDigit(name.front()) && IsLetterOrDigit(name.back());
  for (const char c : name) {
    is_good &= IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
  }
  if (is_good && name.find("..") == std::string_view::npos) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a bucket's name must be 3 to 63 lower-case letters, digits, '-', '_' "
      "and '.', with a letter or digit at either end: ",
      std::string(name)));
}

absl::Status CheckObjectName(std::string_view name) {
  if (name.empty()) return BadObject("must not be empty", name);
  if (name.size() > kMaxObjectName) {
    return absl::InvalidArgumentError(
        absl::StrCat("an object's name must have at most ", kMaxObjectName,
                     " bytes: ", name.size()));
  }
  VERNIER_RETURN_IF_ERROR(CheckCharacters(name));
  std::string_view rest = name;
  if (rest.size() > 1 && rest.back() == '/') rest.remove_suffix(1);
  const std::string_view first = rest.substr(0, rest.find('/'));
  if (first == kReservedFolder) {
    return BadObject(
        absl::StrCat("must not begin with ", std::string(kReservedFolder)),
        name);
  }
  while (true) {
    const std::size_t slash = rest.find('/');
    VERNIER_RETURN_IF_ERROR(CheckPart(rest.substr(0, slash), name));
    if (slash == std::string_view::npos) return absl::OkStatus();
    rest.remove_prefix(slash + 1);
  }
}

bool IsBucketUri(std::string_view text) {
  return text.substr(0, kScheme.size()) == kScheme;
}

absl::StatusOr<ObjectUri> ParseObjectUri(std::string_view uri) {
  if (!IsBucketUri(uri)) {
    return absl::InvalidArgumentError(
        absl::StrCat("must be gs://BUCKET/NAME: ", std::string(uri)));
  }
  const std::string_view rest = uri.substr(kScheme.size());
  const std::size_t slash = rest.find('/');
  ObjectUri parsed;
  parsed.bucket = std::string(rest.substr(0, slash));
  if (slash != std::string_view::npos) {
    parsed.object = std::string(rest.substr(slash + 1));
  }
  VERNIER_RETURN_IF_ERROR(CheckBucketName(parsed.bucket));
  if (!parsed.object.empty()) {
    VERNIER_RETURN_IF_ERROR(CheckObjectName(parsed.object));
  }
  return parsed;
}

}  // namespace vernier
