#ifndef VERNIER_EDGE_HTTP_PORT_H_
#define VERNIER_EDGE_HTTP_PORT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// A service keeps the port of its dashboard over restarts, so that bookmarks
/// continue to work. The port is in a file of the data directory.

/// Returns the ports to try, in order. `asked` is the port that the user named
/// (0 for any; nullopt if none was named), `last` the one that this service had
/// last. A port that was named is the only one. 0 lets the kernel choose. Pure.
std::vector<int> PortsToTry(std::optional<int> asked, std::optional<int> last);

/// Returns a note for users of a service whose dashboard was at another port
/// before; empty if it was not. Pure.
std::string MovedNote(std::optional<int> last, int now);

/// Returns the port in the text of such a file; nullopt if it is not a port.
std::optional<int> ParseHttpPort(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_PORT_H_
