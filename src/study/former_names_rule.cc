#include "study/former_names_rule.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "study/measurement.h"

namespace vernier {
namespace {

std::string WhyNoListOfNames(const std::string& metric,
                             const std::vector<std::string>& former) {
  if (former.empty() || former.size() > kMostFormerNames) {
    return absl::StrCat("must have 1 to ", kMostFormerNames,
                        " names of a metric: ", InQuotes(metric), " has ",
                        former.size());
  }
  for (const std::string& name : former) {
    if (name.empty() || name.size() > kMaxMetricName) {
      return absl::StrCat("must have names of 1 to ", kMaxMetricName,
                          " bytes: one of ", InQuotes(metric), " has ",
                          name.size());
    }
  }
  return "";
}

}  // namespace

std::string WhyNoFormerNames(const FormerNames& names,
                             const std::vector<std::string>& metrics) {
  for (const auto& [metric, former] : names) {
    if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) {
      return absl::StrCat(
          "has ", InQuotes(metric), ", which is no metric",
          DidYouMean(metric, std::vector<std::string_view>(metrics.begin(),
                                                           metrics.end())));
    }
    std::string why = WhyNoListOfNames(metric, former);
    if (!why.empty()) return why;
  }
  // A name in two lists, or the unchanged name of one metric in the list of
  // another, would be of two metrics.
  std::set<std::string> taken;
  for (const std::string& metric : metrics) {
    const auto found = names.find(metric);
    const std::vector<std::string> had =
        found == names.end() ? std::vector{metric} : found->second;
    for (const std::string& name : had) {
      if (!taken.insert(name).second) {
        return absl::StrCat("has the name ", InQuotes(name), " twice");
      }
    }
  }
  return "";
}

}  // namespace vernier
