#include "edge/call_record.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/random_bits.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxRequestId = 128;

// The codes that OpenTelemetry's semantic conventions count as a server's own
// errors.
constexpr std::array<std::string_view, 6> kFaults = {
    "UNKNOWN",  "DEADLINE_EXCEEDED", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE",       "DATA_LOSS"};

bool IsHttpStatus(std::string_view code) {
  return code.size() == 3 && code[0] >= '1' && code[0] <= '5';
}

}  // namespace

bool IsRequestId(std::string_view text) {
  constexpr std::string_view kOthers = "-_.:+/=";
  return !text.empty() && text.size() <= kMaxRequestId &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z') || kOthers.find(c) != kOthers.npos;
         });
}

std::string RequestIdFor(std::string_view sent) {
  return IsRequestId(sent) ? std::string(sent) : RandomHex();
}

bool IsServiceFault(std::string_view code) {
  if (IsHttpStatus(code)) return code[0] == '5';
  return std::find(kFaults.begin(), kFaults.end(), code) != kFaults.end();
}

bool IsSuccess(std::string_view code) {
  if (IsHttpStatus(code)) return code[0] < '4';
  return code == "OK";
}

}  // namespace vernier
