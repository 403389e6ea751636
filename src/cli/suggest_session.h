#ifndef VERNIER_CLI_SUGGEST_SESSION_H_
#define VERNIER_CLI_SUGGEST_SESSION_H_

#include <optional>
#include <string>
#include <string_view>

#include "suggest/ask_tell_study.h"

namespace vernier {

/// The protocol of `vernier suggest` (docs/engine.md): one JSON object a line
/// in, one out. An error changes nothing. Not thread-safe.
class SuggestSession {
 public:
  /// The answer to one line, without a newline. Any bytes will do.
  std::string Answer(std::string_view line);

 private:
  std::optional<AskTellStudy> study_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_SUGGEST_SESSION_H_
