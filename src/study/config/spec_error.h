#ifndef VERNIER_STUDY_CONFIG_SPEC_ERROR_H_
#define VERNIER_STUDY_CONFIG_SPEC_ERROR_H_

#include <string>

namespace vernier {

/// One thing wrong with a job file.
struct SpecError {
  std::string file;  ///< As the user named it; empty for an RPC.
  int line = 0;      ///< From 1; 0 if unknown (RPC, JSON without marks).
  int column = 0;    ///< From 1; 0 if unknown.
  std::string
      field_path;       ///< "trainingInput.hyperparameters.params[2].minValue"
  std::string message;  ///< Value, bound and, for unknown keys, the nearest.
};

/// "config.yaml:12:7: trainingInput...minValue: must be <= maxValue: 5 > 3".
std::string FormatSpecError(const SpecError& error);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_SPEC_ERROR_H_
