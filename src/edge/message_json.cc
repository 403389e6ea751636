#include "edge/message_json.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/json_bounds.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// The message repeats the wrong name, which may have megabytes.
constexpr std::size_t kMaxError = 300;

constexpr std::string_view kDigits = "0123456789";

// Returns the whole numbers in a text that no double can represent; also those
// within texts, because protobuf reads quoted numbers. Linear.
std::set<std::string_view> InexactWholes(std::string_view json) {
  // Numbers with fewer digits are within 2^53.
  constexpr std::size_t kFewest = 16;
  std::set<std::string_view> found;
  std::size_t begin = json.find_first_of(kDigits);
  while (begin != std::string_view::npos) {
    const std::size_t end =
        std::min(json.find_first_not_of(kDigits, begin), json.size());
    const std::string_view run = json.substr(begin, end - begin);
    // Digits behind a point are a fraction.
    const bool is_whole = begin == 0 || json[begin - 1] != '.';
    if (is_whole && run.size() >= kFewest) {
      const std::optional<double> number = NumberIn(run);
      if (number.has_value() && IsInexactWhole(run, *number)) {
        found.insert(run);
      }
    }
    begin = json.find_first_of(kDigits, end);
  }
  return found;
}

// Checks that such numbers were not changed: a field of 64 bits and a text
// print the number unchanged, a double does not.
absl::Status CheckWholesSurvived(const std::string& json,
                                 const google::protobuf::Message& message) {
  const std::set<std::string_view> given = InexactWholes(json);
  if (given.empty()) return absl::OkStatus();
  VERNIER_ASSIGN_OR_RETURN(const std::string printed, JsonOf(message));
  const std::set<std::string_view> kept = InexactWholes(printed);
  for (const std::string_view number : given) {
    if (kept.count(number) > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(ShowText(number),
                     " is a whole number that no double has, as it has all "
                     "within +-2^53; the "
                     "nearest is ",
                     NumberText(ParseNumber(number).value)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> JsonOf(const google::protobuf::Message& message) {
  std::string json;
  const auto status =
      google::protobuf::util::MessageToJsonString(message, &json);
  if (!status.ok()) {
    return absl::InternalError(absl::StrCat("cannot print the answer: ",
                                            std::string(status.message())));
  }
  return json;
}

absl::Status ReadJsonOf(const std::string& json, UnknownMembers unknown,
                        google::protobuf::Message* message) {
  VERNIER_RETURN_IF_ERROR(CheckJsonBounds(json, kMaxRequestValues));
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = unknown == UnknownMembers::kIgnore;
  const auto status =
      google::protobuf::util::JsonStringToMessage(json, message, options);
  if (status.ok()) return CheckWholesSurvived(json, *message);
  return absl::InvalidArgumentError(
      ShowText(std::string(status.message()), kMaxError));
}

}  // namespace vernier
