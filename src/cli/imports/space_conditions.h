#ifndef VERNIER_CLI_IMPORTS_SPACE_CONDITIONS_H_
#define VERNIER_CLI_IMPORTS_SPACE_CONDITIONS_H_

#include <string>
#include <vector>

#include "study/parameter.h"

namespace vernier {

/// Finds when parameters exist that only some trials have: tools whose programs
/// ask for a parameter in a branch keep no word of the branch. A parameter has
/// a condition on another one if it is there exactly in the trials in which the
/// other has certain values.
///
/// `complete` has the values of each trial that asked for all it would ever ask
/// for, by name in any order; `space` has their parameters without conditions,
/// and gets them, in the order that a search space has. A parameter of which
/// none of `complete` or no other parameter tells when it exists is taken out,
/// and `notes` says so. Pure. O(parameters^2 x trials).
void InferConditions(const std::vector<Parameters>& complete,
                     std::vector<ParameterSpec>* space,
                     std::vector<std::string>* notes);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_SPACE_CONDITIONS_H_
