#ifndef VERNIER_BASE_PROCESS_NO_ROOM_H_
#define VERNIER_BASE_PROCESS_NO_ROOM_H_

#include <cerrno>

namespace vernier {

/// Returns whether a write failed because the disk, or the user's part of it,
/// is full. The write may succeed once something has been deleted. Pure.
constexpr bool IsNoRoom(int error) {
  return error == ENOSPC || error == EDQUOT;
}

}  // namespace vernier

#endif  // VERNIER_BASE_PROCESS_NO_ROOM_H_
