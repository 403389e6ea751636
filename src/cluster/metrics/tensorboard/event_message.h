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

/// The parts of one TensorBoard event that concern numbers.
struct EventMessage {
  double wall_time = 0;  ///< Seconds since 1970, or whatever was written.
  std::int64_t step = 0;
  /// The program started (again) at this step: what it wrote before for this
  /// and later steps is void.
  bool is_restart = false;
  /// N of "brain.Event:N", which a file's first event has; 0 if N is not a
  /// number.
  std::optional<std::int64_t> file_version;
  /// At most kMaxMetricsOfRecord.
  std::vector<SummaryScalar> scalars;
  /// The reasons why some numbers are not in `scalars`; at most
  /// kMaxMetricProblems.
  std::vector<std::string> problems;
};

/// Parses an event. Numbers are simple values and tensors of one element, if
/// they name no plugin or the plugin "scalars"; unknown fields and everything
/// else in a summary (images, histograms, texts) are ignored. nullopt if the
/// message is malformed. `message` must outlive the result. Pure. Linear.
std::optional<EventMessage> ReadEventMessage(std::string_view message);

/// Returns whether an event that begins with `prefix` contains a summary, as
/// far as the prefix shows it.
bool BeginsSummary(std::string_view prefix);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_MESSAGE_H_
