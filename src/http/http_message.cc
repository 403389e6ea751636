#include "http/http_message.h"

namespace vernier {

std::string_view HttpRequest::Header(std::string_view name) const {
  for (const auto& [header, value] : headers) {
    if (header == name) return value;
  }
  return "";
}

std::optional<std::string_view> HttpRequest::Query(
    std::string_view name) const {
  for (const auto& [parameter, value] : query) {
    if (parameter == name) return value;
  }
  return std::nullopt;
}

std::string HttpRequest::QueryText(std::string_view name) const {
  return std::string(Query(name).value_or(""));
}

bool HasHeader(const HttpResponse& response, std::string_view name) {
  for (const auto& [header, value] : response.headers) {
    if (header == name) return true;
  }
  return false;
}

HttpResponse TextResponse(int status, std::string content_type,
                          std::string body) {
  HttpResponse response;
  response.status = status;
  response.headers.emplace_back("Content-Type", std::move(content_type));
  response.body = std::move(body);
  return response;
}

}  // namespace vernier
