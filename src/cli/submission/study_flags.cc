#include "cli/submission/study_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "study/study_file/study_file_writer.h"
#include "study/study_file/value_forms.h"

namespace vernier {
namespace {

constexpr char kForms[] =
    "1e-5..1, int:1..8, float:0..1, log:1e-5..1, sgd,adam or choice:32,64";
constexpr std::string_view kDots = "..";

bool IsNumber(const std::string& text) { return NumberIn(text).has_value(); }

// Returns whether the number is written without a point and an exponent.
bool IsWhole(const std::string& text) {
  return IsNumber(text) && text.find_first_of(".eE") == std::string::npos;
}

absl::Status Wrong(const std::string& flag) {
  return absl::InvalidArgumentError(absl::StrCat(
      "-p ", flag, ": must be NAME=VALUES, where VALUES is ", kForms));
}

// Returns "A..B" with the kind of numbers, or "" if the flag gives none.
absl::StatusOr<std::string> Range(const std::string& flag,
                                  const std::string& kind,
                                  const std::string& text) {
  const std::size_t dots = text.find(kDots);
  const std::string low = text.substr(0, dots);
  const std::string high =
      dots == std::string::npos ? "" : text.substr(dots + kDots.size());
  if (!IsNumber(low) || !IsNumber(high)) return Wrong(flag);
  const std::string word = !kind.empty()                   ? kind
                           : IsWhole(low) && IsWhole(high) ? "int"
                                                           : "float";
  return absl::StrCat("{", word, ": [", low, ", ", high, "]}");
}

// Keeps true and false as booleans.
std::string ItemText(const std::string& item) {
  return item == "true" || item == "false" ? item : YamlWord(item);
}

absl::StatusOr<std::string> List(const std::string& flag, bool is_choice,
                                 const std::string& text) {
  std::vector<std::string> items = absl::StrSplit(text, ',');
  if (std::any_of(items.begin(), items.end(),
                  [](const std::string& item) { return item.empty(); })) {
    return Wrong(flag);
  }
  if (!is_choice && std::all_of(items.begin(), items.end(), IsNumber)) {
    std::stable_sort(items.begin(), items.end(),
                     [](const std::string& a, const std::string& b) {
                       return ParseNumber(a).value < ParseNumber(b).value;
                     });
    return absl::StrCat("{values: [", absl::StrJoin(items, ", "), "]}");
  }
  for (std::string& item : items) item = ItemText(item);
  return absl::StrCat("{choice: [", absl::StrJoin(items, ", "), "]}");
}

// Returns "lr: {log: [1e-5, 1]}" for "lr=log:1e-5..1".
absl::StatusOr<std::string> ParameterLine(const std::string& flag) {
  const std::size_t equals = flag.find('=');
  if (equals == std::string::npos || equals == 0) return Wrong(flag);
  const std::string name = flag.substr(0, equals);
  std::string values = flag.substr(equals + 1);
  std::string kind;
  for (const char* each : {"float", "int", "log", "choice", "values"}) {
    const std::string prefix = absl::StrCat(each, ":");
    if (!values.starts_with(prefix)) continue;
    kind = each;
    values.erase(0, prefix.size());
    break;
  }
  const bool is_list =
      kind == "choice" || kind == "values" ||
      (kind.empty() && values.find(kDots) == std::string::npos);
  VERNIER_ASSIGN_OR_RETURN(const std::string range,
                           is_list ? List(flag, kind == "choice", values)
                                   : Range(flag, kind, values));
  return absl::StrCat(YamlWord(name), ": ", range);
}

// Returns "accuracy: maximize" for "accuracy:max".
absl::StatusOr<std::string> MetricText(const std::string& flag) {
  const std::size_t colon = flag.rfind(':');
  const std::string goal = colon == std::string::npos
                               ? ""
                               : absl::AsciiStrToLower(flag.substr(colon + 1));
  const bool is_max = goal == "max" || goal == "maximize";
  if (colon == 0 || (!is_max && goal != "min" && goal != "minimize")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "-m ", flag, ": must be NAME:max or NAME:min, such as accuracy:max"));
  }
  return absl::StrCat(YamlWord(flag.substr(0, colon)), ": ",
                      is_max ? "maximize" : "minimize");
}

}  // namespace

void DeclareStudyFlags(CLI::App& app, StudyFlags* flags) {
  app.add_option("-p,--parameter", flags->parameters,
                 absl::StrCat("NAME=VALUES, without a file: ", kForms))
      ->allow_extra_args(false);
  app.add_option("-m,--metric", flags->metrics,
                 "NAME:max or NAME:min, without a file; several metrics are "
                 "several objectives")
      ->allow_extra_args(false);
  app.add_option("--seed", flags->seed, "Of the suggestions, without a file");
  app.add_option("--save", flags->save,
                 "Write the study file that -p and -m stand for");
}

bool IsGiven(const StudyFlags& flags) {
  return !flags.parameters.empty() || !flags.metrics.empty() ||
         flags.seed.has_value() || flags.save.has_value();
}

absl::StatusOr<std::string> StudyFileText(
    const StudyFlags& flags, const std::vector<std::string>& program,
    std::optional<int> trials, std::optional<int> parallel) {
  const auto missing = [](const char* what) {
    return absl::InvalidArgumentError(absl::StrCat(
        what,
        " is missing: vernier run -p lr=log:1e-5..1 -m loss:min -n 20 -- "
        "python3 train.py"));
  };
  if (flags.parameters.empty()) return missing("-p NAME=VALUES");
  if (flags.metrics.empty()) return missing("-m NAME:max or NAME:min");
  if (!trials.has_value()) return missing("-n, the number of trials,");
  if (program.empty()) return missing("the program, after --,");
  std::vector<std::string> metrics;
  for (const std::string& flag : flags.metrics) {
    VERNIER_ASSIGN_OR_RETURN(metrics.emplace_back(), MetricText(flag));
  }
  std::string text =
      absl::StrCat("run: ", CommandText(program), "\nmetric: {",
                   absl::StrJoin(metrics, ", "), "}\nparameters:\n");
  for (const std::string& flag : flags.parameters) {
    VERNIER_ASSIGN_OR_RETURN(const std::string line, ParameterLine(flag));
    absl::StrAppend(&text, "  ", line, "\n");
  }
  absl::StrAppend(&text, "trials: ", *trials, "\n");
  if (parallel.has_value())
    absl::StrAppend(&text, "parallel: ", *parallel, "\n");
  if (flags.seed.has_value())
    absl::StrAppend(&text, "seed: ", *flags.seed, "\n");
  return text;
}

absl::Status SaveStudy(const std::string& path, const std::string& text) {
  if (std::ifstream old(path, std::ios::binary); old) {
    std::ostringstream there;
    there << old.rdbuf();
    if (there.str() == text) return absl::OkStatus();
    return absl::AlreadyExistsError(absl::StrCat(
        "--save ", path,
        ": there is a file with another text; remove it or give another name"));
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--save ", path, ": cannot be written"));
}

}  // namespace vernier
