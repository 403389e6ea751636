#ifndef VERNIER_STUDY_SEARCH_EDITS_H_
#define VERNIER_STUDY_SEARCH_EDITS_H_

#include <optional>
#include <string>
#include <vector>

#include "study/parameter.h"

namespace vernier {

/// The traces that edits of a search space leave, so that trials from before
/// an edit can be read in the present space.
struct SearchEdits {
  /// Parameters that trials have and the space has no longer, with the value
  /// that later trials have without naming it. Names are distinct.
  std::vector<NamedValue> dropped;

  friend bool operator==(const SearchEdits&, const SearchEdits&) = default;
};

/// Returns the value that every trial has once `spec` is dropped from the
/// space: its only value, else its default; nullopt if it has neither.
std::optional<ParameterValue> ValueWhenDropped(const ParameterSpec& spec);

/// Returns the traces once the space `before`, which had `edits`, has become
/// `after`; `edits` if the two are equal. Pure.
std::optional<SearchEdits> EditsAfter(std::optional<SearchEdits> edits,
                                      const std::vector<ParameterSpec>& before,
                                      const std::vector<ParameterSpec>& after);

/// Returns the values of a trial of any earlier space in `space`, in its order;
/// nullopt if the trial lies outside. A parameter that the trial lacks has its
/// default, and one that was dropped must have the value that later trials
/// have. Pure. O(parameters) if they are in the order of the space.
std::optional<Parameters> ParametersInSpace(
    const std::vector<ParameterSpec>& space, const SearchEdits& edits,
    const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_STUDY_SEARCH_EDITS_H_
