#include "cluster/metrics/files/file_reading.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/utf8.h"

namespace vernier {

void AddProblem(std::string problem, std::vector<std::string>& problems) {
  if (problems.size() < kMaxMetricProblems &&
      std::find(problems.begin(), problems.end(), problem) == problems.end()) {
    problems.push_back(std::move(problem));
  }
}

void AddMeasurement(Measurement measurement, const std::string& where,
                    FileReading& reading) {
  const std::string& name = measurement.metric;
  if (name.empty()) {
    AddProblem(absl::StrCat("a metric in ", where, " has no name"),
               reading.problems);
  } else if (name.size() > kMaxMetricName) {
    AddProblem(absl::StrCat("the name of a metric in ", where,
                            " must have at most ", kMaxMetricName, " bytes: ",
                            name.size(), " in \"", ShowText(name), "\""),
               reading.problems);
  } else if (const std::size_t end = FindInvalidUtf8(name);
             end != std::string_view::npos) {
    AddProblem(absl::StrCat("the name of a metric in ", where,
                            " is not UTF-8 from byte ", end, " on: \"",
                            ShowText(name.substr(0, end)), "\""),
               reading.problems);
  } else {
    reading.measurements.push_back(std::move(measurement));
  }
}

std::optional<Timestamp> TimeOfSeconds(double seconds) {
  constexpr double kLimit = 4e11;  // Year 14,000; in microseconds below 2^63.
  if (!(std::fabs(seconds) < kLimit)) return std::nullopt;
  return Timestamp(std::chrono::microseconds(
      static_cast<std::int64_t>(std::llround(seconds * 1e6))));
}

}  // namespace vernier
