#include "suggest/suggester.h"

#include "suggest/gaussian_process_suggester.h"
#include "suggest/grid_search_suggester.h"
#include "suggest/quasi_random_suggester.h"
#include "suggest/random_search_suggester.h"

namespace vernier {

std::unique_ptr<Suggester> MakeSuggester(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kDefault:
      break;
    case Algorithm::kGridSearch:
      return std::make_unique<GridSearchSuggester>();
    case Algorithm::kRandomSearch:
      return std::make_unique<RandomSearchSuggester>();
    case Algorithm::kQuasiRandomSearch:
      return std::make_unique<QuasiRandomSuggester>();
  }
  return std::make_unique<GaussianProcessSuggester>();
}

}  // namespace vernier
