#ifndef VERNIER_CLI_VERBS_RECOMMENDATION_LINE_H_
#define VERNIER_CLI_VERBS_RECOMMENDATION_LINE_H_

#include <string>

namespace vernier {

class ClientConnection;

/// Says whether to wait for a model, which takes seconds with very many trials.
enum class ModelWait { kNo, kYes };

/// Returns one line about the trial that the model recommends, to follow a
/// table of the best; empty if there is none. Other reasons why there is no
/// line are printed on standard error.
std::string RecommendationLine(const ClientConnection& client,
                               const std::string& job_id, ModelWait wait);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_RECOMMENDATION_LINE_H_
