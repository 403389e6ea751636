#ifndef VERNIER_SUGGEST_ALGORITHMS_UNSEEN_FIRST_H_
#define VERNIER_SUGGEST_ALGORITHMS_UNSEEN_FIRST_H_

#include <Eigen/Core>
#include <cstdint>

#include "suggest/acquisition/acquisition_function.h"
#include "suggest/space/unseen_values.h"

namespace vernier {

/// Returns whether the trial is one that takes an unseen value: every fourth,
/// while there are any.
bool IsForUnseenValue(std::int64_t trial, const UnseenValues& unseen);

/// An acquisition function by which every point with an unseen value comes
/// before all others.
class UnseenFirst final : public AcquisitionFunction {
 public:
  /// Borrows both.
  UnseenFirst(const AcquisitionFunction& function, const UnseenValues& unseen)
      : function_(function), unseen_(unseen) {}

  void Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                Eigen::VectorXd* values,
                Eigen::MatrixXd* gradients) const override;

 private:
  const AcquisitionFunction& function_;
  const UnseenValues& unseen_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ALGORITHMS_UNSEEN_FIRST_H_
