#include "cluster/metrics/hypertune_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Keys that the library writes itself. A metric with such a name is lost in the
// file.
bool IsFixedKey(const std::string& key) {
  return key == "timestamp" || key == "trial" || key == "global_step" ||
         key == "checkpoint_path";
}

void Name(std::string problem, HypertuneContents& found) {
  std::vector<std::string>& problems = found.problems;
  if (problems.size() < kMaxMetricProblems &&
      std::find(problems.begin(), problems.end(), problem) == problems.end()) {
    problems.push_back(std::move(problem));
  }
}

// Never walks into the value, which may be nested without limit.
std::string Show(const Json& value) {
  if (value.is_object()) return "a mapping";
  if (value.is_array()) return "a list";
  return ShowText(DumpJson(value));
}

std::optional<double> NumberFrom(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  double value = 0;
  // SimpleAtod accepts "nan", "inf" and "-inf" in any case; a huge number
  // becomes infinite.
  if (!absl::SimpleAtod(json.get<std::string>(), &value)) return std::nullopt;
  return value;
}

// The step, or 0 if it is absent; nullopt if it is no whole number.
std::optional<std::int64_t> StepFrom(const Json& record) {
  const auto found = record.find("global_step");
  if (found == record.end() || found->is_null()) return 0;
  if (found->is_number_unsigned()) {
    const auto step = found->get<std::uint64_t>();
    if (step >
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(step);
  }
  if (found->is_number_integer()) return found->get<std::int64_t>();
  std::int64_t step = 0;
  if (found->is_string() &&
      absl::SimpleAtoi(found->get<std::string>(), &step)) {
    return step;
  }
  const std::optional<double> number = NumberFrom(*found);
  constexpr double kLimit = 9.2e18;  // Just below 2^63.
  if (!number || !(std::fabs(*number) < kLimit) ||
      *number != std::trunc(*number)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

Timestamp TimeFrom(const Json& record, HypertuneContents& found) {
  const auto stamp = record.find("timestamp");
  if (stamp == record.end() || stamp->is_null()) return {};
  const std::optional<double> seconds = NumberFrom(*stamp);
  constexpr double kLimit = 4e11;  // Year 14,000; in microseconds below 2^63.
  if (!seconds || !(std::fabs(*seconds) < kLimit)) {
    Name(absl::StrCat("the timestamp in a record of the metric file is not a "
                      "number of seconds: ",
                      Show(*stamp)),
         found);
    return {};
  }
  return Timestamp(std::chrono::microseconds(
      static_cast<std::int64_t>(std::llround(*seconds * 1e6))));
}

void TakeRecord(const Json& record, HypertuneContents& found) {
  const std::optional<std::int64_t> step = StepFrom(record);
  if (!step) {
    Name(absl::StrCat("the global_step in a record of the metric file is not a "
                      "whole number of 64 bits: ",
                      Show(record["global_step"])),
         found);
    return;
  }
  const Timestamp time = TimeFrom(record, found);
  for (const auto& [key, value] : record.items()) {
    if (IsFixedKey(key)) continue;
    const std::optional<double> number = NumberFrom(value);
    if (key.empty()) {
      Name("a metric in the metric file has no name", found);
    } else if (number) {
      found.measurements.push_back({key, *step, time, *number});
    } else {
      Name(absl::StrCat("the value of \"", ShowText(key),
                        "\" in the metric file is not a number: ", Show(value)),
           found);
    }
  }
}

// Puts Python's tokens for non-finite numbers, which JSON does not have, into
// quotes; nullopt if the text has none of them.
std::optional<std::string> QuoteNonFinite(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kTokens[] = {
      {"NaN", "\"nan\""}, {"-Infinity", "\"-inf\""}, {"Infinity", "\"inf\""}};
  std::string quoted;
  bool has_token = false;
  bool is_inside = false;  // A text.
  for (std::size_t i = 0; i < text.size();) {
    if (is_inside && text[i] == '\\') {
      quoted += text.substr(i, 2);
      i += 2;
      continue;
    }
    if (text[i] == '"') is_inside = !is_inside;
    const auto token =
        is_inside
            ? std::end(kTokens)
            : std::find_if(
                  std::begin(kTokens), std::end(kTokens), [&](const auto& one) {
                    return text.substr(i, one.first.size()) == one.first;
                  });
    if (token == std::end(kTokens)) {
      quoted += text[i++];
    } else {
      quoted += token->second;
      i += token->first.size();
      has_token = true;
    }
  }
  if (!has_token) return std::nullopt;
  return quoted;
}

// `text` has no blanks at either end.
std::optional<Json> ParseRecord(std::string_view text) {
  // This check is cheap for a text file, which is read again and again.
  if (text.empty() || text.front() != '{' || text.back() != '}') {
    return std::nullopt;
  }
  // Parses without exceptions, which cost more than the parsing.
  const auto parse = [](std::string_view json) {
    return Json::parse(json, nullptr, /*allow_exceptions=*/false);
  };
  Json record = parse(text);
  if (record.is_discarded()) {
    const std::optional<std::string> quoted = QuoteNonFinite(text);
    if (!quoted) return std::nullopt;
    record = parse(*quoted);
  }
  if (!record.is_object()) return std::nullopt;
  return record;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// The end of a record that is spread over several lines.
struct Spread {
  enum class Kind {
    kWhole,   ///< `size` bytes, up to the end of its last line.
    kBroken,  ///< It is not a record.
    kOpen,    ///< The file ends within it.
  };
  Kind kind = Kind::kBroken;
  std::size_t size = 0;
};

// Reads `text`, which begins with '{', up to the next line that begins with
// '{', so that all calls together read the file only once.
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
  // Takes the next record off the text. False if the record may still grow.
  bool Next() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos && last_line_ == LastLine::kMayGrow) {
      return false;
    }
    std::size_t size = end == std::string_view::npos ? rest_.size() : end + 1;
    const std::string_view line = rest_.substr(0, end);
    const std::string_view trimmed = Trimmed(line);
    if (line.size() > kMaxMetricLine) {
      Name(absl::StrCat("a record of the metric file has ", line.size(),
                        " bytes, and at most ", kMaxMetricLine, " are read"),
           found_);
    } else if (const auto record = ParseRecord(trimmed)) {
      TakeRecord(*record, found_);
    } else if (!trimmed.empty()) {
      const Spread spread = line.front() == '{' ? FindSpread(rest_) : Spread{};
      if (spread.kind == Spread::Kind::kOpen &&
          last_line_ == LastLine::kMayGrow) {
        return false;
      }
      if (TakeSpread(spread)) {
        size = spread.size;
      } else {
        Name(absl::StrCat("a line of the metric file is not a JSON object: ",
                          ShowText(trimmed)),
             found_);
      }
    }
    rest_.remove_prefix(size);
    return true;
  }

  bool TakeSpread(const Spread& spread) {
    if (spread.kind != Spread::Kind::kWhole) return false;
    const auto record = ParseRecord(Trimmed(rest_.substr(0, spread.size)));
    if (record) TakeRecord(*record, found_);
    return record.has_value();
  }

  std::string_view rest_;
  const LastLine last_line_;
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
    return {{}, {"the metric file is UTF-16 text; write it as UTF-8"}};
  }
  return RecordReader(contents, last_line).Read();
}

}  // namespace vernier
