#ifndef VERNIER_STUDY_LABELS_H_
#define VERNIER_STUDY_LABELS_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// AI Platform's rule for the labels of a job.
inline constexpr std::size_t kMaxLabels = 64;
inline constexpr std::string_view kLabelRule =
    "must have at most 64 lower-case letters, digits, '_' and '-'";

/// True if a text can be a label's name or value; a name must not be empty.
/// Letters of scripts without case count as lower-case.
bool IsLabelText(std::string_view text);

/// INVALID_ARGUMENT names the first label that breaks the rule.
absl::Status CheckLabels(const std::map<std::string, std::string>& labels);

}  // namespace vernier

#endif  // VERNIER_STUDY_LABELS_H_
