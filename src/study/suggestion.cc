#include "study/suggestion.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/counted_noun.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/utf8.h"

namespace vernier {
namespace {

struct MethodText {
  SuggestionMethod method;
  std::string_view name;
  // `chosen` says in words by what the point was chosen, and `since` for which
  // property. `since` is empty where `chosen` says everything; methods that
  // have it use results.
  std::string_view chosen;
  std::string_view since;
};

constexpr std::string_view kByModel = "It was chosen by the Gaussian process";

constexpr MethodText kMethods[] = {
    {SuggestionMethod::kUser, "USER", "It was given by hand", ""},
    {SuggestionMethod::kDefaults, "DEFAULTS",
     "It is the point of the defaults, and of the middle of each range without "
     "one",
     ""},
    {SuggestionMethod::kNearDefaults, "NEAR_DEFAULTS",
     "It is the point nearest to that of the defaults, and of the middle of "
     "each "
     "range without one, that was found within the constraints between "
     "parameters",
     ""},
    {SuggestionMethod::kDesign, "INITIAL_DESIGN",
     "It is one of the points that are spread evenly over the space, without a "
     "model of the objective",
     ""},
    {SuggestionMethod::kGrid, "GRID", "It is the next point of the grid", ""},
    {SuggestionMethod::kRandom, "RANDOM", "It was drawn at random", ""},
    {SuggestionMethod::kQuasiRandom, "QUASI_RANDOM",
     "It is the next point of a sequence that is spread evenly over the space "
     "(Sobol')",
     ""},
    {SuggestionMethod::kImprovement, "EXPECTED_IMPROVEMENT", kByModel,
     "it promised the largest expected improvement on the best"},
    {SuggestionMethod::kExploration, "EXPLORATION", kByModel,
     "the last results had brought next to nothing, so it promised the largest "
     "improvement that would be more than a refinement"},
    {SuggestionMethod::kConfidenceBound, "UPPER_CONFIDENCE_BOUND", kByModel,
     "it could be the best of all, seen with optimism (upper confidence "
     "bound)"},
    {SuggestionMethod::kAwayFromFailures, "AWAY_FROM_FAILURES",
     "It was chosen far from the earlier trials, none of which had a final "
     "value",
     ""},
    {SuggestionMethod::kHypervolume, "EXPECTED_HYPERVOLUME", kByModel,
     "it promised to widen the front of the best trade-offs the most (expected "
     "hypervolume)"},
    {SuggestionMethod::kScalarization, "SCALARIZATION", kByModel,
     "it could be the best trade-off for a mix of the metrics that was drawn "
     "for it, seen with optimism"},
    {SuggestionMethod::kFeasibility, "FEASIBILITY", kByModel,
     "no earlier trial clearly met all constraints, and it was the most likely "
     "to"},
    {SuggestionMethod::kRepeat, "REPEAT", "It repeats an earlier trial", ""},
    {SuggestionMethod::kProposal, "PROPOSAL", "It was proposed", ""},
    {SuggestionMethod::kUnseenValue, "UNSEEN_VALUE", kByModel,
     "no trial had had one of its values, and of all such points it promised "
     "the most"},
    {SuggestionMethod::kUntried, "UNTRIED",
     "It was drawn from the configurations that had not been tried", ""},
};

static_assert(std::size(kMethods) ==
              static_cast<std::size_t>(kLastSuggestionMethod));

const MethodText& TextOf(SuggestionMethod method) {
  for (const MethodText& entry : kMethods) {
    if (entry.method == method) return entry;
  }
  return kMethods[0];
}

}  // namespace

absl::Status CheckSource(std::string_view source) {
  if (!source.empty() && source.size() <= kMaxSourceBytes &&
      FindInvalidUtf8(source) == std::string_view::npos &&
      ShowText(source, kMaxSourceBytes) == source) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the source, who proposes the point, must be a name of 1 to ",
      kMaxSourceBytes, " bytes without control characters: \"",
      ShowText(source), "\""));
}

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
  if (record.success_probability.has_value()) {
    json["success_probability"] = *record.success_probability;
  }
  if (record.repeat.has_value()) {
    json["repeat_of"] = record.repeat->trial;
    json["repeat"] = record.repeat->number;
    if (record.repeat->wanted > 0) json["repeats"] = record.repeat->wanted;
  }
  if (!record.learned_from.empty()) json["learned_from"] = record.learned_from;
  if (!record.source.empty()) json["source"] = record.source;
  if (record.follows_beliefs) json["follows_beliefs"] = true;
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
    if (json.contains("success_probability")) {
      record.success_probability = json.at("success_probability").get<double>();
    }
    if (json.contains("repeat_of")) {
      record.repeat =
          PointRepeat{json.at("repeat_of").get<std::int64_t>(),
                      json.at("repeat").get<int>(), json.value("repeats", 0)};
    }
    record.learned_from =
        json.value("learned_from", std::vector<std::string>());
    record.source = json.value("source", "");
    record.follows_beliefs = json.value("follows_beliefs", false);
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

