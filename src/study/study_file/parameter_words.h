#ifndef VERNIER_STUDY_STUDY_FILE_PARAMETER_WORDS_H_
#define VERNIER_STUDY_STUDY_FILE_PARAMETER_WORDS_H_

#include <string_view>

#include "study/config/config_tree.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// The name in a study file of a scale of a job file.
struct ScaleWord {
  std::string_view word;
  std::string_view scale;
};
inline constexpr ScaleWord kScaleWords[] = {
    {"linear", "UNIT_LINEAR_SCALE"},
    {"log", "UNIT_LOG_SCALE"},
    {"reverse_log", "UNIT_REVERSE_LOG_SCALE"}};

/// Puts the `parameters` of a study file into `job`: a mapping from names to
/// one of
///
///     {float: [0, 1]}  {log: [1e-5, 1]}  {int: [1, 8]}
///     {choice: [sgd, adam]}, or the list alone  {values: [0.1, 0.5]}
///
/// with `scale`, `default` and `when: {OTHER: VALUE}` or `{OTHER: [VALUE,
/// ...]}` beside it. A parameter with `when` becomes a child of the other one.
/// Errors in the values themselves are left to the reader of job files.
void PutParameters(const ConfigNode& parameters, JobTree* job);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_PARAMETER_WORDS_H_
