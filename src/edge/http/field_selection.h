#ifndef VERNIER_EDGE_HTTP_FIELD_SELECTION_H_
#define VERNIER_EDGE_HTTP_FIELD_SELECTION_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Selects the parts of an answer that a caller wants by the `fields` parameter
/// of Google's APIs, "jobs(jobId,trainingOutput/trials/trialId),nextPageToken".
/// A comma separates fields, a slash or a dot leads to a subfield, parentheses
/// group, and * is every field; lists are transparent. Immutable;
/// thread-compatible.
class FieldSelection {
 public:
  /// Returns INVALID_ARGUMENT with the position of a mistake. At most 64
  /// levels.
  static absl::StatusOr<FieldSelection> Parse(std::string_view text);

  /// Returns `json` with the selected parts only. INTERNAL if it is not JSON.
  absl::StatusOr<std::string> Apply(std::string_view json) const;

  /// One level; without children, everything below is selected.
  struct Node {
    std::map<std::string, Node> children;
  };

 private:
  Node root_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_FIELD_SELECTION_H_
