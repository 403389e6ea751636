#ifndef VERNIER_HTTP_PEER_SUBJECT_H_
#define VERNIER_HTTP_PEER_SUBJECT_H_

#include <string>

// OpenSSL's type, declared here to keep its headers in .cc files.
struct ssl_st;

namespace vernier {

/// Returns the subject of the client's verified certificate ("CN=...,O=...");
/// empty if it showed none.
std::string SubjectOfPeer(ssl_st* tls);

}  // namespace vernier

#endif  // VERNIER_HTTP_PEER_SUBJECT_H_