std::string DescribeRepeat(const PointRepeat& repeat) {
  std::string text = absl::StrCat("It is repeat ", repeat.number);
  if (repeat.wanted > 0) absl::StrAppend(&text, " of ", repeat.wanted);
  absl::StrAppend(
      &text, " of trial ", repeat.trial,
      ": the same parameters again, because ",
      repeat.wanted > 0
          ? absl::StrCat("each point that may be the best is tried ",
                         repeat.wanted, " times")
          : "results seem noisy, and one more of this point was "
            "expected to improve the choice of the best more than "
            "a new point would");
  return text;
}

std::string DescribeProposal(const SuggestionRecord& record) {
  std::string text = absl::StrCat("It was proposed by \"", record.source, "\"");
  if (record.acquisition.has_value()) {
    absl::StrAppend(
        &text,
        absl::StrFormat(", which by its points so far is trusted to improve on "
                        "the best with a probability of %.0f %%, more than the "
                        "search by itself",
                        100 * *record.acquisition));
  }
  return text;
}

std::string DescribeChoice(const SuggestionRecord& record) {
  if (record.repeat.has_value()) return DescribeRepeat(*record.repeat);
  if (!record.source.empty()) return DescribeProposal(record);
  return std::string(TextOf(record.method).chosen);
}

std::string DescribeSuggestion(const SuggestionRecord& record) {
  const MethodText& method = TextOf(record.method);
  std::string text = DescribeChoice(record);
  if (!method.since.empty()) {
    absl::StrAppend(&text, " from ", Counted(record.num_completed, "result"));
    if (record.num_pending > 0) {
      absl::StrAppend(&text, ", with ", record.num_pending,
                      " more to come from running trials");
    }
    absl::StrAppend(&text, ": ", std::string(method.since));
    if (record.stopped_part.has_value()) {
      absl::StrAppend(
          &text, absl::StrFormat(", for what a trial costs: one without "
                                 "prospects is stopped after about %.0f %% of "
                                 "its training",
                                 std::max(1.0, 100 * *record.stopped_part)));
    }
  }
  text += ".";
  if (record.prediction.has_value()) {
    absl::StrAppend(
        &text, absl::StrFormat(" Expected of it: %.4g, most likely between "
                               "%.4g and %.4g.",
                               record.prediction->mean, record.prediction->low,
                               record.prediction->high));
  }
  if (record.success_probability.has_value()) {
    absl::StrAppend(
        &text,
        absl::StrFormat(" By where trials have failed, this one is predicted "
                        "not to fail with a probability of %.0f %%.",
                        100 * *record.success_probability));
  }
  if (!record.learned_from.empty()) {
    const bool is_one = record.learned_from.size() == 1;
    absl::StrAppend(&text, " The model has learned from the earlier ",
                    is_one ? "study " : "studies ",
                    absl::StrJoin(record.learned_from, ", "), ", too.");
  }
  if (record.follows_beliefs) {
    absl::StrAppend(&text,
                    " The beliefs about the best values drew it; they count "
                    "less with each result.");
  }
  if (!record.fallback.empty()) {
    absl::StrAppend(&text, " Not as usual: ", record.fallback, ".");
  }
  return text;
}

}  // namespace vernier
