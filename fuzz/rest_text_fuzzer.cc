// Reads the small languages that callers of the HTTP interface write: targets,
// field selections, filters, times, tokens, and the lines that programs print.
// Each ends with a value or an error, and the value can be used.

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/timestamp_text.h"
#include "edge/http/field_selection.h"
#include "edge/http/indented_json.h"
#include "faces/logging/log_line.h"
#include "http/url.h"
#include "trials/filters/filter_expression.h"

namespace vernier {
namespace {

void Require(bool is_kept) {
  if (!is_kept) std::abort();
}

void ReadUrl(const std::string& text) {
  if (const auto target = ParseTarget(text)) {
    Require(!target->path.empty() && target->path.front() == '/');
  }
  Require(PercentDecode(PercentEncode(text), true) == text ||
          text.find('\0') != std::string::npos);
}

void ReadSelection(const std::string& text) {
  const auto selection = FieldSelection::Parse(text);
  if (!selection.ok()) return;
  const auto cut =
      selection->Apply(R"({"a":{"b":[{"c":1},{"d":"x"}]},"e":null})");
  Require(cut.ok() && ParseJson(*cut).ok());
}

void ReadFilter(const std::string& text) {
  const auto filter = FilterExpression::Parse(text);
  if (!filter.ok()) return;
  const Timestamp now(std::chrono::seconds(1700000000));
  const bool fits = filter->Matches(
      [now](const std::string& key) -> std::optional<FilterValue> {
        if (key == "timestamp") return FilterValue{"", {}, false, now};
        if (key == "severity") return FilterValue{"INFO", 200.0, true};
        if (key == "none") return std::nullopt;
        return FilterValue{"x", std::nullopt, false};
      });
  // An instant outside of the range must not match.
  const TimeRange range = filter->RangeOf("timestamp");
  Require(!fits || (range.from <= now && now <= range.until));
  const auto required = filter->RequiredValue("job");
  Require(!fits || !required.has_value() || *required == "x");
}

void ReadJsonText(const std::string& text) {
  const auto json = ParseJson(text);
  if (!json.ok()) return;
  const std::string line = DumpJson(*json);
  const auto indented = IndentJson(line);
  if (!indented.has_value()) return;
  Require(indented->size() <= line.size() * 4 + (std::size_t{66} << 10));
  const auto again = ParseJson(*indented);
  Require(again.ok() && DumpJson(*again) == line);
}

void ReadLine(const std::string& text) {
  const LogLine line = ParseLogLine(text);
  Require(!line.severity.empty());
  Require(line.json.empty() || ParseJson(line.json).ok());
}

}  // namespace
}  // namespace vernier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  FuzzedDataProvider provider(data, size);
  const int what = provider.ConsumeIntegralInRange(0, 5);
  const std::string text = provider.ConsumeRemainingBytesAsString();
  switch (what) {
    case 0:
      vernier::ReadUrl(text);
      break;
    case 1:
      vernier::ReadSelection(text);
      break;
    case 2:
      vernier::ReadFilter(text);
      break;
    case 3:
      vernier::ReadLine(text);
      break;
    case 4:
      vernier::ReadJsonText(text);
      break;
    default:
      vernier::ParseTimestamp(text);
      break;
  }
  return 0;
}
