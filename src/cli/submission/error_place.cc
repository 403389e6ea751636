#include "cli/submission/error_place.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/submission/job_submission.h"
#include "study/config/config_reader.h"
#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

absl::Status WithPlace(const absl::Status& status, std::string_view text,
                       const std::string& file_name) {
  const std::string message(status.message());
  const std::size_t colon = message.find(": ");
  if (!absl::IsInvalidArgument(status) || colon == std::string::npos) {
    return status;
  }
  SpecDiagnostics diagnostics(file_name);
  ConfigTree tree;
  if (!ReadConfig(text, tree, diagnostics)) return status;
  const ConfigNode* node = tree.root;
  const std::vector<std::string> keys =
      absl::StrSplit(message.substr(0, colon), '.');
  for (const std::string& key : keys) {
    if (node == nullptr || node->kind != ConfigNode::Kind::kMap) return status;
    node = node->Find(key);
  }
  if (node == nullptr || node->scalar.empty() || node->position.line == 0 ||
      message.find(node->scalar, colon) == std::string::npos) {
    return status;
  }
  return absl::Status(status.code(),
                      absl::StrCat(file_name, ":", node->position.line, ":",
                                   node->position.column, ": ", message));
}

absl::Status WithPlaceInFile(const absl::Status& status,
                             const std::string& path) {
  if (!absl::IsInvalidArgument(status) || path.empty() ||
      path == kStandardInput) {
    return status;
  }
  const absl::StatusOr<std::string> text = ReadJobFile(path);
  return text.ok() ? WithPlace(status, *text, path) : status;
}

}  // namespace vernier
