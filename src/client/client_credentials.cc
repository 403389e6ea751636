#include "client/client_credentials.h"

#include "base/process_environment.h"

namespace vernier {

ClientCredentials CredentialsOfEnvironment() {
  return {EnvironmentVariable("VERNIER_TOKEN"),
          EnvironmentVariable("VERNIER_TLS_CA"),
          EnvironmentVariable("VERNIER_TLS_CERT"),
          EnvironmentVariable("VERNIER_TLS_KEY"),
          EnvironmentVariable("VERNIER_PROJECT")};
}

}  // namespace vernier
