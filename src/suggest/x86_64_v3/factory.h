#ifndef VERNIER_SUGGEST_X86_64_V3_FACTORY_H_
#define VERNIER_SUGGEST_X86_64_V3_FACTORY_H_

#include "suggest/algorithms/suggester.h"

/// Makes a GaussianProcessSuggester in the engine's second copy; the caller
/// owns it. Defined if VERNIER_HAS_X86_64_V3 (cmake/instruction_sets.cmake).
extern "C" vernier::Suggester* VernierMakeSuggesterX8664V3();

#endif  // VERNIER_SUGGEST_X86_64_V3_FACTORY_H_
