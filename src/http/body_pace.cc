#include "http/body_pace.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace vernier {

absl::Status BodyPace::Add(std::chrono::microseconds waited,
                           std::size_t bytes) {
  using std::chrono::microseconds;
  waited_ += waited;
  if (limits_.longest.has_value() && waited_ > *limits_.longest) {
    return absl::DeadlineExceededError(
        absl::StrCat("the body of the request took longer than ",
                     limits_.longest->count() / 1000, " s"));
  }
  left_ -= waited;
  if (left_ < microseconds(0)) {
    return absl::DeadlineExceededError(
        absl::StrCat("the body of the request comes too slowly: send at least ",
                     limits_.least_bytes_per_second, " bytes a second"));
  }
  // The time left never exceeds the grace. Otherwise a fast beginning would
  // allow hours of slow bytes.
  const std::chrono::duration<double> earned(
      static_cast<double>(bytes) /
      static_cast<double>(limits_.least_bytes_per_second));
  if (earned >= limits_.grace) {
    left_ = limits_.grace;
  } else {
    left_ = std::min<microseconds>(
        left_ + std::chrono::duration_cast<microseconds>(earned),
        limits_.grace);
  }
  return absl::OkStatus();
}

}  // namespace vernier
