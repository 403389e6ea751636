#include "http/last_answer.h"

namespace vernier {

std::string LastAnswer(const HttpResponse& response) {
  std::string text =
      "HTTP/1.1 " + std::to_string(response.status) + " Unavailable\r\n";
  for (const auto& [name, value] : response.headers) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
  text += "Connection: close\r\nContent-Length: " +
          std::to_string(response.text().size()) + "\r\n\r\n";
  return text.append(response.text());
}

}  // namespace vernier
