#include "trials/clients/client_process.h"

#include <charconv>
#include <vector>

#include "absl/strings/str_split.h"

namespace vernier {
namespace {

// Reads all of `text`.
template <typename Number>
bool ReadWhole(std::string_view text, Number* number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, *number);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

std::optional<ClientProcess> ProcessOfClient(std::string_view client_id) {
  const std::vector<std::string> parts =
      absl::StrSplit(std::string(client_id), '/');
  if (parts.size() != 6 || parts[0] != "python") return std::nullopt;
  const std::string_view process = parts[4];
  const std::size_t dash = process.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  ClientProcess found{parts[1], parts[2], parts[3]};
  if (!ReadWhole(process.substr(0, dash), &found.pid) ||
      !ReadWhole(process.substr(dash + 1), &found.start_ticks)) {
    return std::nullopt;
  }
  return found;
}

}  // namespace vernier
