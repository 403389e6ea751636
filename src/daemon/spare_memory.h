#ifndef VERNIER_DAEMON_SPARE_MEMORY_H_
#define VERNIER_DAEMON_SPARE_MEMORY_H_

#include <malloc.h>

namespace vernier {

/// Returns unused memory to the system. The allocator keeps freed memory in the
/// arena of the thread that had it, and would keep a peak of load forever.
/// Takes milliseconds.
inline void ReturnSpareMemory() { malloc_trim(0); }

}  // namespace vernier

#endif  // VERNIER_DAEMON_SPARE_MEMORY_H_
