#include "suggest/suggester_factory.h"

#include <utility>

#include "suggest/algorithms/gaussian_process_suggester.h"
#include "suggest/algorithms/grid_search_suggester.h"
#include "suggest/algorithms/instruction_set.h"
#include "suggest/algorithms/proposal_suggester.h"
#include "suggest/algorithms/quasi_random_suggester.h"
#include "suggest/algorithms/random_search_suggester.h"
#include "suggest/algorithms/repeating_suggester.h"
#include "suggest/out_of_memory_guard.h"
#include "suggest/x86_64_v3/factory.h"

namespace vernier {
namespace {

std::unique_ptr<Suggester> MakeBaseline(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kDefault:
      break;
    case Algorithm::kGridSearch:
      return std::make_unique<GridSearchSuggester>();
    case Algorithm::kShuffledGridSearch:
      return std::make_unique<GridSearchSuggester>(GridOrder::kShuffled);
    case Algorithm::kRandomSearch:
      return std::make_unique<RandomSearchSuggester>();
    case Algorithm::kQuasiRandomSearch:
      return std::make_unique<QuasiRandomSuggester>();
  }
  return std::make_unique<GaussianProcessSuggester>();
}

std::unique_ptr<Suggester> MakeForX8664V3() {
#if defined(VERNIER_HAS_X86_64_V3)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2")) {
    return std::unique_ptr<Suggester>(VernierMakeSuggesterX8664V3());
  }
#endif
  return nullptr;
}

}  // namespace

std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm,
                                         std::string_view instruction_set) {
  if (algorithm == Algorithm::kDefault) {
    if (instruction_set == kX8664V3) return MakeForX8664V3();
    if (instruction_set != kBaseline) return nullptr;
  }
  return MakeBaseline(algorithm);
}

std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm) {
  return std::make_unique<OutOfMemoryGuard>([algorithm] {
    std::unique_ptr<Suggester> best = MakeSuggester(algorithm, kX8664V3);
    if (best == nullptr) best = MakeSuggester(algorithm, kBaseline);
    return std::make_unique<ProposalSuggester>(
        std::make_unique<RepeatingSuggester>(std::move(best)));
  });
}

}  // namespace vernier
