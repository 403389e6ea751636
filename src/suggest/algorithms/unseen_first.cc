#include "suggest/algorithms/unseen_first.h"

namespace vernier {
namespace {

// Where one category of many is good and the others are alike, the model learns
// that the category hardly matters, and refines what it knows: random search
// finds the good one sooner. One of four trials mends that. It costs up to 0.3
// decades on the way where no category matters, and nothing in the end
// (bench/duel/RESULTS.md, "Many choices").
constexpr std::int64_t kPeriod = 4;

// It exceeds any difference of logarithms of gains, or of bounds.
constexpr double kBehindAll = 1e4;

}  // namespace

bool IsForUnseenValue(std::int64_t trial, const UnseenValues& unseen) {
  return trial % kPeriod == 0 && !unseen.is_empty();
}

void UnseenFirst::Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                           Eigen::VectorXd* values,
                           Eigen::MatrixXd* gradients) const {
  function_.Evaluate(points, values, gradients);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    if (!unseen_.IsIn(points.row(i))) (*values)[i] -= kBehindAll;
  }
}

}  // namespace vernier
