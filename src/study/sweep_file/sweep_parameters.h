#ifndef VERNIER_STUDY_SWEEP_FILE_SWEEP_PARAMETERS_H_
#define VERNIER_STUDY_SWEEP_FILE_SWEEP_PARAMETERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/config/config_tree.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// The parameters of a sweep, as its program and its search see them.
struct SweepParameters {
  /// Constants that cannot be parameters of one value: null, and empty texts.
  /// Each with the text that W&B puts into the command.
  std::vector<std::pair<std::string, std::string>> constants;
  /// The names of all others that are in no nested mapping, in the order of the
  /// file. Constants are among them, since a program may also ask W&B's library
  /// for them.
  std::vector<std::string> searched;
  /// The nested mappings, each with the text that W&B puts into the command,
  /// which has places for values. The names of parameters in them have points.
  std::vector<std::pair<std::string, std::string>> nested;
  bool is_choice = false;     ///< One of them has two values or more.
  bool has_booleans = false;  ///< A value is true or false.
  /// The number of combinations, if each parameter has a list of values.
  std::optional<std::int64_t> combinations = 1;
  /// The ranges of numbers other than whole ones, which have no grid, as paths
  /// in the sweep, and their places.
  std::vector<std::pair<std::string, ConfigPosition>> continuous;
  /// Fields that have no counterpart, as paths in the sweep, and their places.
  std::vector<std::pair<std::string, ConfigPosition>> left_out;
};

/// Puts the `parameters` of a sweep into `job`: distributions become ranges
/// with a scale, and those with a step lists of values, as W&B computes them.
/// Of a value that is listed twice, the second is left out with a note.
/// Errors name what cannot be said of a parameter here.
SweepParameters PutSweepParameters(const ConfigNode& parameters, JobTree* job);

/// Returns the text that W&B puts into a command for a value of a sweep:
/// Python's, such as "True" for true.
std::string SweepValueText(const ConfigNode& value);

}  // namespace vernier

#endif  // VERNIER_STUDY_SWEEP_FILE_SWEEP_PARAMETERS_H_
