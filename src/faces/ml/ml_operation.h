#ifndef VERNIER_FACES_ML_ML_OPERATION_H_
#define VERNIER_FACES_ML_ML_OPERATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "edge/http/rest_router.h"
#include "store/study_kinds.h"
#include "trials/suggestion_service.h"

namespace vernier {

/// The id of an operation contains all data needed to answer for it again:
/// "suggest-STUDY-NUMBER", and "stop-STUDY-TRIAL-ANSWER".
struct MlOperationId {
  std::string kind;  ///< "suggest" or "stop".
  std::vector<std::int64_t> numbers;
};

/// Returns nullopt for a text that is no id of ours. Pure.
std::optional<MlOperationId> ParseMlOperationId(const std::string& text);

/// Returns the JSON of an operation of the ml v1 API, which is always done.
/// `parent` is "projects/P/locations/L". Pure.
absl::StatusOr<RestAnswer> PrintSuggestOperation(
    const std::string& parent, const SuggestionService::Answer& answer);
absl::StatusOr<RestAnswer> PrintStoppingOperation(const std::string& parent,
                                                  ClientStudyRef study,
                                                  std::int64_t trial,
                                                  bool should_stop,
                                                  Timestamp at);

}  // namespace vernier

#endif  // VERNIER_FACES_ML_ML_OPERATION_H_
