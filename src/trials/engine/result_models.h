#ifndef VERNIER_TRIALS_ENGINE_RESULT_MODELS_H_
#define VERNIER_TRIALS_ENGINE_RESULT_MODELS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "store/store.h"
#include "study/ids.h"
#include "study/suggestion.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/insights/insights.h"
#include "trials/engine/failure_report.h"
#include "trials/results/front_growth.h"
#include "trials/results/trade_offs.h"

namespace vernier {

/// The insights into a study's results, and the trials that they are from.
struct StudyInsights {
  /// The index of the study's metric that they are about.
  std::size_t metric = 0;
  Insights insights;
  std::vector<TrialId>
      observed;  ///< Calibration::Point::completed is a position in it.
  /// For a study of several metrics, about all of them: GrowthOf and
  /// TradeOffsOf the front.
  std::vector<FrontStep> growth = {};
  std::vector<TradeOff> trade_offs = {};
  /// ReportFailures of the study, whichever metric the insights are about.
  std::vector<FailureReport> failures = {};
};

/// The trial to rely on. It may differ from the one with the best value, which
/// may be due to noise.
struct RecommendedTrial {
  TrialId trial{};
  std::optional<Prediction> prediction;  ///< Unset without a model.
};

/// Says whether a call waits for a model that takes seconds to fit.
enum class Patience {
  kNone,  ///< It gets only answers that are remembered or quick to compute.
  kWait,
};

/// Answers of models about the results of studies: insights and recommended
/// trials. Each is remembered as long as no other trial ends.
///
/// The models are those of the default algorithm, whichever algorithm chose the
/// trials. One is kept for each of the studies that were asked about last, so
/// that it is not fitted from nothing for a few more results. It is not the
/// model that chooses points, because that one also sees open trials and the
/// study that this one resumes, and because calls about results must not keep
/// it from working. With several metrics there is a model for each. One model
/// works for one call at a time; other calls that need it wait. Thread-safe.
class ResultModels {
 public:
  using Make = std::function<std::unique_ptr<Suggester>()>;
  using InsightsAnswer = absl::StatusOr<std::shared_ptr<const StudyInsights>>;
  struct Recommended {
    bool is_ready = true;
    std::optional<RecommendedTrial> trial;  ///< nullopt: there is none.
  };

  /// A model takes up to 40 MB, so only this many are kept.
  static constexpr std::size_t kMostModels = 4;
  /// Requests for different contours, remembered for one state of a study.
  static constexpr std::size_t kMostAnswers = 16;
  /// With at most this many results a model takes a fraction of a second.
  static constexpr std::size_t kFewTrials = 500;

  /// Uses the default algorithm's models.
  ResultModels();
  /// `make` makes the suggester to ask; for tests.
  explicit ResultModels(Make make) : make_(std::move(make)) {}

  /// `metric` is one of the study's. Errors: those of Suggester::Examine, and
  /// of UseInCall, which counts the results that a model is made from; they are
  /// not remembered.
  InsightsAnswer Examine(const StudySnapshot& study,
                         const InsightsRequest& request,
                         std::size_t metric = 0);

  /// Returns the trial to rely on. There is none if no trial has a value to
  /// rely on, if the study tunes nothing, or if it has several metrics, because
  /// their front takes the place of one trial. Errors: those of
  /// Suggester::Recommend; they are not remembered.
  absl::StatusOr<Recommended> Recommend(const StudySnapshot& study,
                                        Patience patience);

 private:
  struct Model {
    // Held while the model works: nothing else is done under it.
    Mutex mu;
    const std::unique_ptr<Suggester> suggester;
    // The trials that the answers follow from, in order.
    std::vector<TrialId> observed VERNIER_GUARDED_BY(mu);
    // The oldest first.
    std::vector<
        std::pair<InsightsRequest, std::shared_ptr<const StudyInsights>>>
        answers VERNIER_GUARDED_BY(mu);

    explicit Model(std::unique_ptr<Suggester> made)
        : suggester(std::move(made)) {}
  };
  struct Remembered {
    std::vector<TrialId> observed;  // Those that the model saw.
    std::optional<RecommendedTrial> trial;
    std::shared_ptr<const StudySpec> spec;  // With the space of that model.
  };

  // Returns the model, which is made if there is none for the present space. If
  // there are too many, the one that was used longest ago is forgotten. Models
  // are shared, because a call may still work with one that is forgotten.
  std::shared_ptr<Model> ModelOf(const StudySnapshot& study,
                                 std::size_t metric);
  absl::StatusOr<std::optional<RecommendedTrial>> ComputeRecommended(
      const StudySnapshot& study, const std::vector<TrialId>& observed);
  // Returns whether a recommendation for the study is remembered, be it from an
  // earlier state of the study.
  bool IsRemembered(StudyId study) const;

  const Make make_;
  mutable Mutex mu_;  // Held for map look-ups only.
  struct Kept {
    std::shared_ptr<Model> model;
    std::shared_ptr<const StudySpec> spec;  // Whose space the model knows.
    std::uint64_t last_use = 0;
  };
  // By study and metric.
  std::map<std::pair<StudyId, std::size_t>, Kept> models_
      VERNIER_GUARDED_BY(mu_);
  std::uint64_t uses_ VERNIER_GUARDED_BY(mu_) = 0;
  // Recommendations outlive the models, because they are small, and lists of
  // many studies need them.
  std::map<StudyId, Remembered> recommended_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_RESULT_MODELS_H_
