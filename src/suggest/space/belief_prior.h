#ifndef VERNIER_SUGGEST_SPACE_BELIEF_PRIOR_H_
#define VERNIER_SUGGEST_SPACE_BELIEF_PRIOR_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "study/belief.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// What a user believes about where the optimum lies, as a density over encoded
/// points: a product over the parameters.
///
/// The factor of a number is a Cauchy density around the believed place of its
/// scale, half of which lies within Belief::within, over a uniform floor. Both
/// tails are heavy, so that results far away can overcome the belief. The
/// factor of a category is the same floor, and the rest at the believed one.
/// Where a parameter is inactive its factor is that of a uniform density, so
/// that neither branch of a condition is favoured. Immutable, so thread-safe.
class BeliefPrior {
 public:
  /// `encoding` is borrowed. Beliefs that do not fit its space say nothing.
  BeliefPrior(const std::vector<Belief>& beliefs,
              const SearchSpaceEncoding& encoding);

  /// True if nothing is believed.
  bool is_empty() const { return places_.empty(); }

  /// Returns SearchSpaceEncoding::Centre with the believed values in place of
  /// the defaults.
  Eigen::RowVectorXd Centre() const;

  /// True if something is believed about the coordinate.
  bool IsAbout(std::size_t coordinate) const;

  /// `points` is m x D. Sets `log_densities` (m), relative to the largest
  /// density, so <= 0, and unless null `gradients` (m x D).
  void LogDensity(const Eigen::Ref<const Eigen::MatrixXd>& points,
                  Eigen::VectorXd* log_densities,
                  Eigen::MatrixXd* gradients) const;

 private:
  struct Place {
    std::size_t coordinate = 0;
    double column = 0;           // Of a number: where it is believed.
    double width = 0;            // Likewise, > 0.
    Eigen::Index category = -1;  // The column of a category; -1: a number.
    double uniform = 0;          // Log of a uniform density, over the largest.
  };

  Place PlaceOf(const Belief& belief, std::size_t coordinate) const;

  const SearchSpaceEncoding& encoding_;
  std::vector<Place> places_;  // By ascending coordinate.
};

/// Returns the exponent of the prior in the acquisition function, given the
/// results so far: their merits (more is better; -infinity: failed) and the log
/// densities of their places, of the same size.
///
/// It falls as one over the number of results, as in piBO (Hvarfner et al.
/// 2022, "piBO: augmenting acquisition functions with user beliefs for Bayesian
/// optimization", equation 4), and is 0 when there are enough to do without. It
/// is proportional to the rank correlation (Kendall's) of the two, so that
/// beliefs count only as long as what is near them is better: otherwise wrong
/// ones would cost more than right ones gain. O(n^2) for the few n that count.
double BeliefExponent(const Eigen::VectorXd& merits,
                      const Eigen::VectorXd& log_densities);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_BELIEF_PRIOR_H_
