#ifndef VERNIER_CLUSTER_PRIVATE_FOLDER_H_
#define VERNIER_CLUSTER_PRIVATE_FOLDER_H_

#include <string>
#include <vector>

namespace vernier {

/// Returns candidates for a private folder of this user on this machine, the
/// best first: in /tmp, in /run/user, in /var/tmp, in the home folder. All of
/// the user's processes get the same list.
std::vector<std::string> PrivateFolders();

/// Returns the first of `candidates` that is, or can be made, a folder that
/// only this user can read or write (mode 0700). A folder that belongs to
/// another user, is a link, or is open to others is skipped, so that no other
/// user can block or forge it. If none qualifies, returns the last one: using
/// it then gives an error with the reason.
std::string FindPrivateFolder(const std::vector<std::string>& candidates);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PRIVATE_FOLDER_H_
