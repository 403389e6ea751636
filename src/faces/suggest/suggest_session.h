#ifndef VERNIER_FACES_SUGGEST_SUGGEST_SESSION_H_
#define VERNIER_FACES_SUGGEST_SUGGEST_SESSION_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "trials/ask_tell_study.h"

namespace vernier {

/// Implements the protocol of `vernier suggest` (docs/suggest.md): one JSON
/// object per line in, one out. An error changes nothing. Not thread-safe.
class SuggestSession {
 public:
  /// Reads `clock`, which must outlive the session, only if a study has leases.
  explicit SuggestSession(const Clock& clock) : clock_(clock) {}

  /// Returns the answer to one line, without a newline. The line may be any
  /// bytes.
  std::string Answer(std::string_view line);

  /// Computes ahead for the next answer, for as long as one point takes; call
  /// it while no line is waiting. Returns whether there is more to do. Changes
  /// no answer.
  bool Prepare();

 private:
  const Clock& clock_;
  std::optional<AskTellStudy> study_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_SUGGEST_SUGGEST_SESSION_H_
