#include "buckets/http_status_payload.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/whole_number.h"

namespace vernier {
namespace {

constexpr char kPayload[] = "vernier/http-status";

}  // namespace

absl::Status WithHttpStatus(absl::Status error, int http_status) {
  error.SetPayload(kPayload, absl::Cord(absl::StrCat(http_status)));
  return error;
}

std::optional<int> GivenHttpStatus(const absl::Status& error) {
  const auto payload = error.GetPayload(kPayload);
  if (!payload.has_value()) return std::nullopt;
  const auto number = ParseWholeNumber(std::string(*payload));
  if (!number.has_value()) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace vernier
