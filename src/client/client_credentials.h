#ifndef VERNIER_CLIENT_CLIENT_CREDENTIALS_H_
#define VERNIER_CLIENT_CLIENT_CREDENTIALS_H_

#include <string>

namespace vernier {

/// The credentials of a client, and those it expects of the service. Only
/// `project` has an effect on a unix socket. Files are PEM.
struct ClientCredentials {
  std::string token;
  std::string ca_file;    ///< Of the service's certificate: then TLS is used.
  std::string cert_file;  ///< Of the caller, with its key: for mutual TLS.
  std::string key_file;
  /// The project of jobs and studies with plain names, and the only one whose
  /// jobs are listed; if empty, the one that the service assigns to the caller.
  std::string project = "";
};

/// Returns $VERNIER_TOKEN, $VERNIER_TLS_CA, $VERNIER_TLS_CERT, $VERNIER_TLS_KEY
/// and $VERNIER_PROJECT.
ClientCredentials CredentialsOfEnvironment();

}  // namespace vernier

#endif  // VERNIER_CLIENT_CLIENT_CREDENTIALS_H_
