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

/// The longest record of a JSON file that is read, in bytes; longer ones are
/// skipped.
inline constexpr std::size_t kMaxMetricLine = 65536;

/// The treatment of a last line without a newline.
enum class LastLine {
  kMayGrow,  ///< The writer may be in the middle of it: leave it.
  kIsDone,   ///< Nobody writes any more: take it if it is whole.
};

/// The most metrics that one record of a file (a line or an event) may have.
inline constexpr std::size_t kMaxMetricsOfRecord = 1000;
/// Once a reading has this many measurements, it takes no further record.
inline constexpr std::size_t kMaxMeasurementsOfReading = 10000;

/// The findings of a reader in the bytes that it was given.
struct FileReading {
  std::vector<Measurement> measurements;  ///< In the file's order.
  /// Descriptions of unreadable records, each with the beginning of the text in
  /// question; no duplicates, at most kMaxMetricProblems.
  std::vector<std::string> problems;
  /// The reading has reached its size limit: call again with the bytes from the
  /// reader's offset on, without waiting for the file to grow.
  bool has_more = false;
  /// The attributes that the program states about its trial: JSON values by
  /// name.
  std::map<std::string, std::string> attributes;
};

/// Adds the problem, unless it is there already or there are
/// kMaxMetricProblems.
void AddProblem(std::string problem, std::vector<std::string>& problems);

/// Adds a measurement. If its name is empty, longer than kMaxMetricName or not
/// UTF-8, adds a problem instead; `where` names the file or line in it ("the
/// event file").
void AddMeasurement(Measurement measurement, const std::string& where,
                    FileReading& reading);

/// Returns the time that is `seconds` after 1970, to the microsecond; nullopt
/// if that is not before the year 14,000.
std::optional<Timestamp> TimeOfSeconds(double seconds);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_FILE_READING_H_
