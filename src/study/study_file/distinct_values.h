#ifndef VERNIER_STUDY_STUDY_FILE_DISTINCT_VALUES_H_
#define VERNIER_STUDY_STUDY_FILE_DISTINCT_VALUES_H_

#include <string>
#include <string_view>
#include <vector>

#include "study/config/config_tree.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// Returns the text of a value, by which it is told from others.
using ValueText = std::string (*)(const ConfigNode& value);

/// Returns the values of another tool's list, in its order, each once, since
/// job files refuse a value that is listed twice. Notes on `word`, the
/// parameter, if there were others. Lists and mappings are all kept.
std::vector<const ConfigNode*> DistinctValues(
    const std::vector<const ConfigNode*>& values, ValueText text_of,
    std::string_view word, JobTree* job);

/// A ValueText: the number of a value that has one, so that 16 and 16.0 are the
/// same, else its text.
std::string NumberOrText(const ConfigNode& value);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_DISTINCT_VALUES_H_
