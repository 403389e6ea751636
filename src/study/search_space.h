#ifndef VERNIER_STUDY_SEARCH_SPACE_H_
#define VERNIER_STUDY_SEARCH_SPACE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "study/parameter.h"

namespace vernier {

/// A search space lists its parameters depth first: a conditional parameter
/// comes after its parent. Names are unique among the parameters that can be
/// active together, not in the whole space.

/// Returns the value of each parameter of `space` in a configuration; null
/// where it is inactive or missing. The result points into `parameters`. O(n)
/// if the values are in the order of the space, else O(n^2).
std::vector<const ParameterValue*> ValuesBySpec(
    const std::vector<ParameterSpec>& space, const Parameters& parameters);

/// Returns the spec of each of `parameters`; null where the space has no active
/// parameter of that name. The result points into `space`.
std::vector<const ParameterSpec*> SpecsByValue(
    const std::vector<ParameterSpec>& space, const Parameters& parameters);

/// Returns the values of `parameters` as their program gets them (FormatValue).
std::vector<std::string> FormatValues(const std::vector<ParameterSpec>& space,
                                      const Parameters& parameters);

/// True if `spec` is active, given the values of the parameters before it, as
/// ValuesBySpec gives them.
bool IsActive(const ParameterSpec& spec,
              const std::vector<const ParameterValue*>& values);

/// True if no configuration has both parameters: two of their ancestors, or
/// they themselves, depend on disjoint values of one parent.
bool AreExclusive(const std::vector<ParameterSpec>& space, std::size_t first,
                  std::size_t second);

}  // namespace vernier

#endif  // VERNIER_STUDY_SEARCH_SPACE_H_
