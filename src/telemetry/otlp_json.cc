#include <cmath>

#include "base/json.h"
#include "base/version.h"
#include "telemetry/otlp_message.h"

namespace vernier {
namespace {

// Integers of 64 bits are texts in the JSON form of Protocol Buffers.
Json ValueJson(const SpanValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return {{"stringValue", *text}};
  }
  if (const bool* truth = std::get_if<bool>(&value)) {
    return {{"boolValue", *truth}};
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return {{"intValue", std::to_string(*integer)}};
  }
  const double number = std::get<double>(value);
  if (std::isnan(number)) return {{"doubleValue", "NaN"}};
  if (std::isinf(number)) {
    return {{"doubleValue", number > 0 ? "Infinity" : "-Infinity"}};
  }
  return {{"doubleValue", number}};
}

Json Attributes(const SpanAttributes& attributes) {
  Json list = Json::array();
  for (const auto& [key, value] : attributes) {
    Json pair = Json::object();
    pair["key"] = key;
    pair["value"] = ValueJson(value);
    list.push_back(std::move(pair));
  }
  return list;
}

std::string NanosecondText(Timestamp time) {
  return std::to_string(
      std::chrono::nanoseconds(time.time_since_epoch()).count());
}

Json SpanJson(const TraceSpan& span) {
  Json json = Json::object();
  json["traceId"] = span.context.trace_id;
  json["spanId"] = span.context.span_id;
  if (!span.parent.empty()) json["parentSpanId"] = span.parent;
  json["name"] = span.name;
  json["kind"] = static_cast<int>(span.kind);
  json["startTimeUnixNano"] = NanosecondText(span.start);
  json["endTimeUnixNano"] = NanosecondText(span.end);
  json["attributes"] = Attributes(span.attributes);
  for (const TraceContext& link : span.links) {
    json["links"].push_back(
        Json({{"traceId", link.trace_id}, {"spanId", link.span_id}}));
  }
  if (span.status != SpanStatus::kUnset) {
    json["status"]["code"] = static_cast<int>(span.status);
  }
  return json;
}

}  // namespace

std::string OtlpJson(const SpanAttributes& resource,
                     const std::vector<TraceSpan>& spans) {
  Json list = Json::array();
  for (const TraceSpan& span : spans) list.push_back(SpanJson(span));
  Json scope_spans = Json::object();
  scope_spans["scope"] = {{"name", "vernier"}, {"version", kVersion}};
  scope_spans["spans"] = std::move(list);
  Json resource_spans = Json::object();
  resource_spans["resource"]["attributes"] = Attributes(resource);
  resource_spans["scopeSpans"] = Json::array({std::move(scope_spans)});
  Json request = Json::object();
  request["resourceSpans"] = Json::array({std::move(resource_spans)});
  return DumpJson(request);
}

}  // namespace vernier
