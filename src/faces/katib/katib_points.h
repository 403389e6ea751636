#ifndef VERNIER_FACES_KATIB_KATIB_POINTS_H_
#define VERNIER_FACES_KATIB_KATIB_POINTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "faces/katib/katib_algorithm.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The largest number of points in one call.
inline constexpr int kMostKatibPoints = 1000;

/// Returns exactly `count` >= 1 points, which depend on the arguments alone:
/// `suggester` must be for `algorithm`, and may have served others before.
///
/// The controller accepts no other number. So once a finite space is used up,
/// its best points come again, and if no model can be fitted, points are random
/// as in a study. Errors: those of UseInCall; INVALID_ARGUMENT as
/// Suggester::Suggest.
absl::StatusOr<std::vector<Parameters>> ChooseKatibPoints(
    const Suggester& suggester, StudyView view, int count);

/// Keeps the suggesters of the experiments that asked last, whose models need
/// not be fitted anew. No answer depends on it. Thread-safe.
class KatibSuggesters {
 public:
  static constexpr std::size_t kMost = 8;

  /// Returns the experiment's suggester, and forgets the one that was not asked
  /// for longest if there are more than kMost.
  std::shared_ptr<const Suggester> Of(const std::string& experiment,
                                      Algorithm algorithm);

 private:
  struct Entry {
    std::string experiment;
    Algorithm algorithm;
    // Calls under way may outlive its place here.
    std::shared_ptr<const Suggester> suggester;
  };

  Mutex mu_;  // Held for look-ups only.
  std::vector<Entry> entries_ VERNIER_GUARDED_BY(mu_);  // Last asked last.
};

}  // namespace vernier

#endif  // VERNIER_FACES_KATIB_KATIB_POINTS_H_
