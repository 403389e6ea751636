#include "edge/http_port.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr int kDefaultPort = 8477;
// The services of one machine get neighbouring ports. The kernel's own choice
// comes last, because it gives such ports to other programs' connections, too.
constexpr int kNeighbours = 10;
constexpr int kAnyPort = 0;
constexpr int kHighestPort = 65535;

void AddNew(int port, std::vector<int>* ports) {
  if (std::find(ports->begin(), ports->end(), port) == ports->end()) {
    ports->push_back(port);
  }
}

}  // namespace

std::vector<int> PortsToTry(std::optional<int> asked, std::optional<int> last) {
  if (asked.has_value() && *asked != kAnyPort) return {*asked};
  std::vector<int> ports;
  if (last.has_value()) AddNew(*last, &ports);
  if (!asked.has_value()) {
    for (int i = 0; i < kNeighbours; ++i) AddNew(kDefaultPort + i, &ports);
  }
  AddNew(kAnyPort, &ports);
  return ports;
}

std::string MovedNote(std::optional<int> last, int now) {
  if (!last.has_value() || *last == now) return "";
  return absl::StrCat("port ", *last,
                      ", which the dashboard had before, was taken by another "
                      "program: the dashboard is now at port ",
                      now, ", and bookmarks of the old address do not work");
}

std::optional<int> ParseHttpPort(std::string_view text) {
  int port = 0;
  if (!absl::SimpleAtoi(std::string(text), &port) || port <= 0 ||
      port > kHighestPort) {
    return std::nullopt;
  }
  return port;
}

}  // namespace vernier
