#ifndef VERNIER_TESTS_SUGGEST_CURVES_TRANSITION_EXAMPLES_H_
#define VERNIER_TESTS_SUGGEST_CURVES_TRANSITION_EXAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <random>

#include "base/rng.h"
#include "suggest/curves/curve_transition.h"

namespace vernier {

/// Returns the changes of `n` trials with two inputs. Each change is 0.4 of the
/// last change plus the first input, with a deviation of `noise`.
inline TransitionData RandomTransition(int n, std::uint64_t seed,
                                       double noise) {
  std::mt19937_64 rng = MakeRng(seed, 1);
  TransitionData data;
  data.inputs.resize(n, 2);
  data.changes.resize(n);
  data.last_change.resize(n);
  data.values.resize(n);
  for (int i = 0; i < n; ++i) {
    data.inputs.row(i) << UniformDouble(rng), UniformDouble(rng);
    data.last_change[i] = Normal(rng);
    data.values[i] = Normal(rng);
    data.changes[i] =
        0.4 * data.last_change[i] + data.inputs(i, 0) + noise * Normal(rng);
    data.trials.push_back(static_cast<std::size_t>(i));
  }
  return data;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_SUGGEST_CURVES_TRANSITION_EXAMPLES_H_
