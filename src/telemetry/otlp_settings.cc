#include "telemetry/otlp_settings.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "http/client/http_post.h"
#include "http/url.h"

namespace vernier {
namespace {

using Variable = std::function<std::string(const std::string& name)>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr char kPath[] = "/v1/traces";
constexpr std::size_t kMostPairs = 64;

// The variable for traces alone takes precedence over that for all signals.
std::string OfTraces(const Variable& variable, const std::string& what) {
  std::string value = variable("OTEL_EXPORTER_OTLP_TRACES_" + what);
  return value.empty() ? variable("OTEL_EXPORTER_OTLP_" + what) : value;
}

std::string BelowBase(std::string base) {
  if (absl::EndsWith(base, kPath)) return base;
  while (!base.empty() && base.back() == '/') base.pop_back();
  return base + kPath;
}

absl::StatusOr<std::string> FindUrl(const std::string& flag,
                                    const Variable& variable) {
  std::string where = "--otlp-endpoint";
  std::string url = flag.empty() ? "" : BelowBase(flag);
  if (flag.empty()) {
    where = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    url = variable(where);
    if (url.empty()) {
      where = "OTEL_EXPORTER_OTLP_ENDPOINT";
      url = variable(where);
      if (!url.empty()) url = BelowBase(std::move(url));
    }
  }
  if (url.empty()) return url;
  const absl::Status status = CheckOutboundUrl(url);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, " ", std::string(status.message())));
  }
  return url;
}

// Parses "a=1,b=2" with percent-encoded values, as in W3C's Baggage.
absl::StatusOr<Pairs> ParsePairs(const std::string& name,
                                 const std::string& text) {
  const absl::Status bad = absl::InvalidArgumentError(absl::StrCat(
      name,
      " must be a list of NAME=VALUE, with commas between them, values "
      "percent-encoded, at most ",
      kMostPairs, " of them"));
  Pairs pairs;
  for (const auto item : absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    const std::pair<std::string, std::string> halves =
        absl::StrSplit(item, absl::MaxSplits('=', 1));
    const std::string key(absl::StripAsciiWhitespace(halves.first));
    const auto value = PercentDecode(
        std::string(absl::StripAsciiWhitespace(halves.second)), false);
    if (key.empty() || !absl::StrContains(item, "=") || !value.has_value() ||
        pairs.size() == kMostPairs) {
      return bad;
    }
    pairs.emplace_back(key, *value);
  }
  return pairs;
}

bool IsHeaderText(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte == 0x7f;
  });
}

absl::StatusOr<std::vector<std::string>> ReadHeaders(const Variable& variable) {
  constexpr char kName[] = "OTEL_EXPORTER_OTLP_HEADERS";
  VERNIER_ASSIGN_OR_RETURN(const Pairs pairs,
                           ParsePairs(kName, OfTraces(variable, "HEADERS")));
  std::vector<std::string> headers;
  for (const auto& [key, value] : pairs) {
    if (!IsHeaderText(key) || !IsHeaderText(value) ||
        absl::StrContains(key, ":")) {
      return absl::InvalidArgumentError(
          absl::StrCat(kName, " holds a header with forbidden characters"));
    }
    headers.push_back(absl::StrCat(key, ": ", value));
  }
  return headers;
}

absl::StatusOr<SpanAttributes> ReadResource(const Variable& variable) {
  constexpr char kName[] = "OTEL_RESOURCE_ATTRIBUTES";
  VERNIER_ASSIGN_OR_RETURN(const Pairs pairs,
                           ParsePairs(kName, variable(kName)));
  std::string service = variable("OTEL_SERVICE_NAME");
  SpanAttributes resource;
  for (const auto& [key, value] : pairs) {
    if (key != "service.name") {
      resource.emplace_back(key, value);
    } else if (service.empty()) {
      service = value;
    }
  }
  if (service.empty()) service = "vernier";
  resource.insert(resource.begin(), {"service.name", service});
  resource.emplace_back("service.version", std::string(kVersion));
  return resource;
}

absl::StatusOr<OtlpSettings::Encoding> ReadEncoding(const Variable& variable) {
  const std::string text = OfTraces(variable, "PROTOCOL");
  if (text.empty() || text == "http/protobuf") {
    return OtlpSettings::Encoding::kProtobuf;
  }
  if (text == "http/json") return OtlpSettings::Encoding::kJson;
  return absl::InvalidArgumentError(absl::StrCat(
      "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json: \"",
      text, "\"; collectors take both at port 4318"));
}

}  // namespace

absl::StatusOr<std::optional<OtlpSettings>> ReadOtlpSettings(
    const std::string& flag, const Variable& variable) {
  OtlpSettings settings;
  const bool is_off =
      absl::EqualsIgnoreCase(variable("OTEL_SDK_DISABLED"), "true") ||
      variable("OTEL_TRACES_EXPORTER") == "none";
  if (is_off && flag.empty()) return std::nullopt;
  VERNIER_ASSIGN_OR_RETURN(settings.url, FindUrl(flag, variable));
  if (settings.url.empty()) return std::nullopt;
  VERNIER_ASSIGN_OR_RETURN(settings.encoding, ReadEncoding(variable));
  VERNIER_ASSIGN_OR_RETURN(settings.headers, ReadHeaders(variable));
  VERNIER_ASSIGN_OR_RETURN(settings.resource, ReadResource(variable));
  settings.ca_file = OfTraces(variable, "CERTIFICATE");
  const std::string limit = OfTraces(variable, "TIMEOUT");
  constexpr int kLongest = 60000;
  int milliseconds = 0;
  if (!limit.empty()) {
    if (!absl::SimpleAtoi(limit, &milliseconds) || milliseconds < 1 ||
        milliseconds > kLongest) {
      return absl::InvalidArgumentError(
          absl::StrCat("OTEL_EXPORTER_OTLP_TIMEOUT must be 1 to ", kLongest,
                       " milliseconds: \"", limit, "\""));
    }
    settings.time_limit = std::chrono::milliseconds(milliseconds);
  }
  return settings;
}

}  // namespace vernier
