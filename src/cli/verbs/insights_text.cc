#include "cli/verbs/insights_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/display/resource_tables.h"
#include "cli/text/short_names.h"

namespace vernier {
namespace {

// The most parameters that are listed; for the others only their sum is shown.
constexpr std::size_t kMostParameters = 15;
constexpr std::size_t kMostInteractions = 5;

constexpr std::size_t kWidestName = 24;
constexpr std::size_t kShareWidth = 6;      // " 100 %"
constexpr std::size_t kIntervalWidth = 15;  // "  100 to 100 %"
constexpr std::size_t kWidestBar = 30;

// The share of a normal distribution within one standard deviation.
constexpr int kRightCoverage = 68;

// Returns the number; the service leaves out a 0.
double Number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

std::string Short(const Json& object, const char* key) {
  return ShortNumber(Number(object, key));
}

long Percent(double share) { return std::lround(100 * share); }

std::string ShareText(double share) {
  if (share > 0 && share < 0.005) return "<1 %";
  return absl::StrCat(Percent(share), " %");
}

std::string PadRight(const std::string& text, std::size_t width) {
  const std::size_t used = DisplayWidth(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

std::string PadLeft(const std::string& text, std::size_t width) {
  const std::size_t used = DisplayWidth(text);
  return std::string(used < width ? width - used : 0, ' ') + text;
}

// Breaks `text` at blanks into lines of at most `columns`. The first one begins
// with `first`, the others with as many blanks.
std::string Wrap(const std::string& first, const std::string& text,
                 std::size_t columns) {
  std::string lines = first;
  const std::size_t indent = DisplayWidth(first);
  std::size_t used = indent;
  for (const auto word : absl::StrSplit(text, ' ')) {
    const std::size_t width =
        DisplayWidth(std::string_view(word.data(), word.size()));
    if (used > indent && used + 1 + width > columns) {
      absl::StrAppend(&lines, "\n", std::string(indent, ' '));
      used = indent;
    } else if (used > indent) {
      lines += ' ';
      ++used;
    }
    absl::StrAppend(&lines, word);
    used += width;
  }
  return lines + "\n";
}

std::string Shown(const Json& object, const char* key) {
  return Printable(object.value(key, ""), LineBreaks::kToBlanks);
}

// The columns of the lines about shares.
struct ShareColumns {
  std::size_t name = 0;
  std::size_t bar = 0;
};

std::string ShareLine(const std::string& name, const Json& entry,
                      bool has_interval, const ShareColumns& width,
                      Palette palette) {
  const double share = std::clamp(Number(entry, "share"), 0.0, 1.0);
  const auto full = static_cast<std::size_t>(
      std::lround(share * static_cast<double>(width.bar)));
  std::string line = "  " + PadRight(name, width.name) + "  " +
                     Painted(std::string(full, '#'), Colour::kCyan, palette) +
                     std::string(width.bar - full, '.') +
                     PadLeft(ShareText(share), kShareWidth);
  if (has_interval) {
    line += PadLeft(absl::StrCat(Percent(Number(entry, "low")), " to ",
                                 Percent(Number(entry, "high")), " %"),
                    kIntervalWidth);
  }
  return line + "\n";
}

/// Returns "lr x momentum" for each pair. A parameter looks the same in all of
/// them.
std::vector<std::string> NamesOfPairs(const Json& pairs, std::size_t count) {
  constexpr std::string_view kTimes = " x ";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(Shown(pairs[i], "first"));
    names.push_back(Shown(pairs[i], "second"));
  }
  names = ShortNames(names, (kWidestName - kTimes.size()) / 2);
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < count; ++i) {
    shown.push_back(
        absl::StrCat(names[2 * i], std::string(kTimes), names[2 * i + 1]));
  }
  return shown;
}

std::string Heading(const std::string& text, Palette palette) {
  return "\n" + Painted(text, Colour::kBold, palette) + "\n";
}

std::string SharesText(const Json& insights, std::size_t columns,
                       Palette palette) {
  const Json all = insights.value("importance", Json::array());
  const Json pairs = insights.value("interactions", Json::array());
  const std::size_t count = std::min(all.size(), kMostParameters);
  const std::size_t num_pairs = std::min(pairs.size(), kMostInteractions);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(Shown(all[i], "parameter"));
  }
  names = ShortNames(names, kWidestName);
  for (std::string& name : NamesOfPairs(pairs, num_pairs)) {
    names.push_back(std::move(name));
  }
  ShareColumns width;
  for (const std::string& name : names) {
    width.name = std::max(width.name, DisplayWidth(name));
  }
  width.bar = std::min(kWidestBar,
                       columns - width.name - kShareWidth - kIntervalWidth - 4);
  std::string text =
      Heading("Share of the variation, and its 90 % interval", palette);
  for (std::size_t i = 0; i < count; ++i) {
    text += ShareLine(names[i], all[i], true, width, palette);
  }
  if (all.size() > count) {
    absl::StrAppend(&text, "  and ", all.size() - count, " more\n");
  }
  if (num_pairs == 0) return text;
  text += Heading("What two explain only together", palette);
  for (std::size_t i = 0; i < num_pairs; ++i) {
    text += ShareLine(names[count + i], pairs[i], false, width, palette);
  }
  return text;
}

// Returns the text for a study of several metrics.
std::string FrontText(const Json& insights, std::size_t columns,
                      Palette palette) {
  const Json growth = insights.value("frontGrowth", Json::object());
  const Json volumes = growth.value("hypervolume", Json::array());
  const Json trials = growth.value("trials", Json::array());
  const Json trade_offs = insights.value("tradeOffs", Json::array());
  if (volumes.empty() && trade_offs.empty()) return "";
  std::string text = Heading("The front", palette);
  if (!volumes.empty() && trials.size() == volumes.size()) {
    const double last = volumes.back().get<double>();
    // Finds the first trial with which the front was nearly as wide.
    constexpr double kNearly = 0.95;
    std::size_t nearly = 0;
    while (volumes[nearly].get<double>() < kNearly * last) ++nearly;
    text += Wrap(
        "  ",
        absl::StrCat("Its hypervolume is ", ShortNumber(last), "; trial ",
                     trials.back().get<std::string>(),
                     " was the last to widen it, and 95 % of it were there ",
                     "with trial ", trials[nearly].get<std::string>(), "."),
        columns);
  }
  for (const Json& one : trade_offs) {
    text += Wrap("  ", Printable(one.get<std::string>(), LineBreaks::kToBlanks),
                 columns);
  }
  return text;
}

// Returns the text about points with several results.
std::string PointsText(const Json& insights, Palette palette) {
  const Json points = insights.value("points", Json::array());
  if (points.empty()) return "";
  std::string text = Heading(
      "Points tried several times, and the 95 % interval of the mean", palette);
  for (const Json& point : points) {
    absl::StrAppend(&text, "  trial ", point.value("trialId", "0"), ": ",
                    Short(point, "mean"), " (", Short(point, "low"), " to ",
                    Short(point, "high"), ") of ", point.value("count", 0),
                    " results\n");
  }
  return text;
}

// Returns the text about trials that died.
std::string FailuresText(const Json& insights, std::size_t columns,
                         Palette palette) {
  const Json failures = insights.value("failures", Json::array());
  if (failures.empty()) return "";
  std::string text = Heading("Trials that died", palette);
  for (const Json& kind : failures) {
    text += Wrap("  - ", Shown(kind, "text"), columns);
  }
  return text;
}

std::string BestText(const Json& insights, std::size_t columns,
                     Palette palette) {
  const Json best = insights.value("predictedBest", Json::object());
  const Json prediction = best.value("prediction", Json::object());
  std::string text = Heading("Predicted best", palette);
  text += Wrap(
      "  ",
      absl::StrCat(Shown(insights, "metric"), " ", Short(prediction, "mean"),
                   ", most likely between ", Short(prediction, "low"), " and ",
                   Short(prediction, "high"), ", with"),
      columns);
  for (const Json& parameter : best.value("parameters", Json::array())) {
    absl::StrAppend(&text, "    ", Shown(parameter, "name"), " = ",
                    Shown(parameter, "value"), "\n");
  }
  return text;
}

std::string TrustText(const Json& insights, std::size_t columns,
                      Palette palette) {
  const Json calibration = insights.value("calibration", Json::object());
  const std::size_t count = calibration.value("trials", Json::array()).size();
  std::string text = Heading("How far to trust it", palette);
  text +=
      Wrap("  ",
           absl::StrCat(
               "Of ", count, " results, each predicted from all others, ",
               ShareText(Number(calibration, "coverage")),
               " lie within one standard deviation (", kRightCoverage,
               " % would be right); log score ",
               ShortNumber(std::round(1000 * Number(calibration, "logScore")) /
                           1000),
               "."),
           columns);
  text += Heading("What the next trial promises", palette);
  text += Wrap(
      "  ",
      absl::StrCat("It improves the best with a probability of ",
                   ShareText(Number(insights, "improvementProbability")),
                   "; expected gain: ", Short(insights, "expectedGain"), "."),
      columns);
  return text;
}

}  // namespace

