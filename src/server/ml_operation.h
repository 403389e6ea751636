#ifndef VERNIER_SERVER_ML_OPERATION_H_
#define VERNIER_SERVER_ML_OPERATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/rest_router.h"
#include "store/store.h"
#include "study/clock.h"
#include "trials/suggestion_desk.h"

namespace vernier {

/// An operation's id says what it was, so that it can be asked for again:
/// "suggest-STUDY-NUMBER", and "stop-STUDY-TRIAL-ANSWER".
struct MlOperationId {
  std::string kind;  ///< "suggest" or "stop".
  std::vector<std::int64_t> numbers;
};

/// Null for a text that is no id of ours. Pure.
std::optional<MlOperationId> ParseMlOperationId(const std::string& text);

/// The JSON of an operation of the ml v1 API, which is done. `parent` is
/// "projects/P/locations/L". Pure.
absl::StatusOr<RestAnswer> PrintSuggestOperation(
    const std::string& parent, const SuggestionDesk::Answer& answer);
absl::StatusOr<RestAnswer> PrintStoppingOperation(const std::string& parent,
                                                  const StudySnapshot& study,
                                                  std::int64_t trial,
                                                  bool should_stop,
                                                  Timestamp at);

}  // namespace vernier

#endif  // VERNIER_SERVER_ML_OPERATION_H_
