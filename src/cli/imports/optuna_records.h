#ifndef VERNIER_CLI_IMPORTS_OPTUNA_RECORDS_H_
#define VERNIER_CLI_IMPORTS_OPTUNA_RECORDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/metrics/metric_goal.h"

namespace vernier {

/// What Optuna keeps of a trial, whichever of its storages holds it.
struct OptunaTrial {
  enum class State { kRunning, kComplete, kPruned, kFail, kWaiting };
  struct Param {
    double internal = 0;       ///< Of a categorical one: the choice's index.
    std::string distribution;  ///< JSON.
  };

  std::int64_t number = 0;  ///< From 0, in its study.
  State state = State::kRunning;
  std::map<std::string, Param> params;
  std::vector<double> values;  ///< By objective; empty: none.
  std::map<std::int64_t, double> reports;
  /// JSON values by name, as Python writes them.
  std::map<std::string, std::string> user_attributes;
  std::map<std::string, std::string> system_attributes;
  std::string started;
  std::string ended;
};

struct OptunaStudy {
  std::string name;
  std::vector<std::optional<Goal>> directions;  ///< nullopt: not set.
  std::map<std::string, std::string> user_attributes;
  std::map<std::string, std::string> system_attributes;
  std::vector<OptunaTrial> trials;
};

/// Returns the state of that name ("COMPLETE") or number (1).
std::optional<OptunaTrial::State> OptunaStateNamed(const std::string& name);
std::optional<OptunaTrial::State> OptunaStateNumbered(std::int64_t number);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_OPTUNA_RECORDS_H_
