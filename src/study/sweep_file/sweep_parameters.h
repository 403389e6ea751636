#ifndef VERNIER_STUDY_SWEEP_FILE_SWEEP_PARAMETERS_H_
#define VERNIER_STUDY_SWEEP_FILE_SWEEP_PARAMETERS_H_

#include <string>
#include <utility>
#include <vector>

#include "study/config/config_tree.h"
#include "study/foreign_files/foreign_node.h"
#include "study/foreign_files/foreign_parameters.h"

namespace vernier {

/// The parameters of a sweep, as its program and its search see them.
struct SweepParameters {
  /// Constants that cannot be parameters of one value: null, and empty texts.
  /// Each with the text that W&B puts into the command.
  std::vector<std::pair<std::string, std::string>> constants = {};
  /// The names of all others that are in no nested mapping, in the order of the
  /// file. Constants are among them, since a program may also ask W&B's library
  /// for them.
  std::vector<std::string> searched = {};
  /// The nested mappings, each with the text that W&B puts into the command,
  /// which has places for values. The names of parameters in them have points.
  std::vector<std::pair<std::string, std::string>> nested = {};
  bool is_choice = false;     ///< One of them has two values or more.
  bool has_booleans = false;  ///< A value is true or false.
  /// Those of the job, and how many combinations they have.
  ForeignParameters made;
};

/// Puts the `parameters` of a sweep, a mapping, into its job: distributions
/// become ranges with a scale, and those with a step lists of values, as W&B
/// computes them. Of a value that is listed twice, the second is left out with
/// a note. Errors name what cannot be said of a parameter here.
SweepParameters PutSweepParameters(const ForeignNode& parameters);

/// Returns the text that W&B puts into a command for a value of a sweep:
/// Python's, such as "True" for true.
std::string SweepValueText(const ConfigNode& value);

}  // namespace vernier

#endif  // VERNIER_STUDY_SWEEP_FILE_SWEEP_PARAMETERS_H_
