#ifndef VERNIER_TRIALS_INSIGHTS_CACHE_H_
#define VERNIER_TRIALS_INSIGHTS_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "store/store.h"
#include "study/ids.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/insights/insights.h"
#include "trials/results/front_growth.h"
#include "trials/results/trade_offs.h"

namespace vernier {

/// What a study's results say, and the trials that they are of.
struct StudyInsights {
  std::size_t metric = 0;  ///< That they are about, of the study's.
  Insights insights;
  std::vector<TrialId>
      observed;  ///< Calibration::Point::completed counts them.
  /// Of several metrics, about all of them: GrowthOf and TradeOffsOf the front.
  std::vector<FrontStep> growth = {};
  std::vector<TradeOff> trade_offs = {};
};

/// The insights of studies, each remembered as long as no other trial ends.
/// They come from a model of the default algorithm, whichever chose the trials;
/// it is kept for the studies that were asked for last, so that a few results
/// more cost no new fit from nothing. With several metrics they are about one
/// of them. One metric of a study is computed once at a time: others who ask
/// for it wait for that. Thread-safe.
class InsightsCache {
 public:
  using Make = std::function<std::unique_ptr<Suggester>()>;
  using Answer = absl::StatusOr<std::shared_ptr<const StudyInsights>>;

  /// A model takes up to 40 MB, so only so many are kept.
  static constexpr std::size_t kMostModels = 4;
  /// Requests for different contours, remembered for one state of a study.
  static constexpr std::size_t kMostAnswers = 16;

  /// With the default algorithm's models.
  InsightsCache();
  /// `make` makes the suggester to ask; for tests.
  explicit InsightsCache(Make make) : make_(std::move(make)) {}

  /// `metric` is one of the study's. Errors: those of Suggester::Examine, and
  /// of UseInCall, which counts the results that a model is made from; they are
  /// not remembered.
  Answer Of(const StudySnapshot& study, const InsightsRequest& request,
            std::size_t metric = 0);

 private:
  struct Entry {
    // Held while insights are computed: nothing else is done under it.
    Mutex mu;
    const std::unique_ptr<Suggester> suggester;
    // What the answers follow from, in order.
    std::vector<TrialId> observed VERNIER_GUARDED_BY(mu);
    // The oldest first.
    std::vector<
        std::pair<InsightsRequest, std::shared_ptr<const StudyInsights>>>
        answers VERNIER_GUARDED_BY(mu);

    explicit Entry(std::unique_ptr<Suggester> made)
        : suggester(std::move(made)) {}
  };

  // Makes it if there is none, and forgets the one that was used longest ago
  // if there are too many. It is shared, since a call may still compute in one
  // that is forgotten.
  std::shared_ptr<Entry> EntryOf(StudyId study, std::size_t metric);

  const Make make_;
  Mutex mu_;  // Held for map look-ups only.
  struct Kept {
    std::shared_ptr<Entry> entry;
    std::uint64_t last_use = 0;
  };
  // By study and metric.
  std::map<std::pair<StudyId, std::size_t>, Kept> entries_
      VERNIER_GUARDED_BY(mu_);
  std::uint64_t uses_ VERNIER_GUARDED_BY(mu_) = 0;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_INSIGHTS_CACHE_H_
