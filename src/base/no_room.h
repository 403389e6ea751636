#ifndef VERNIER_BASE_NO_ROOM_H_
#define VERNIER_BASE_NO_ROOM_H_

#include <cerrno>

namespace vernier {

/// Whether a write failed since the disk, or the user's part of it, is full.
/// Both end when something is deleted, and so does the failure. Pure.
constexpr bool IsNoRoom(int error) {
  return error == ENOSPC || error == EDQUOT;
}

}  // namespace vernier

#endif  // VERNIER_BASE_NO_ROOM_H_
