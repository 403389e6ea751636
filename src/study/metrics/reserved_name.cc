#include "study/metrics/reserved_name.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "study/metrics/metric_sources.h"

namespace vernier {
namespace {

constexpr std::string_view kOfLines[] = {"step", "time"};
constexpr std::string_view kOfHypertune[] = {"timestamp", "trial",
                                             "global_step", "checkpoint_path"};

template <std::size_t n>
bool IsOneOf(std::string_view name, const std::string_view (&names)[n]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

bool IsReservedName(std::string_view name, MetricSourceKind source) {
  switch (source) {
    case MetricSourceKind::kReport:
    case MetricSourceKind::kMetricFile:
      return IsOneOf(name, kOfLines);
    case MetricSourceKind::kHypertuneFile:
      return IsOneOf(name, kOfHypertune);
    case MetricSourceKind::kTensorBoard:
    case MetricSourceKind::kWandb:
    case MetricSourceKind::kTrackio:
    case MetricSourceKind::kCsvFile:
    case MetricSourceKind::kStdout:
      break;
  }
  return false;
}

std::string WhyNotHeard(std::string_view name,
                        const std::vector<MetricSourceKind>& sources) {
  std::vector<std::string> deaf;
  std::vector<std::string> hearing;
  for (const EnumName<MetricSourceKind>& each : kMetricSourceKinds) {
    const bool is_reserved = IsReservedName(name, each.value);
    if (!is_reserved) hearing.emplace_back(each.name);
    if (is_reserved && ListensTo(sources, each.value)) {
      deaf.emplace_back(each.name);
    }
  }
  if (deaf.empty()) return "";
  return absl::StrCat(
      "is \"", std::string(name), "\", which is no metric in ",
      absl::StrJoin(deaf, " and "),
      " but says something of the others there; name the metric otherwise "
      "(\"my_",
      std::string(name),
      "\"), or listen elsewhere alone: "
      "vernier.metricSources: [",
      absl::StrJoin(hearing, ", "), "]");
}

}  // namespace vernier
