#include "study/metric_report.h"

#include <bit>
#include <utility>

#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

Json ToJson(const MetricReport& report) {
  Json metrics = Json::array();
  for (const MetricValue& one : report.metrics) {
    metrics.push_back({one.metric, std::bit_cast<std::int64_t>(one.value)});
  }
  return {{"step", report.step},
          {"elapsedUs", report.elapsed.count()},
          {"metrics", std::move(metrics)}};
}

absl::StatusOr<MetricReport> FromJson(const Json& json) {
  const auto wrong = [] {
    return absl::InvalidArgumentError("not a report of metrics");
  };
  if (!json.is_object()) return wrong();
  for (const char* name : {"step", "elapsedUs"}) {
    if (!json.contains(name) || !json.at(name).is_number_integer()) {
      return wrong();
    }
  }
  if (!json.contains("metrics") || !json.at("metrics").is_array()) {
    return wrong();
  }
  MetricReport report;
  report.step = json.at("step").get<std::int64_t>();
  report.elapsed =
      std::chrono::microseconds(json.at("elapsedUs").get<std::int64_t>());
  for (const Json& item : json.at("metrics")) {
    if (!item.is_array() || item.size() != 2 || !item[0].is_string() ||
        !item[1].is_number_integer()) {
      return wrong();
    }
    report.metrics.push_back(
        {item[0].get<std::string>(),
         std::bit_cast<double>(item[1].get<std::int64_t>())});
  }
  return report;
}

}  // namespace

std::string MetricReportToJson(const MetricReport& report) {
  return DumpJson(ToJson(report));
}

absl::StatusOr<MetricReport> MetricReportFromJson(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  return FromJson(json);
}

std::string MetricReportsToJson(const std::vector<MetricReport>& reports) {
  Json list = Json::array();
  for (const MetricReport& report : reports) list.push_back(ToJson(report));
  return DumpJson(list);
}

absl::StatusOr<std::vector<MetricReport>> MetricReportsFromJson(
    std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  if (!json.is_array()) {
    return absl::InvalidArgumentError("not a list of reports");
  }
  std::vector<MetricReport> reports;
  for (const Json& item : json) {
    VERNIER_ASSIGN_OR_RETURN(reports.emplace_back(), FromJson(item));
  }
  return reports;
}

}  // namespace vernier
