#ifndef VERNIER_BASE_CONTAINED_CALL_H_
#define VERNIER_BASE_CONTAINED_CALL_H_

#include <exception>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace vernier {

/// What `work` returns: a status. A call that runs out of memory gets
/// UNAVAILABLE, and one that throws what nobody foresaw INTERNAL; neither ends
/// the process, in which others' work is.
template <typename Work>
absl::Status RunContained(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return absl::UnavailableError("out of memory; try again");
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("it threw: ", error.what()));
  }
}

}  // namespace vernier

#endif  // VERNIER_BASE_CONTAINED_CALL_H_
