#include "suggest/x86_64_v3/factory.h"

#include "suggest/algorithms/gaussian_process_suggester.h"

extern "C" vernier::Suggester* VernierMakeSuggesterX8664V3() {
  return new vernier::GaussianProcessSuggester();
}
