#ifndef VERNIER_CLUSTER_PRIVATE_FOLDER_H_
#define VERNIER_CLUSTER_PRIVATE_FOLDER_H_

#include <string>
#include <vector>

namespace vernier {

/// Where a folder of this user's on this machine may be, the best first, each
/// the same for all of the user's processes: in /tmp, in /run/user, in
/// /var/tmp, in the home folder.
std::vector<std::string> PrivateFolders();

/// The first of `candidates` that is, or can be made, a folder that only this
/// user can read or write (mode 0700). One that belongs to another user, is a
/// link, or is open to others is passed over, so that nobody can put something
/// in the way. The last one if there is none: using it then says why.
std::string FindPrivateFolder(const std::vector<std::string>& candidates);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PRIVATE_FOLDER_H_
