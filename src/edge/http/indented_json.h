#ifndef VERNIER_EDGE_HTTP_INDENTED_JSON_H_
#define VERNIER_EDGE_HTTP_INDENTED_JSON_H_

#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// A JSON text with a line for each member, indented by two blanks a level, and
/// a line end. Nullopt if it would have more than 4 times the text's bytes, and
/// 64 KiB besides: what is nested deeply, line by line, has far more blanks
/// than anything else. `json` is valid. Linear; reads the text alone. Pure.
std::optional<std::string> IndentJson(std::string_view json);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_INDENTED_JSON_H_
