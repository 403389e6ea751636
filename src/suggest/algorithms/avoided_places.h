#ifndef VERNIER_SUGGEST_ALGORITHMS_AVOIDED_PLACES_H_
#define VERNIER_SUGGEST_ALGORITHMS_AVOIDED_PLACES_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "suggest/gp/gaussian_process.h"
#include "suggest/space/search_space_encoding.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// The places of trials without a result, which keep a new trial away: given
/// up, then pending, then just chosen. While this object lives, models may be
/// conditioned on the places; its end undoes that.
class AvoidedPlaces {
 public:
  AvoidedPlaces(const StudyView& view, const SearchSpaceEncoding& encoding);
  ~AvoidedPlaces();
  AvoidedPlaces(const AvoidedPlaces&) = delete;
  AvoidedPlaces& operator=(const AvoidedPlaces&) = delete;

  /// Adds the place that was chosen for a trial.
  void Add(const Parameters& parameters);

  /// Hallucinates the last 256 places into the processes, which are borrowed
  /// and must be the same ones in each call. Places are added one by one and in
  /// order, so that a batch and single calls round alike.
  void Condition(const std::vector<GaussianProcess*>& processes);

  const std::vector<Eigen::RowVectorXd>& rows() const { return rows_; }
  std::size_t num_pending() const { return rows_.size() - num_given_up_; }

 private:
  const SearchSpaceEncoding& encoding_;
  const std::size_t num_given_up_;
  std::vector<Eigen::RowVectorXd> rows_;  // It only grows.
  std::size_t num_conditioned_ = 0;
  std::vector<GaussianProcess*> processes_;  // Those that were conditioned.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_AVOIDED_PLACES_H_
