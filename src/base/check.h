#ifndef VERNIER_BASE_CHECK_H_
#define VERNIER_BASE_CHECK_H_

#include <cstdio>
#include <cstdlib>

/// Ends the process on a programmer error. Never reachable from a request, a
/// file, a worker or a clock; those return a Status. Stays on in release.
#define VERNIER_CHECK(condition)                                            \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, \
                   #condition);                                             \
      std::abort();                                                         \
    }                                                                       \
  } while (false)

#endif  // VERNIER_BASE_CHECK_H_
