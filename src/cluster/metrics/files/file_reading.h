#ifndef VERNIER_CLUSTER_METRICS_FILES_FILE_READING_H_
#define VERNIER_CLUSTER_METRICS_FILES_FILE_READING_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "study/measurement.h"

namespace vernier {

/// Longest record of a file of JSON that is read; longer ones are skipped.
inline constexpr std::size_t kMaxMetricLine = 65536;

/// What is to become of a last line without a newline.
enum class LastLine {
  kMayGrow,  ///< The writer may be in the middle of it: leave it.
  kIsDone,   ///< Nobody writes any more: take it if it is whole.
};

/// Most metrics that one record of a file may have: a line, or an event.
inline constexpr std::size_t kMaxMetricsOfRecord = 1000;
/// Beyond as many measurements a reading takes no further record.
inline constexpr std::size_t kMaxMeasurementsOfReading = 10000;

/// What a reader found in the bytes that it was given.
struct FileReading {
  std::vector<Measurement> measurements;  ///< In the file's order.
  /// What made no sense, with the beginning of the text in question; each
  /// once, at most kMaxMetricProblems.
  std::vector<std::string> problems;
  /// The reading has become too large: the bytes from the reader's offset on
  /// are to be given again, without waiting for the file to grow.
  bool has_more = false;
  /// What the program says about its trial: JSON values by name.
  std::map<std::string, std::string> attributes;
};

/// Adds the problem, unless it is there already or there are
/// kMaxMetricProblems.
void AddProblem(std::string problem, std::vector<std::string>& problems);

/// Adds a measurement. One whose name is empty, longer than kMaxMetricName or
/// not UTF-8 becomes a problem instead; `where` says in which file or line
/// ("the event file").
void AddMeasurement(Measurement measurement, const std::string& where,
                    FileReading& reading);

/// The time that is so many seconds after 1970, to the microsecond; nullopt if
/// there is no such time before the year 14,000.
std::optional<Timestamp> TimeOfSeconds(double seconds);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_FILE_READING_H_
