#ifndef VERNIER_BASE_CONTAINED_CALL_H_
#define VERNIER_BASE_CONTAINED_CALL_H_

#include <exception>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace vernier {

/// Runs `work` and returns its status. If it runs out of memory, the result is
/// UNAVAILABLE; if it throws anything else, INTERNAL. In both cases the process
/// continues, because it serves other callers, too.
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
