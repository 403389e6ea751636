#include "cli/display/json_list.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {

absl::StatusOr<std::string> JsonList::Add(std::string_view item) {
  VERNIER_ASSIGN_OR_RETURN(const Json parsed, ParseJson(item));
  const std::string text =
      parsed.dump(2, ' ', false, Json::error_handler_t::replace);
  const char* const before = is_empty_ ? "[\n  " : ",\n  ";
  is_empty_ = false;
  // A line break inside a JSON string is escaped, so these are all between
  // lines.
  return absl::StrCat(before, absl::StrReplaceAll(text, {{"\n", "\n  "}}));
}

std::string JsonList::End() const { return is_empty_ ? "[]\n" : "\n]\n"; }

}  // namespace vernier
