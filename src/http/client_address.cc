#include "http/client_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdint>
#include <cstring>

namespace vernier {
namespace {

std::string TextOfV4(const in_addr& address) {
  if (ntohl(address.s_addr) >> 24 == 127) return "loopback";
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &address, text, sizeof(text));
  return text;
}

std::string TextOfV6(in6_addr address) {
  if (IN6_IS_ADDR_LOOPBACK(&address)) return "loopback";
  // ::ffff:A.B.C.D has the IPv4 address in its last four bytes.
  constexpr std::size_t kV4Offset = 12;
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    in_addr v4{};
    std::memcpy(&v4, address.s6_addr + kV4Offset, sizeof(v4));
    return TextOfV4(v4);
  }
  // The first 64 bits are the network; one machine may use all addresses in it.
  constexpr std::size_t kNetworkBytes = 8;
  std::memset(address.s6_addr + kNetworkBytes, 0, kNetworkBytes);
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(AF_INET6, &address, text, sizeof(text));
  return std::string(text) + "/64";
}

}  // namespace

std::string ClientAddress(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    return TextOfV4(reinterpret_cast<const sockaddr_in&>(address).sin_addr);
  }
  if (address.sa_family == AF_INET6) {
    return TextOfV6(reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
  }
  return "";
}

}  // namespace vernier
