#ifndef VERNIER_HTTP_TRACE_CONTEXT_H_
#define VERNIER_HTTP_TRACE_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// A place in a distributed trace, as W3C's Trace Context has it
/// (https://www.w3.org/TR/trace-context/).
struct TraceContext {
  std::string trace_id;    ///< 32 lower-case hex digits, not all of them 0.
  std::string span_id;     ///< 16 of them, not all 0.
  bool is_sampled = true;  ///< Whether its spans shall be kept.

  friend bool operator==(const TraceContext&, const TraceContext&) = default;
};

/// Parses a `traceparent` header of any version; null if it is malformed.
std::optional<TraceContext> ParseTraceParent(std::string_view text);

/// Returns the `traceparent` header, of version 00.
std::string TraceParentText(const TraceContext& context);

/// Returns a span id that is a function of two numbers and differs between
/// neighbouring ones. Never the forbidden 0.
std::string SpanIdOf(std::uint64_t a, std::uint64_t b);

/// Returns a trace id in the same way.
std::string TraceIdOf(std::uint64_t a, std::uint64_t b);

}  // namespace vernier

#endif  // VERNIER_HTTP_TRACE_CONTEXT_H_
