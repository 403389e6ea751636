#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_MESSAGE_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// One number of a summary.
struct SummaryScalar {
  std::string_view tag;  ///< Points into the event.
  double value = 0;
};

/// One event of TensorBoard, as far as it tells of numbers.
struct EventMessage {
  double wall_time = 0;  ///< Seconds since 1970, or whatever was written.
  std::int64_t step = 0;
  /// The program began (again) at this step: what it wrote before of this and
  /// later steps counts no more.
  bool is_restart = false;
  /// N of "brain.Event:N", which a file's first event has; 0 if it is no
  /// number.
  std::optional<std::int64_t> file_version;
  /// At most kMaxMetricsOfRecord.
  std::vector<SummaryScalar> scalars;
  /// Why some numbers are not among them; at most kMaxMetricProblems.
  std::vector<std::string> problems;
};

/// Reads an event. Numbers are simple values and tensors of one element, if
/// they name no plugin or "scalars"; unknown fields and whatever else a summary
/// may hold (images, histograms, texts) are passed over. nullopt if the
/// message is malformed. `message` must outlive what is returned. Pure. Linear.
std::optional<EventMessage> ReadEventMessage(std::string_view message);

/// Whether an event that begins with `prefix` holds a summary, so far as the
/// prefix shows it.
bool BeginsSummary(std::string_view prefix);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_MESSAGE_H_
