#ifndef VERNIER_BASE_STATUS_MACROS_H_
#define VERNIER_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

/// The only two macros with control flow in this code base.
#define VERNIER_RETURN_IF_ERROR(expression)            \
  do {                                                 \
    absl::Status vernier_status_ = (expression);       \
    if (!vernier_status_.ok()) return vernier_status_; \
  } while (false)

#define VERNIER_CONCAT_INNER_(a, b) a##b
#define VERNIER_CONCAT_(a, b) VERNIER_CONCAT_INNER_(a, b)

/// `VERNIER_ASSIGN_OR_RETURN(auto x, F());` assigns F()'s value or returns its
/// error.
#define VERNIER_ASSIGN_OR_RETURN(target, expression)                     \
  VERNIER_ASSIGN_OR_RETURN_IMPL_(VERNIER_CONCAT_(vernier_or_, __LINE__), \
                                 target, expression)
#define VERNIER_ASSIGN_OR_RETURN_IMPL_(temporary, target, expression) \
  auto temporary = (expression);                                      \
  if (!temporary.ok()) return temporary.status();                     \
  target = std::move(temporary).value()

#endif  // VERNIER_BASE_STATUS_MACROS_H_
