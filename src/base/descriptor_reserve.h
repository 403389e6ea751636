#ifndef VERNIER_BASE_DESCRIPTOR_RESERVE_H_
#define VERNIER_BASE_DESCRIPTOR_RESERVE_H_

namespace vernier {

/// Every listener leaves the last descriptors of the process to its other
/// parts: the database, the trials and the files of buckets. The kernel assigns
/// the lowest free number, so a high number means that few are left.

/// Returns whether a new descriptor is among the last quarter, at most 256, of
/// those that the process may have. No TCP connection may keep such a
/// descriptor. Any thread.
bool IsInReserve(int fd);

/// Returns whether it is among the last half of those. No connection at all may
/// keep such a descriptor. Connections by the unix socket are the owner's, so
/// they may use the first half of the reserve, which TCP connections may not.
/// Any thread.
bool IsInLastReserve(int fd);

}  // namespace vernier

#endif  // VERNIER_BASE_DESCRIPTOR_RESERVE_H_
