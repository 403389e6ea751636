#ifndef VERNIER_CLI_VERBS_RECOMMENDATION_LINE_H_
#define VERNIER_CLI_VERBS_RECOMMENDATION_LINE_H_

#include <string>

namespace vernier {

class ClientConnection;

/// Whether to wait for a model, which takes seconds with very many trials.
enum class Patience { kNone, kWait };

/// One line on the trial that the model relies on, to follow a table of the
/// best; empty if there is none. What else keeps it from being told goes to
/// standard error.
std::string RecommendationLine(const ClientConnection& client,
                               const std::string& job_id, Patience patience);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_RECOMMENDATION_LINE_H_
