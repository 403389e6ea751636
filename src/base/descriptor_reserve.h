#ifndef VERNIER_BASE_DESCRIPTOR_RESERVE_H_
#define VERNIER_BASE_DESCRIPTOR_RESERVE_H_

namespace vernier {

/// Every listener leaves the last descriptors of the process to the rest of it:
/// the database, the trials, the files of buckets. The kernel gives out the
/// lowest number that is free, so that a high one says that few are left.

/// Whether a new descriptor is among the last quarter, at most 256, of what the
/// process may have: no connection by TCP may keep it. Any thread.
bool IsInReserve(int fd);

/// Whether it is among the last half of those: nobody's connection may keep it.
/// What comes by the unix socket is the owner's, and gets some that strangers
/// do not get. Any thread.
bool IsInLastReserve(int fd);

}  // namespace vernier

#endif  // VERNIER_BASE_DESCRIPTOR_RESERVE_H_