absl::StatusOr<std::string> InsightsText(std::string_view study,
                                         std::string_view insights,
                                         std::size_t columns, Palette palette) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(insights));
  if (!document.is_object()) {
    return absl::InvalidArgumentError("insights must be a JSON object");
  }
  const std::string count = document.value("observationCount", "0");
  std::string head = absl::StrCat(Printable(study, LineBreaks::kToBlanks), ": ",
                                  count, count == "1" ? " result" : " results");
  if (const std::string metric = Shown(document, "metric"); !metric.empty()) {
    absl::StrAppend(&head, " of ", metric, " (",
                    absl::AsciiStrToLower(document.value("goal", "")), ")");
  }
  if (!document.value("hasModel", false)) {
    return Wrap("",
                absl::StrCat(head, ". There are no insights yet: ",
                             Shown(document, "reason"), "."),
                columns) +
           PointsText(document, palette) +
           FailuresText(document, columns, palette);
  }
  std::string text = Wrap("", head, columns);
  text += FrontText(document, columns, palette);
  text += SharesText(document, columns, palette);
  text += BestText(document, columns, palette);
  text += PointsText(document, palette);
  text += FailuresText(document, columns, palette);
  text += TrustText(document, columns, palette);
  const Json advice = document.value("advice", Json::array());
  if (!advice.empty()) text += Heading("Advice", palette);
  for (const Json& one : advice) {
    text += Wrap("  - ", Shown(one, "text"), columns);
  }
  return text;
}

absl::StatusOr<TextTable> ImportanceTable(std::string_view insights) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(insights));
  TextTable table{{"PARAMETER", "SHARE", "LOW", "HIGH"}, {}};
  for (const Json& entry : document.value("importance", Json::array())) {
    table.rows.push_back({entry.value("parameter", ""), Short(entry, "share"),
                          Short(entry, "low"), Short(entry, "high")});
  }
  return table;
}

}  // namespace vernier
