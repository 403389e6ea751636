#ifndef VERNIER_STUDY_JOB_FILE_PARAMETER_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_PARAMETER_SECTION_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "study/config/object_reader.h"
#include "study/parameter.h"

namespace vernier {

/// The largest number of parameters of a search space, conditional ones
/// included.
inline constexpr std::size_t kMaxParameters = 1000;

/// A search space as a file gives it.
struct SearchSpaceSection {
  std::vector<ParameterSpec> params;  ///< As search_space.h orders them.
  std::vector<ObjectReader> readers;  ///< Where each was read, for errors.
};

/// Reads and validates the list of ParameterSpecs at `key` with their
/// childParameterSpecs (docs/job-file.md, params).
SearchSpaceSection ReadSearchSpace(ObjectReader& section, std::string_view key);

/// Reports every parameter that a grid cannot have.
void CheckSuitsGrid(SearchSpaceSection& space);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_PARAMETER_SECTION_H_
