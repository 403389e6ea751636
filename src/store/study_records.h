#ifndef VERNIER_STORE_STUDY_RECORDS_H_
#define VERNIER_STORE_STUDY_RECORDS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "study/ids.h"
#include "study/metric_report.h"
#include "study/study_spec.h"
#include "study/study_state.h"

namespace vernier {

/// A value that a client stores under a key; it is never interpreted.
struct MetadataValue {
  bool is_text = true;  ///< Else bytes, such as a serialized message.
  std::string value;

  friend bool operator==(const MetadataValue&, const MetadataValue&) = default;
};

/// Namespace and key.
using MetadataKey = std::pair<std::string, std::string>;
using Metadata = std::map<MetadataKey, MetadataValue>;

/// A spec as its owner wrote it, so that the same API returns it unchanged.
struct OriginalSpec {
  std::string format;  ///< The format of the bytes, e.g. "vizier.StudySpec".
  std::string bytes;

  friend bool operator==(const OriginalSpec&, const OriginalSpec&) = default;
};

/// An edit of the search of a study that clients run: the version of its spec
/// that it made, and the spec that it replaced. Immutable.
struct SpecEdit {
  int version = 2;                            ///< 2, 3, ... in its study.
  std::shared_ptr<const StudySpec> replaced;  ///< Of the version before.
  std::string changes;                        ///< What changed, in words.
  /// What the client keeps with the space that it gave; never interpreted.
  /// Empty: what it gave with the original spec.
  std::string client_data;
  Timestamp at{};
};

/// The format of the spec of a study that has no search space when it is made:
/// its trials declare their parameters while they run.
inline constexpr char kGrowingSpecFormat[] = "optuna.Study";

/// Namespaces that begin so hold what a trial of such a study declares; it is
/// final with the trial.
inline constexpr char kDeclaredNamespace[] = ":optuna.";

/// The answer to a client that asked for suggestions.
struct OperationRecord {
  std::int64_t number = 0;  ///< 1, 2, ... in its study.
  std::string client_id;
  std::vector<TrialId> trials;
  Timestamp answered_at{};
};

/// A study to add that its clients run.
struct NewStudy {
  std::string name;                       ///< PARENT/studies/NAME.
  std::shared_ptr<const StudySpec> spec;  ///< Valid.
  OriginalSpec original;
  Metadata metadata;
  std::uint64_t seed = 0;
  /// The limit as in NewJob, for the project of `name`.
  std::optional<int> max_studies = std::nullopt;
};

}  // namespace vernier

#endif  // VERNIER_STORE_STUDY_RECORDS_H_
