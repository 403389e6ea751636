#include "cluster/metrics/hypertune_file.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/python_json.h"
#include "cluster/metrics/step_scale.h"
#include "study/metrics/reserved_name.h"

namespace vernier {
namespace {

// A record is tried as one line first. If the line is not a JSON object but
// begins with '{', the end of a record that spans several lines is found by
// counting the brackets outside of texts (FindSpread).

constexpr std::string_view kBlanks = " \t\r\n";

// Returns nullopt if the step is not a whole number.
std::optional<StepMark> StepFrom(const Json& record) {
  const auto found = record.find("global_step");
  if (found == record.end() || found->is_null()) {
    return StepMark{StepUnit::kNone, 0, std::nullopt};
  }
  const std::optional<std::int64_t> step = WholeNumberOf(*found);
  if (!step) return std::nullopt;
  return StepMark{StepUnit::kStep, *step, std::nullopt};
}

using Scales = std::map<std::string, StepScale>;

// An explicit step is kept as it is, even if it goes backwards.
std::int64_t StandOf(const StepMark& mark, const std::string& metric,
                     Scales& scales) {
  if (scales.size() >= kMaxMetricsOfRecord && scales.count(metric) == 0) {
    return mark.step;
  }
  const std::int64_t stands = scales[metric].Take(mark);
  return mark.unit == StepUnit::kNone ? stands : mark.step;
}

Timestamp TimeFrom(const Json& record, HypertuneContents& found) {
  const auto stamp = record.find("timestamp");
  if (stamp == record.end() || stamp->is_null()) return {};
  const std::optional<double> seconds = NumberOf(*stamp);
  const auto time = seconds ? TimeOfSeconds(*seconds) : std::nullopt;
  if (!time) {
    AddProblem(
        absl::StrCat("the timestamp in a record of the metric file is not a "
                     "number of seconds: ",
                     ShowJson(*stamp)),
        found.problems);
    return {};
  }
  return *time;
}

void TakeRecord(const Json& record, Scales& scales, HypertuneContents& found) {
  const std::optional<StepMark> step = StepFrom(record);
  if (!step) {
    AddProblem(
        absl::StrCat("the global_step in a record of the metric file is not a "
                     "whole number of 64 bits: ",
                     ShowJson(record["global_step"])),
        found.problems);
    return;
  }
  const Timestamp time = TimeFrom(record, found);
  for (const auto& [key, value] : record.items()) {
    if (IsReservedName(key, MetricSourceKind::kHypertuneFile)) continue;
    const std::optional<double> number = MetricValueOf(value);
    if (key.empty()) {
      AddProblem("a metric in the metric file has no name", found.problems);
    } else if (number) {
      found.measurements.push_back(
          {key, StandOf(*step, key, scales), time, *number});
    } else {
      AddProblem(absl::StrCat("the value of \"", ShowText(key),
                              "\" in the metric file is not a number: ",
                              ShowJson(value)),
                 found.problems);
    }
  }
}

// The end of a record that spans several lines.
struct Spread {
  enum class Kind {
    kWhole,   ///< `size` bytes, up to the end of its last line.
    kBroken,  ///< It is none.
    kOpen,    ///< The file ends within it.
  };
  Kind kind = Kind::kBroken;
  std::size_t size = 0;
};

// Scans `text`, which begins with '{', up to the next line that begins with
// '{'. So all scans of one file together read it only once.
Spread FindSpread(std::string_view text) {
  int depth = 0;
  bool is_inside = false;  // A text.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > kMaxMetricLine) return {};
    const char c = text[i];
    if (c == '\n' && (is_inside || text.substr(i + 1, 1) == "{")) return {};
    if (is_inside) {
      if (c == '\\') ++i;
      if (c == '"') is_inside = false;
    } else if (c == '"') {
      is_inside = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      const std::size_t end = text.find('\n', i);
      const std::string_view rest = text.substr(i + 1, end - i - 1);
      if (rest.find_first_not_of(kBlanks) != std::string_view::npos) return {};
      return {Spread::Kind::kWhole,
              end == std::string_view::npos ? text.size() : end + 1};
    }
  }
  return {Spread::Kind::kOpen, text.size()};
}

// Reads a metric file's text record by record.
class RecordReader {
 public:
  RecordReader(std::string_view contents, LastLine last_line)
      : rest_(contents), last_line_(last_line) {}

  HypertuneContents Read() {
    while (!rest_.empty() && Next()) {
    }
    return std::move(found_);
  }

 private:
  // Takes the next record off the text. Returns false if the record may still
  // be growing.
  bool Next() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos && last_line_ == LastLine::kMayGrow) {
      return false;
    }
    std::size_t size = end == std::string_view::npos ? rest_.size() : end + 1;
    const std::string_view line = rest_.substr(0, end);
    const std::string_view trimmed = TrimmedJson(line);
    if (line.size() > kMaxMetricLine) {
      AddProblem(
          absl::StrCat("a record of the metric file has ", line.size(),
                       " bytes, and at most ", kMaxMetricLine, " are read"),
          found_.problems);
    } else if (const auto record = ParsePythonObject(trimmed)) {
      TakeRecord(*record, scales_, found_);
    } else if (!trimmed.empty()) {
      const Spread spread = line.front() == '{' ? FindSpread(rest_) : Spread{};
      if (spread.kind == Spread::Kind::kOpen &&
          last_line_ == LastLine::kMayGrow) {
        return false;
      }
      if (TakeSpread(spread)) {
        size = spread.size;
      } else {
        AddProblem(
            absl::StrCat("a line of the metric file is not a JSON object: ",
                         ShowText(trimmed)),
            found_.problems);
        found_.is_truncated = end == std::string_view::npos;
      }
    }
    rest_.remove_prefix(size);
    return true;
  }

  bool TakeSpread(const Spread& spread) {
    if (spread.kind != Spread::Kind::kWhole) return false;
    const auto record =
        ParsePythonObject(TrimmedJson(rest_.substr(0, spread.size)));
    if (record) TakeRecord(*record, scales_, found_);
    return record.has_value();
  }

  std::string_view rest_;
  const LastLine last_line_;
  Scales scales_;
  HypertuneContents found_;
};

}  // namespace

HypertuneContents ParseHypertuneFile(std::string_view contents,
                                     LastLine last_line) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (contents.substr(0, kUtf8Mark.size()) == kUtf8Mark) {
    contents.remove_prefix(kUtf8Mark.size());
  }
  const std::string_view begin = contents.substr(0, 2);
  if (begin == "\xff\xfe" || begin == "\xfe\xff" ||
      begin.find('\0') != std::string_view::npos) {
    return {{}, {"the metric file is UTF-16 text; write it as UTF-8"}, false};
  }
  return RecordReader(contents, last_line).Read();
}

}  // namespace vernier
