#ifndef VERNIER_CLI_DISPLAY_RECOMMENDATION_LINE_H_
#define VERNIER_CLI_DISPLAY_RECOMMENDATION_LINE_H_

#include <string>

#include "client/job_client.h"

namespace vernier {

/// Whether to wait for a model, which takes seconds with very many trials.
enum class Patience { kNone, kWait };

/// One line about the trial that the model recommends, to follow a table of the
/// best; empty if there is none. Errors go to standard error.
std::string RecommendationLine(JobClient& client, const std::string& job_id,
                               Patience patience);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_RECOMMENDATION_LINE_H_
