#ifndef VERNIER_CLI_IMPORTS_OPTUNA_SPACE_H_
#define VERNIER_CLI_IMPORTS_OPTUNA_SPACE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/optuna_records.h"
#include "study/optuna_space/optuna_distribution.h"
#include "study/parameter.h"

namespace vernier {

/// The parameters that the trials of an Optuna study declared, joined by name.
/// Not thread-safe.
class OptunaSpace {
 public:
  /// INVALID_ARGUMENT for a distribution that Optuna would not have written, or
  /// more than kMostForeignParameters.
  absl::Status Add(const OptunaTrial& trial);

  /// Returns the parameters without conditions, in the order in which they were
  /// met. A parameter that cannot be one of ours is missing, and `notes` says
  /// why.
  std::vector<ParameterSpec> Parameters(std::vector<std::string>* notes) const;

  /// Returns ForeignStudy::typed_choices of these parameters.
  std::map<std::string, std::string> ParameterChoices() const;

  /// Returns a trial's values, those of missing parameters included where they
  /// have a form. All its parameters must have been added.
  vernier::Parameters ValuesOf(const OptunaTrial& trial) const;

 private:
  struct Declared {
    OptunaDistribution joined;  // The union of the ranges.
    bool is_one_step = true;    // All have the same step, from the same points.
    bool is_compatible = true;
    ParameterSpec spec;  // What `joined` becomes, if `is_usable`.
    bool is_usable = false;
  };

  static void Join(const OptunaDistribution& other, Declared* declared);
  static void Settle(const std::string& name, Declared* declared);

  std::vector<std::string> order_;
  std::map<std::string, Declared> declared_;
  // Trials repeat the same few texts.
  std::map<std::string, OptunaDistribution> read_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_OPTUNA_SPACE_H_
