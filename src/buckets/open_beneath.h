#ifndef VERNIER_BUCKETS_OPEN_BENEATH_H_
#define VERNIER_BUCKETS_OPEN_BENEATH_H_

#include <sys/types.h>

#include <string>

namespace vernier {

/// Says whether links in a name, and at its end, are followed.
enum class Links { kFollow, kRefuse };

/// Opens `name` below an open folder, as openat(2) with O_CLOEXEC added, and
/// never anything outside of it: no "..", absolute name or link leads out. ""
/// is the folder itself. -1 with errno: EXDEV if the name leads out, ELOOP if
/// it has a link that is refused, or too many; otherwise openat's.
///
/// The kernel does this (openat2 of Linux 5.6 with RESOLVE_BENEATH), or
/// OpenBeneathByHand where the kernel has no such call.
int OpenBeneath(int folder, const std::string& name, int flags, mode_t mode,
                Links links);

/// Does the same by openat(2), one part of the name after the other, each
/// without following links. The folders on the way stay open, so that ".."
/// returns to where the walk came from, whoever moves folders meanwhile.
int OpenBeneathByHand(int folder, const std::string& name, int flags,
                      mode_t mode, Links links);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_OPEN_BENEATH_H_
