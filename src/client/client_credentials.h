#ifndef VERNIER_CLIENT_CLIENT_CREDENTIALS_H_
#define VERNIER_CLIENT_CLIENT_CREDENTIALS_H_

#include <string>

namespace vernier {

/// What a caller shows, and what it asks to see; for TCP only, but for the
/// project. Files are PEM.
struct ClientCredentials {
  std::string token;
  std::string ca_file;    ///< Of the service's certificate: then TLS is used.
  std::string cert_file;  ///< Of the caller, with its key: for mutual TLS.
  std::string key_file;
  /// Whose the jobs and studies with plain names are, and the only ones that
  /// are listed; empty: those that the service thinks are the caller's.
  std::string project = "";
};

/// $VERNIER_TOKEN, $VERNIER_TLS_CA, $VERNIER_TLS_CERT, $VERNIER_TLS_KEY and
/// $VERNIER_PROJECT.
ClientCredentials CredentialsOfEnvironment();

}  // namespace vernier

#endif  // VERNIER_CLIENT_CLIENT_CREDENTIALS_H_
