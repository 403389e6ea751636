#ifndef VERNIER_FACES_DASHBOARD_STUDY_SUMMARY_H_
#define VERNIER_FACES_DASHBOARD_STUDY_SUMMARY_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "store/store.h"
#include "trials/clients/study_activity.h"
#include "trials/jobs/hindrances.h"

namespace vernier {

/// Returns the best values so far at the ends of trials, in their order, at
/// most `points` (>= 2) of them, the last one included. Pure. O(n log n).
std::vector<double> BestSoFar(const StudySnapshot& study, std::size_t points);

/// JSON texts about studies for the page's list. Each is made once for each
/// state of a study, because counting 10,000 trials for every open page would
/// cost more than everything else. Thread-safe.
class StudySummaries {
 public:
  /// Returns one JSON object of the list, as described in docs/dashboard.md.
  /// `work` as in DescribeStudy.
  std::shared_ptr<const std::string> Of(
      const std::shared_ptr<const StudySnapshot>& study,
      const Hindrance& hindrance, const std::optional<StudyWork>& work);
  /// Drops studies that are not in `snapshot`.
  void Forget(const StoreSnapshot& snapshot);

 private:
  struct Made {
    std::shared_ptr<const StudySnapshot> study;
    Hindrance hindrance;
    std::optional<StudyWork> work;
    std::shared_ptr<const std::string> text;
  };

  Mutex mu_;  // Held only for look-ups.
  std::map<StudyId, Made> made_ VERNIER_GUARDED_BY(mu_);
};

/// Returns one JSON object: the summary and further details for the page of a
/// study, as described in docs/dashboard.md. `work` is the work on a study that
/// clients run; unset: somebody works on all of its open trials. Pure.
std::string DescribeStudy(const StudySnapshot& study,
                          const Hindrance& hindrance, Timestamp now,
                          const std::optional<StudyWork>& work = std::nullopt);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_STUDY_SUMMARY_H_
