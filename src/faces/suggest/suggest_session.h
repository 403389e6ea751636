#ifndef VERNIER_FACES_SUGGEST_SUGGEST_SESSION_H_
#define VERNIER_FACES_SUGGEST_SUGGEST_SESSION_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "trials/ask_tell_study.h"

namespace vernier {

/// The protocol of `vernier suggest` (docs/suggest.md): one JSON object a line
/// in, one out. An error changes nothing. Not thread-safe.
class SuggestSession {
 public:
  /// Reads `clock`, which must outlive it, only if a study has leases.
  explicit SuggestSession(const Clock& clock) : clock_(clock) {}

  /// The answer to one line, without a newline. The line may be any bytes.
  std::string Answer(std::string_view line);

  /// Call it while no line is waiting: it computes ahead for the next answer,
  /// for as long as one point takes. Returns whether there is more to do.
  /// Changes no answer.
  bool Prepare();

 private:
  const Clock& clock_;
  std::optional<AskTellStudy> study_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_SUGGEST_SUGGEST_SESSION_H_
