#ifndef VERNIER_FACES_OPTUNA_OPTUNA_POINTS_H_
#define VERNIER_FACES_OPTUNA_OPTUNA_POINTS_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "store/store.h"
#include "suggest/algorithms/suggester.h"
#include "trials/engine/study_engines.h"

namespace vernier {

/// Chooses the parameters of new trials of Optuna's studies, so that a client's
/// study.optimize runs what our engine suggests: a client takes each value that
/// the system attribute "fixed_params" of its trial names, and asks its own
/// sampler for no other parameter than those that are missing there.
///
/// The search space is what the trials so far have declared, all parameters of
/// all branches together; a trial that lacks some counts with the middle of
/// their ranges. Without any there is no point, and the client chooses itself.
/// Thread-safe.
class OptunaPoints {
 public:
  struct Point {
    std::string fixed_params;  ///< One JSON object.
    SuggestionOrigin origin;
  };

  /// `log` gets one line for the log of the service, from any thread. Borrows
  /// `engines`, which must outlive this object.
  OptunaPoints(StudyEngines& engines,
               std::function<void(const std::string&)> log)
      : engines_(engines), log_(std::move(log)) {}

  /// The turn to add a trial to one study. A point takes into account what
  /// others run, so it must be in the store before the next one is chosen: the
  /// turn lasts from the choice to the commit.
  class Turn {
   public:
    /// Returns the point of the study's next trial as it is now.
    std::optional<Point> Choose(const StudySnapshot& study);

   private:
    friend class OptunaPoints;
    struct Kept {
      std::mutex mu;  // Held during a turn.
      std::unique_ptr<Suggester> suggester;
      std::vector<ParameterSpec> space;  // That the suggester knows.
    };

    Turn(OptunaPoints& points, std::shared_ptr<Kept> kept)
        : points_(points), kept_(std::move(kept)), lock_(kept_->mu) {}

    OptunaPoints& points_;
    std::shared_ptr<Kept> kept_;  // Shared, since the study may be forgotten.
    std::unique_lock<std::mutex> lock_;
  };

  /// Waits until no other turn of the study lasts.
  Turn Begin(StudyId study);
  /// Drops what is kept of the study.
  void Forget(StudyId study);

 private:
  StudyEngines& engines_;  // Does its own locking.
  const std::function<void(const std::string&)> log_;
  Mutex mu_;  // Held for map look-ups only.
  std::map<StudyId, std::shared_ptr<Turn::Kept>> studies_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_FACES_OPTUNA_OPTUNA_POINTS_H_
