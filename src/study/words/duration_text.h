#ifndef VERNIER_STUDY_WORDS_DURATION_TEXT_H_
#define VERNIER_STUDY_WORDS_DURATION_TEXT_H_

#include <chrono>
#include <string>

namespace vernier {

/// Returns a duration for people in its two largest units, such as "0.4 s", "12
/// s", "2 min 5 s", "3 h" or "3 d 4 h". A negative one is 0. The dashboard has
/// the same function (web/src/format.ts). Pure.
std::string DurationText(std::chrono::microseconds duration);

}  // namespace vernier

#endif  // VERNIER_STUDY_WORDS_DURATION_TEXT_H_
