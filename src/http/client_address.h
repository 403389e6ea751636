#ifndef VERNIER_HTTP_CLIENT_ADDRESS_H_
#define VERNIER_HTTP_CLIENT_ADDRESS_H_

#include <sys/socket.h>

#include <string>

namespace vernier {

/// The unit for which connections are counted: an IPv4 address, or an IPv6
/// network of 64 bits, since one machine usually has all of its addresses. All
/// loopback addresses count as one. Empty for another family. Pure.
std::string ClientAddress(const sockaddr& address);

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_ADDRESS_H_
