// The wire format of Protocol Buffers by hand: a dozen fields of a schema that
// never renumbers them. The field numbers are those of opentelemetry-proto 1.x:
// collector/trace/v1/trace_service.proto, trace/v1/trace.proto,
// resource/v1/resource.proto and common/v1/common.proto.
#include <bit>
#include <cstdint>
#include <string_view>

#include "absl/strings/escaping.h"
#include "base/utf8.h"
#include "base/version.h"
#include "telemetry/otlp_message.h"

namespace vernier {
namespace {

enum WireType : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

void AppendVarint(std::uint64_t value, std::string* out) {
  constexpr std::uint64_t kMore = 0x80;
  while (value >= kMore) {
    out->push_back(static_cast<char>((value & 0x7f) | kMore));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

void AppendTag(int field, WireType type, std::string* out) {
  AppendVarint(static_cast<std::uint64_t>(field) << 3 | type, out);
}

void AppendNumber(int field, std::uint64_t value, std::string* out) {
  AppendTag(field, kVarint, out);
  AppendVarint(value, out);
}

void AppendFixed64(int field, std::uint64_t value, std::string* out) {
  AppendTag(field, kFixed64, out);
  for (int byte = 0; byte < 8; ++byte) {
    out->push_back(static_cast<char>(value >> (8 * byte) & 0xff));
  }
}

void AppendBytes(int field, std::string_view bytes, std::string* out) {
  AppendTag(field, kBytes, out);
  AppendVarint(bytes.size(), out);
  out->append(bytes);
}

void AppendText(int field, std::string_view text, std::string* out) {
  AppendBytes(field, ValidUtf8(text), out);
}

std::string ValueBytes(const SpanValue& value) {
  std::string out;
  if (const auto* text = std::get_if<std::string>(&value)) {
    AppendText(1, *text, &out);
  } else if (const bool* truth = std::get_if<bool>(&value)) {
    AppendNumber(2, *truth ? 1 : 0, &out);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    AppendNumber(3, static_cast<std::uint64_t>(*integer), &out);
  } else {
    AppendFixed64(4, std::bit_cast<std::uint64_t>(std::get<double>(value)),
                  &out);
  }
  return out;
}

void AppendAttributes(int field, const SpanAttributes& attributes,
                      std::string* out) {
  for (const auto& [key, value] : attributes) {
    std::string pair;
    AppendText(1, key, &pair);
    AppendBytes(2, ValueBytes(value), &pair);
    AppendBytes(field, pair, out);
  }
}

std::string Binary(const std::string& hex) {
  return absl::HexStringToBytes(hex);
}

std::uint64_t NanosecondCount(Timestamp time) {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(time.time_since_epoch()).count());
}

std::string SpanBytes(const TraceSpan& span) {
  std::string out;
  AppendBytes(1, Binary(span.context.trace_id), &out);
  AppendBytes(2, Binary(span.context.span_id), &out);
  if (!span.parent.empty()) AppendBytes(4, Binary(span.parent), &out);
  AppendText(5, span.name, &out);
  AppendNumber(6, static_cast<std::uint64_t>(span.kind), &out);
  AppendFixed64(7, NanosecondCount(span.start), &out);
  AppendFixed64(8, NanosecondCount(span.end), &out);
  AppendAttributes(9, span.attributes, &out);
  for (const TraceContext& link : span.links) {
    std::string message;
    AppendBytes(1, Binary(link.trace_id), &message);
    AppendBytes(2, Binary(link.span_id), &message);
    AppendBytes(13, message, &out);
  }
  if (span.status != SpanStatus::kUnset) {
    std::string status;
    AppendNumber(3, static_cast<std::uint64_t>(span.status), &status);
    AppendBytes(15, status, &out);
  }
  return out;
}

}  // namespace

std::string OtlpProtobuf(const SpanAttributes& resource,
                         const std::vector<TraceSpan>& spans) {
  std::string scope;
  AppendText(1, "vernier", &scope);
  AppendText(2, kVersion, &scope);
  std::string scope_spans;
  AppendBytes(1, scope, &scope_spans);
  for (const TraceSpan& span : spans)
    AppendBytes(2, SpanBytes(span), &scope_spans);
  std::string sender;
  AppendAttributes(1, resource, &sender);
  std::string resource_spans;
  AppendBytes(1, sender, &resource_spans);
  AppendBytes(2, scope_spans, &resource_spans);
  std::string request;
  AppendBytes(1, resource_spans, &request);
  return request;
}

}  // namespace vernier
