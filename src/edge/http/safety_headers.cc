#include "edge/http/safety_headers.h"

#include <string>

namespace vernier {
namespace {

bool Has(const HttpResponse& response, std::string_view name) {
  for (const auto& [header, value] : response.headers) {
    if (header == name) return true;
  }
  return false;
}

}  // namespace

void AddSafetyHeaders(HttpResponse* response) {
  for (const auto& [name, value] : kSafetyHeaders) {
    if (Has(*response, name)) continue;
    response->headers.emplace_back(std::string(name), std::string(value));
  }
}

}  // namespace vernier
