#ifndef VERNIER_FACES_SUGGEST_SUGGEST_REQUEST_H_
#define VERNIER_FACES_SUGGEST_SUGGEST_REQUEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/json.h"
#include "study/study_spec.h"

namespace vernier {

/// Functions that parse the requests of `vernier suggest`, which are objects.
/// Errors: INVALID_ARGUMENT with a message that names the field.

absl::Status Invalid(const std::string& message);

/// Checks that an operation has no other fields than "op" and `known`.
absl::Status CheckFields(const Json& request,
                         const std::vector<std::string_view>& known);

/// Returns a required field, which must be within `low` and `high`.
absl::StatusOr<std::int64_t> Integer(const Json& request, const char* key,
                                     std::int64_t low, std::int64_t high);

/// Returns a finite number; nullopt if the field is missing.
absl::StatusOr<std::optional<double>> Number(const Json& request,
                                             const char* key);

/// As Number, but accepts numbers that are not finite, too: NaN, Infinity and
/// -Infinity as Python writes them, or as texts in any letter case.
absl::StatusOr<std::optional<double>> AnyNumber(const Json& request,
                                                const char* key);

/// Returns the field `goal`, which is required.
absl::StatusOr<Goal> ReadGoal(const Json& json);

/// Returns the field `infeasible`; false if it is missing.
absl::StatusOr<bool> ReadInfeasible(const Json& json);

/// Returns the study that a HyperparameterSpec, an object, asks for.
absl::StatusOr<StudySpec> ReadHyperparameters(const Json& hyperparameters);

/// Read the fields `earlyStopping` (a rule, or an object with its options),
/// `objective` and `repeats` (a number, or "AUTO"), as a job file has them in
/// its section `vernier`.
absl::Status ReadEarlyStopping(const Json& request, StudySpec* spec);
absl::Status ReadObjective(const Json& request, StudySpec* spec);
absl::Status ReadRepeats(const Json& request, StudySpec* spec);

/// Reads the field `beliefs`, which are about the parameters of `spec`.
absl::Status ReadBeliefs(const Json& request, StudySpec* spec);

/// Reads the fields `objectives` (a list of metrics with a goal) and
/// `constraints` (a list of metrics with bounds, and of texts, which are
/// constraints between the parameters that `spec` has already).
absl::Status ReadMetrics(const Json& request, StudySpec* spec);

}  // namespace vernier

#endif  // VERNIER_FACES_SUGGEST_SUGGEST_REQUEST_H_
