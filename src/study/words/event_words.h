#ifndef VERNIER_STUDY_WORDS_EVENT_WORDS_H_
#define VERNIER_STUDY_WORDS_EVENT_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace vernier {

/// The subject of an event and what happened, for people. Together they form a
/// sentence: "Trial 3, attempt 2" "ended" "user error, exit code 1".
struct EventWords {
  std::string subject;  ///< Empty if `what` has its own: "A point was queued".
  std::string what;
  std::string more;     ///< Particulars, in one or more lines; may be empty.
  bool is_bad = false;  ///< Something failed.
};

/// Returns the words for an event of this kind and payload (docs/store.md).
/// `trial` and `attempt` are 0 if it is about none. An unknown kind is shown by
/// its name. Pure.
EventWords WordsOfEvent(std::string_view kind, std::int64_t trial, int attempt,
                        const Json& payload);

/// Returns the same as one sentence; details may continue below it.
std::string SentenceOf(const EventWords& words);

}  // namespace vernier

#endif  // VERNIER_STUDY_WORDS_EVENT_WORDS_H_
