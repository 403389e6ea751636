#include "study/metrics/metric_pattern.h"

#include <re2/re2.h>

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// The largest number of instructions of a pattern: where RE2 cannot build its
// automaton, it tries each of them at each byte.
constexpr int kMaxProgramSize = 2000;
constexpr int kMaxGroups = 31;

re2::StringPiece Piece(std::string_view text) {
  return {text.data(), text.size()};
}

absl::Status BadPattern(std::string_view expression, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the pattern \"", ShowText(expression), "\" is not valid: ", why));
}

absl::Status CheckGroups(const RE2& expression, std::string_view metric) {
  if (expression.NumberOfCapturingGroups() > kMaxGroups) {
    return BadPattern(expression.pattern(),
                      absl::StrCat("it must have at most ", kMaxGroups,
                                   " groups; write (?:...) for those that are "
                                   "not named"));
  }
  const std::map<std::string, int>& groups = expression.NamedCapturingGroups();
  for (const auto& [name, index] : groups) {
    if (name != "value" && name != "name" && name != "step") {
      return BadPattern(expression.pattern(),
                        absl::StrCat("its group \"", ShowText(name),
                                     "\" must be \"value\", \"name\" or "
                                     "\"step\""));
    }
  }
  if (groups.count("value") == 0) {
    return BadPattern(expression.pattern(),
                      "it must have a group (?P<value>...)");
  }
  if (metric.empty() && groups.count("name") == 0) {
    return BadPattern(expression.pattern(),
                      "it must have a group (?P<name>...), or its metric must "
                      "be given");
  }
  if (!metric.empty() && groups.count("name") != 0) {
    return BadPattern(expression.pattern(),
                      absl::StrCat("it must not have a group (?P<name>...), as "
                                   "its metric is given: \"",
                                   ShowText(metric), "\""));
  }
  return absl::OkStatus();
}

}  // namespace

MetricPattern::MetricPattern(std::unique_ptr<const RE2> expression,
                             std::string_view metric)
    : expression_(std::move(expression)), metric_(metric) {
  const auto group = [&](const char* name) {
    const auto& groups = expression_->NamedCapturingGroups();
    const auto found = groups.find(name);
    return found == groups.end() ? 0 : found->second;
  };
  name_group_ = group("name");
  value_group_ = group("value");
  step_group_ = group("step");
}

MetricPattern::MetricPattern(MetricPattern&&) noexcept = default;
MetricPattern& MetricPattern::operator=(MetricPattern&&) noexcept = default;
MetricPattern::~MetricPattern() = default;

absl::StatusOr<MetricPattern> MetricPattern::Compile(
    std::string_view expression, std::string_view metric) {
  if (expression.empty()) return BadPattern(expression, "it is empty");
  if (expression.size() > kMaxMetricPattern) {
    return BadPattern(expression,
                      absl::StrCat("it must have at most ", kMaxMetricPattern,
                                   " bytes: ", expression.size()));
  }
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  auto compiled = std::make_unique<const RE2>(Piece(expression), options);
  if (!compiled->ok()) {
    // The message is RE2's, with a hint where other libraries have another
    // spelling.
    std::string why = compiled->error();
    if (expression.find("(?<") != std::string_view::npos) {
      absl::StrAppend(&why,
                      "; a named group is written (?P<value>...), and there is "
                      "no look-behind");
    }
    return BadPattern(expression, ShowText(why, 200));
  }
  if (compiled->ProgramSize() > kMaxProgramSize) {
    return BadPattern(expression, "it is too complex; repeat less in it");
  }
  if (const absl::Status groups = CheckGroups(*compiled, metric);
      !groups.ok()) {
    return groups;
  }
  if (RE2::PartialMatch("", *compiled)) {
    return BadPattern(expression, "it must not match the empty text");
  }
  return MetricPattern(std::move(compiled), metric);
}

std::vector<PatternMatch> MetricPattern::FindAll(
    std::string_view line, const std::stop_token& stop) const {
  re2::StringPiece found[kMaxGroups + 1];
  const int wanted = expression_->NumberOfCapturingGroups() + 1;
  const auto text = [&](int group) -> std::string_view {
    if (group == 0 || found[group].data() == nullptr) return "";
    return {found[group].data(), found[group].size()};
  };
  std::vector<PatternMatch> matches;
  std::size_t begin = 0;
  // All matches are counted, useful or not, because each may take time
  // proportional to the line.
  for (std::size_t i = 0; i < kMaxPatternMatches; ++i) {
    if (begin > line.size() || stop.stop_requested() ||
        !expression_->Match(Piece(line), begin, line.size(), RE2::UNANCHORED,
                            found, wanted)) {
      break;
    }
    const PatternMatch match{text(name_group_), text(value_group_),
                             text(step_group_)};
    if (!match.value.empty()) matches.push_back(match);
    const auto end = static_cast<std::size_t>(found[0].end() - line.data());
    begin = found[0].empty() ? end + 1 : end;
  }
  return matches;
}

}  // namespace vernier
