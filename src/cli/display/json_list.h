#ifndef VERNIER_CLI_DISPLAY_JSON_LIST_H_
#define VERNIER_CLI_DISPLAY_JSON_LIST_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Builds the text of a JSON list whose items come one after the other. The
/// text has the same bytes as Render of the whole list, which need not be in
/// memory.
class JsonList {
 public:
  /// Returns the text that the next item adds. INVALID_ARGUMENT if it is not
  /// JSON.
  absl::StatusOr<std::string> Add(std::string_view item);

  /// Returns the text that ends the list.
  std::string End() const;

 private:
  bool is_empty_ = true;
};

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_JSON_LIST_H_
