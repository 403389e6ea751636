#include "client/client_credentials.h"

#include <cstdlib>

namespace vernier {

ClientCredentials CredentialsOfEnvironment() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  return {variable("VERNIER_TOKEN"), variable("VERNIER_TLS_CA"),
          variable("VERNIER_TLS_CERT"), variable("VERNIER_TLS_KEY"),
          variable("VERNIER_PROJECT")};
}

}  // namespace vernier
