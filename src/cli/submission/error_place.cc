#include "cli/submission/error_place.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/submission/job_submission.h"

namespace vernier {

absl::Status WithPlaceInFile(const absl::Status& status,
                             const JobDocument& document) {
  const std::string& file = document.file_name();
  const std::string message(status.message());
  const std::size_t colon = message.find(": ");
  if (!absl::IsInvalidArgument(status) || colon == std::string::npos ||
      file == JobFileName(kStandardInput)) {
    return status;
  }
  const ConfigNode* node =
      document.FindInText(absl::StrSplit(message.substr(0, colon), '.'));
  if (node == nullptr || node->scalar.empty() || node->position.line == 0 ||
      message.find(node->scalar, colon) == std::string::npos) {
    return status;
  }
  return absl::Status(status.code(),
                      absl::StrCat(file, ":", node->position.line, ":",
                                   node->position.column, ": ", message));
}

}  // namespace vernier
