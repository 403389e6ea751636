#ifndef VERNIER_BASE_PERCENT_TEXT_H_
#define VERNIER_BASE_PERCENT_TEXT_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"

namespace vernier {

/// Returns a share for people, such as "12 %" for 0.123: two significant
/// digits. `share` must be finite. Pure.
inline std::string PercentText(double share) {
  return absl::StrCat(ShortNumber(100 * share, 2), " %");
}

}  // namespace vernier

#endif  // VERNIER_BASE_PERCENT_TEXT_H_
