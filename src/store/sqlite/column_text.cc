#include "store/sqlite/column_text.h"

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {

absl::StatusOr<std::vector<std::string>> ReadStrings(const std::string& text) {
  std::vector<std::string> strings;
  if (text == "[]") return strings;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  for (const Json& item : json) {
    if (!item.is_string()) return absl::DataLossError("expected a string");
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

absl::StatusOr<std::vector<SeenMetric>> ReadSeenMetrics(const std::string& text,
                                                        MetricRoad road) {
  std::vector<SeenMetric> metrics;
  if (text == "[]") return metrics;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  for (const Json& item : json) {
    if (item.is_string()) {
      metrics.push_back({item.get<std::string>(), road});
      continue;
    }
    const bool is_pair = item.is_array() && item.size() == 2 &&
                         item[0].is_string() && item[1].is_number_integer() &&
                         IsMetricRoad(item[1].get<std::int64_t>());
    if (!is_pair) return absl::DataLossError("expected a metric and its road");
    metrics.push_back({item[0].get<std::string>(),
                       static_cast<MetricRoad>(item[1].get<int>())});
  }
  return metrics;
}

absl::StatusOr<std::map<TrialEndCause, int>> ReadEndCounts(
    const std::string& text) {
  std::map<TrialEndCause, int> ended;
  if (text == "[]") return ended;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  for (const Json& item : json) {
    if (!item.is_array() || item.size() != 2 || !item[0].is_number_integer() ||
        !item[1].is_number_integer()) {
      return absl::DataLossError("expected pairs of a cause and a count");
    }
    ended[static_cast<TrialEndCause>(item[0].get<int>())] = item[1].get<int>();
  }
  return ended;
}

absl::StatusOr<std::map<std::string, std::string>> ReadLabels(
    const std::string& text) {
  std::map<std::string, std::string> labels;
  if (text == "{}") return labels;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) return absl::DataLossError("expected a string");
    labels[key] = value.get<std::string>();
  }
  return labels;
}

absl::Status Damaged(const std::string& what, const absl::Status& why) {
  return absl::DataLossError(absl::StrCat("the database holds a damaged ", what,
                                          ": ", std::string(why.message())));
}

}  // namespace vernier
