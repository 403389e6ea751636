#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_METRIC_NAMES_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_METRIC_NAMES_H_

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// The purpose of a folder of event files. The last part of its path that
/// states one decides, in any letter case: "logs/validation", "eval_holdout",
/// "loss_train". In order of precedence: if several folders have a metric's
/// tag, the series of the greatest kind counts.
enum class EventFolderKind {
  kTraining,    ///< "train", "training", "learn".
  kUndecided,   ///< No part says so.
  kTest,        ///< "test", "testing".
  kValidation,  ///< "validation", "val", "valid", "eval", "evaluation", "dev".
};

/// The rank of a series of points among those that match a metric's name. Of
/// two series with one name the greater one counts; of equal ones, the later
/// time of a step.
struct EventSeriesRank {
  /// The name is the tag alone. If false, it includes a part of the folder,
  /// which is weaker evidence: the tag might have been written that way.
  bool is_tag = true;
  EventFolderKind kind = EventFolderKind::kUndecided;
  /// N of the last part "version_N" of the folder; 0 if there is none. A
  /// program that is started again gets the next number.
  std::int64_t version = 0;

  friend auto operator<=>(const EventSeriesRank&,
                          const EventSeriesRank&) = default;
};

/// One name of a series, with its rank.
struct EventMetricName {
  std::string metric;
  EventSeriesRank rank;
};

/// Returns the names under which the points of `tag` in the event files of
/// `folder` count. `folder` is relative to the folder that is searched for the
/// attempt's event files, and empty or "." for that folder itself. The names
/// are the tag ("epoch_loss"), and the tag below each end of the folder's path
/// ("validation/epoch_loss", "logs/validation/epoch_loss").
///
/// The first name is the one under which to list the series if nobody asks for
/// another: the tag, in a folder of undecided kind; else the tag below the part
/// that decides the kind. Names longer than kMaxMetricName are left out; at
/// most 16 are returned. Pure.
std::vector<EventMetricName> EventMetricNames(std::string_view folder,
                                              std::string_view tag);

/// Returns N of the last part "version_N" of the folder; 0 if there is none.
std::int64_t FolderVersion(std::string_view folder);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_EVENT_METRIC_NAMES_H_
