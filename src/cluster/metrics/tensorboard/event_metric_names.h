#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_METRIC_NAMES_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_METRIC_NAMES_H_

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// What a folder of event files is for, by the last of its parts that says so,
/// in any case: "logs/validation", "eval_holdout", "loss_train". In the order
/// of precedence: where several folders have a metric's tag, the series of the
/// greatest one counts.
enum class EventFolderKind {
  kTraining,    ///< "train", "training", "learn".
  kUndecided,   ///< No part says so.
  kTest,        ///< "test", "testing".
  kValidation,  ///< "validation", "val", "valid", "eval", "evaluation", "dev".
};

/// How much a series of points speaks for a metric's name. Of two series with
/// one name the greater one counts; of equal ones, the later time of a step.
struct EventSeriesRank {
  /// The tag alone is the name; else the folder belongs to the name, which says
  /// less: the tag may as well have been written so.
  bool is_tag = true;
  EventFolderKind kind = EventFolderKind::kUndecided;
  /// N of the last part "version_N" of the folder; 0 if there is none. A
  /// program that is started again has the next one.
  std::int64_t version = 0;

  friend auto operator<=>(const EventSeriesRank&,
                          const EventSeriesRank&) = default;
};

/// One name of a series.
struct EventMetricName {
  std::string metric;
  EventSeriesRank rank;
};

/// The names that the points of `tag` in the event files of `folder` count as;
/// `folder` is relative to where the attempt's event files are looked for, and
/// empty or "." for that folder itself. They are the tag ("epoch_loss"), and
/// the tag below each end of the folder's path ("validation/epoch_loss",
/// "logs/validation/epoch_loss").
///
/// The first is the one to list the series under if nobody asks for another:
/// the tag, in an undecided folder; else the tag below the part that decides.
/// Names longer than kMaxMetricName are left out; at most 16 are given. Pure.
std::vector<EventMetricName> EventMetricNames(std::string_view folder,
                                              std::string_view tag);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_METRIC_NAMES_H_
