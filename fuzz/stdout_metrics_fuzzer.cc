// Reads the output of a training program, and the files of metrics that it
// writes as text. The metrics are within the bounds, and the same however the
// bytes are cut. The first line is a pattern of the job's own.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "cluster/metrics/metric_lines.h"
#include "cluster/metrics/stdout_metrics.h"
#include "fuzz/metric_checks.h"

namespace {

using vernier::FileReading;
using vernier::LastLine;
using vernier::Measurement;

// Returns the name, time and step of each measurement; values may be NaN.
using Found =
    std::vector<std::tuple<std::string, vernier::Timestamp, std::int64_t>>;

void Note(const FileReading& reading, Found& found) {
  vernier::CheckReadingBounds(reading);
  for (const Measurement& one : reading.measurements) {
    found.emplace_back(one.metric, one.reported_at, one.step);
  }
}

// Passes all of `text` to a reader, from its offset on, in growing pieces.
template <typename Reader>
Found ReadInPieces(Reader reader, std::string_view text, std::size_t piece) {
  Found found;
  for (std::size_t end = piece; end < text.size() + piece; end += piece) {
    const std::string_view now = text.substr(0, end);
    Note(reader.Read(now.substr(reader.offset()), LastLine::kMayGrow), found);
  }
  Note(reader.Read(text.substr(reader.offset()), LastLine::kIsDone), found);
  VERNIER_CHECK(reader.offset() == text.size());
  return found;
}

template <typename Reader>
void CheckReader(const Reader& reader, std::string_view text,
                 std::size_t piece) {
  Reader at_once = reader;
  Found whole;
  const FileReading reading = at_once.Read(text, LastLine::kIsDone);
  Note(reading, whole);
  if (reading.has_more) return;
  VERNIER_CHECK(at_once.offset() == text.size());
  VERNIER_CHECK(ReadInPieces(reader, text, piece) == whole);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = data[0] % 64 + 1u;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = text.find('\n');
  const std::string_view expression = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);

  vernier::StdoutRules rules;
  rules.metrics = {"loss", "val-auc", "a b"};
  for (const char* metric : {"", "accuracy"}) {
    auto pattern = vernier::MetricPattern::Compile(expression, metric);
    if (pattern.ok()) rules.patterns.push_back(*std::move(pattern));
  }
  CheckReader(vernier::StdoutMetricReader(rules), text, piece);
  CheckReader(vernier::MetricLinesReader(), text, piece);
  return 0;
}
