#include "study/job_file/job_text_cost.h"

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

bool IsPlace(char c) {
  switch (c) {
    case ',':
    case ':':
    case '[':
    case '{':
    case '-':
    case '?':
    case '\n':
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::Status CheckJobText(std::string_view text) {
  if (text.size() > kMaxJobTextBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the text of the job is too long: at most ",
                     kMaxJobTextBytes, " bytes are read: ", text.size()));
  }
  std::int64_t places = 0;
  for (const char c : text) places += IsPlace(c) ? 1 : 0;
  if (places <= kMaxPlacesOfJobText) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the text of the job has too many values: at most ", kMaxPlacesOfJobText,
      " commas, colons, brackets, dashes and line ends are read: ", places));
}

}  // namespace vernier
