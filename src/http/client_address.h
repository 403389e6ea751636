#ifndef VERNIER_HTTP_CLIENT_ADDRESS_H_
#define VERNIER_HTTP_CLIENT_ADDRESS_H_

#include <sys/socket.h>

#include <string>

namespace vernier {

/// Whom a connection is counted for: an IPv4 address, or an IPv6 network of 64
/// bits, since one machine has all of its addresses. Loopback's addresses are
/// one machine's, too. Empty for what is neither. Pure.
std::string ClientAddress(const sockaddr& address);

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_ADDRESS_H_
