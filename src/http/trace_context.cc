#include "http/trace_context.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/rng.h"

namespace vernier {
namespace {

constexpr std::size_t kTraceDigits = 32;
constexpr std::size_t kSpanDigits = 16;
// The length of "00-" TRACE "-" SPAN "-" FLAGS.
constexpr std::size_t kLength = 3 + kTraceDigits + 1 + kSpanDigits + 1 + 2;

bool IsLowerHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

bool IsId(std::string_view text) {
  return IsLowerHex(text) && text.find_first_not_of('0') != text.npos;
}

int DigitOf(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Streams of MixBits, so that the two halves of a trace id and a span id of the
// same numbers are unrelated.
constexpr std::uint64_t kSpan = 0x7370616e;
constexpr std::uint64_t kTraceHigh = 0x74726163;
constexpr std::uint64_t kTraceLow = 0x65696473;

std::uint64_t Mixed(std::uint64_t a, std::uint64_t b, std::uint64_t stream) {
  const std::uint64_t mixed = MixBits(MixBits(a + stream) ^ MixBits(b));
  return mixed == 0 ? 1 : mixed;
}

}  // namespace

std::optional<TraceContext> ParseTraceParent(std::string_view text) {
  if (text.size() < kLength) return std::nullopt;
  const std::string_view version = text.substr(0, 2);
  if (!IsLowerHex(version) || version == "ff") return std::nullopt;
  // Later versions may append fields.
  if (text.size() > kLength && (version == "00" || text[kLength] != '-')) {
    return std::nullopt;
  }
  const std::string_view trace = text.substr(3, kTraceDigits);
  const std::string_view span = text.substr(4 + kTraceDigits, kSpanDigits);
  const std::string_view flags = text.substr(kLength - 2, 2);
  if (text[2] != '-' || text[3 + kTraceDigits] != '-' ||
      text[kLength - 3] != '-' || !IsId(trace) || !IsId(span) ||
      !IsLowerHex(flags)) {
    return std::nullopt;
  }
  return TraceContext{std::string(trace), std::string(span),
                      (DigitOf(flags[1]) & 1) != 0};
}

std::string TraceParentText(const TraceContext& context) {
  return absl::StrCat("00-", context.trace_id, "-", context.span_id,
                      context.is_sampled ? "-01" : "-00");
}

std::string SpanIdOf(std::uint64_t a, std::uint64_t b) {
  return absl::StrFormat("%016x", Mixed(a, b, kSpan));
}

std::string TraceIdOf(std::uint64_t a, std::uint64_t b) {
  return absl::StrFormat("%016x%016x", Mixed(a, b, kTraceHigh),
                         Mixed(a, b, kTraceLow));
}

}  // namespace vernier
