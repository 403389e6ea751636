#ifndef VERNIER_EDGE_HTTP_INDENTED_JSON_H_
#define VERNIER_EDGE_HTTP_INDENTED_JSON_H_

#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Returns a JSON text with a line for each member, indented by two blanks a
/// level, and a final line end. Nullopt if it would be longer than 4 times the
/// text plus 64 KiB, because deep nesting would give far more blanks than text.
/// `json` must be valid. Linear; does not parse into a tree. Pure.
std::optional<std::string> IndentJson(std::string_view json);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_INDENTED_JSON_H_
