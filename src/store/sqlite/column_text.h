#ifndef VERNIER_STORE_SQLITE_COLUMN_TEXT_H_
#define VERNIER_STORE_SQLITE_COLUMN_TEXT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/records.h"
#include "study/trial_state.h"

namespace vernier {

/// Read the columns that StringsToJson, SeenMetricsToJson, EndCountsToJson and
/// LabelsToJson (store/events/event_payload.h) wrote. DATA_LOSS or
/// INVALID_ARGUMENT for anything else.
absl::StatusOr<std::vector<std::string>> ReadStrings(const std::string& text);
/// Until schema 9 only names were written. They get `road` as their source.
absl::StatusOr<std::vector<SeenMetric>> ReadSeenMetrics(const std::string& text,
                                                        MetricRoad road);
absl::StatusOr<std::map<TrialEndCause, int>> ReadEndCounts(
    const std::string& text);
absl::StatusOr<std::map<std::string, std::string>> ReadLabels(
    const std::string& text);

/// DATA_LOSS for a row that cannot be read; `what` names the row.
absl::Status Damaged(const std::string& what, const absl::Status& why);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_COLUMN_TEXT_H_
