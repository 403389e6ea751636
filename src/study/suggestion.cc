#include "study/suggestion.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

struct MethodText {
  SuggestionMethod method;
  std::string_view name;
  std::string_view text;
};

constexpr MethodText kMethods[] = {
    {SuggestionMethod::kUser, "USER", "was given by hand"},
    {SuggestionMethod::kDefaults, "DEFAULTS",
     "holds the defaults, and the middle of each range without one"},
    {SuggestionMethod::kDesign, "INITIAL_DESIGN",
     "is part of the space-filling design that comes before any model"},
    {SuggestionMethod::kGrid, "GRID", "is the next point of the grid"},
    {SuggestionMethod::kRandom, "RANDOM", "was drawn at random"},
    {SuggestionMethod::kQuasiRandom, "QUASI_RANDOM",
     "is the next point of a scrambled Sobol' sequence"},
    {SuggestionMethod::kImprovement, "EXPECTED_IMPROVEMENT",
     "promised the largest expected improvement on the best result"},
    {SuggestionMethod::kExploration, "EXPLORATION",
     "promised, since the last results had brought next to nothing, the "
     "largest expected improvement that would be more than a refinement"},
    {SuggestionMethod::kConfidenceBound, "UPPER_CONFIDENCE_BOUND",
     "had the highest upper confidence bound, given where other trials were "
     "still running"},
    {SuggestionMethod::kAwayFromFailures, "AWAY_FROM_FAILURES",
     "was chosen far from the trials so far, all of which had failed"},
    {SuggestionMethod::kUntried, "UNTRIED",
     "was drawn from the configurations that had not been tried"},
};

const MethodText& TextOf(SuggestionMethod method) {
  for (const MethodText& entry : kMethods) {
    if (entry.method == method) return entry;
  }
  return kMethods[0];
}

}  // namespace

std::string_view MethodName(SuggestionMethod method) {
  return TextOf(method).name;
}

std::optional<SuggestionMethod> MethodFromName(std::string_view name) {
  for (const MethodText& entry : kMethods) {
    if (entry.name == name) return entry.method;
  }
  return std::nullopt;
}

std::string SuggestionRecordToJson(const SuggestionRecord& record) {
  Json json = Json::object();
  json["method"] = MethodName(record.method);
  json["completed"] = record.num_completed;
  json["pending"] = record.num_pending;
  if (record.num_fitted > 0) json["fitted"] = record.num_fitted;
  if (record.prediction.has_value()) {
    json["mean"] = record.prediction->mean;
    json["low"] = record.prediction->low;
    json["high"] = record.prediction->high;
  }
  if (record.acquisition.has_value()) json["acquisition"] = *record.acquisition;
  if (record.stopped_part.has_value()) {
    json["stopped_part"] = *record.stopped_part;
  }
  if (!record.fallback.empty()) json["fallback"] = record.fallback;
  if (!record.instruction_set.empty()) {
    json["instruction_set"] = record.instruction_set;
  }
  if (record.milliseconds.has_value()) {
    json["milliseconds"] = *record.milliseconds;
  }
  return DumpJson(json);
}

absl::StatusOr<SuggestionRecord> SuggestionRecordFromJson(
    std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  SuggestionRecord record;
  try {
    const auto method = MethodFromName(json.at("method").get<std::string>());
    if (!method.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown suggestion method in: ", std::string(text)));
    }
    record.method = *method;
    record.num_completed = json.value("completed", std::int64_t{0});
    record.num_pending = json.value("pending", std::int64_t{0});
    record.num_fitted = json.value("fitted", std::int64_t{0});
    if (json.contains("mean")) {
      record.prediction = Prediction{json.at("mean").get<double>(),
                                     json.at("low").get<double>(),
                                     json.at("high").get<double>()};
    }
    if (json.contains("acquisition")) {
      record.acquisition = json.at("acquisition").get<double>();
    }
    if (json.contains("stopped_part")) {
      record.stopped_part = json.at("stopped_part").get<double>();
    }
    record.fallback = json.value("fallback", "");
    record.instruction_set = json.value("instruction_set", "");
    if (json.contains("milliseconds")) {
      record.milliseconds = json.at("milliseconds").get<double>();
    }
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("stored suggestion: ", error.what()));
  }
  return record;
}

std::string DescribeSuggestion(const SuggestionRecord& record) {
  // No result had a part in the choice, so none is mentioned.
  if (record.method == SuggestionMethod::kUser) {
    return absl::StrCat("It ", std::string(TextOf(record.method).text),
                        ", and so came before any suggestion.");
  }
  const auto count = [](std::int64_t n, const char* noun) {
    return absl::StrCat(n, " ", noun, n == 1 ? "" : "s");
  };
  std::string text =
      absl::StrCat("It ", std::string(TextOf(record.method).text));
  if (record.stopped_part.has_value()) {
    absl::StrAppend(
        &text,
        absl::StrFormat(" per training (%.2g of one where it wins nothing)",
                        *record.stopped_part));
  }
  // Random points do not depend on results, except that they repeat none.
  if (record.method != SuggestionMethod::kRandom &&
      record.method != SuggestionMethod::kQuasiRandom) {
    absl::StrAppend(&text, ", knowing ", count(record.num_completed, "result"),
                    " and ", count(record.num_pending, "running trial"));
  }
  text += ".";
  if (record.prediction.has_value()) {
    absl::StrAppend(
        &text,
        absl::StrFormat(" Expected of it: %.6g, most likely between %.6g and "
                        "%.6g (one standard deviation).",
                        record.prediction->mean, record.prediction->low,
                        record.prediction->high));
  }
  if (record.milliseconds.has_value()) {
    absl::StrAppend(&text, absl::StrFormat(" Choosing it took %.3g ms.",
                                           *record.milliseconds));
  }
  if (!record.fallback.empty()) {
    absl::StrAppend(&text, " Not as usual: ", record.fallback, ".");
  }
  return text;
}

}  // namespace vernier
