#include "cluster/slurm/node/node_address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "absl/status/status.h"

namespace vernier {
namespace {

std::string TextOf(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    ::inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text));
    return text;
  }
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
  // A link-local address is useless on other machines.
  if (IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr)) return "";
  ::inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text));
  return "[" + std::string(text) + "]";
}

}  // namespace

std::string ScontrolValue(std::string_view line, std::string_view name) {
  std::size_t at = 0;
  while ((at = line.find(name, at)) != std::string_view::npos) {
    const bool is_word = at == 0 || line[at - 1] == ' ';
    at += name.size();
    if (!is_word || at >= line.size() || line[at] != '=') continue;
    const std::string_view value = line.substr(at + 1);
    return std::string(value.substr(0, value.find(' ')));
  }
  return "";
}

std::map<std::string, std::string> ParseNodeAddresses(std::string_view text) {
  std::map<std::string, std::string> addresses;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string name = ScontrolValue(line, "NodeName");
    const std::string address = ScontrolValue(line, "NodeAddr");
    // These characters separate the entries of the list.
    const bool is_odd = (name + address).find_first_of(",=") != name.npos;
    if (name.empty() || address.empty() || is_odd) continue;
    addresses[name] = address;
  }
  return addresses;
}

absl::StatusOr<std::string> InterfaceAddress(const std::string& interface) {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) {
    return absl::ErrnoToStatus(errno, "getifaddrs");
  }
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(
      list, &::freeifaddrs);
  std::string found;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || interface != each->ifa_name) continue;
    const int family = each->ifa_addr->sa_family;
    if (family == AF_INET) return TextOf(each->ifa_addr);
    if (family == AF_INET6 && found.empty()) found = TextOf(each->ifa_addr);
  }
  if (found.empty()) {
    return absl::NotFoundError("this node has no address at the interface " +
                               interface);
  }
  return found;
}

}  // namespace vernier
