#include "edge/http/safety_headers.h"

#include <string>

namespace vernier {
void AddSafetyHeaders(HttpResponse* response) {
  for (const auto& [name, value] : kSafetyHeaders) {
    if (HasHeader(*response, name)) continue;
    response->headers.emplace_back(std::string(name), std::string(value));
  }
}

}  // namespace vernier
