#ifndef VERNIER_EDGE_HTTP_PORT_H_
#define VERNIER_EDGE_HTTP_PORT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// How a service keeps the port of its dashboard over restarts, so that
/// bookmarks go on to work. The port is in a file of the data directory.

/// The ports to try, in order. `asked`: the one that the user named, 0 for any;
/// nullopt if none was named. `last`: the one that this service had last. A
/// port that was named is the only one. 0 lets the kernel choose. Pure.
std::vector<int> PortsToTry(std::optional<int> asked, std::optional<int> last);

/// What users are told of a service whose dashboard was at another port before;
/// empty if it was not. Pure.
std::string MovedNote(std::optional<int> last, int now);

/// The port in the text of such a file; nullopt if it is none.
std::optional<int> ParseHttpPort(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_PORT_H_
