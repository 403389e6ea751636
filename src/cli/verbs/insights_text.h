#ifndef VERNIER_CLI_VERBS_INSIGHTS_TEXT_H_
#define VERNIER_CLI_VERBS_INSIGHTS_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cli/display/text_table.h"
#include "cli/text/terminal_text.h"

namespace vernier {

/// Lines for a terminal of `columns`, at least 60, about the service's JSON
/// answer to GetInsights: what matters, what is best, how far the model can be
/// trusted, what the next trial promises, and advice. Pure. INVALID_ARGUMENT if
/// `insights` is no JSON object.
absl::StatusOr<std::string> InsightsText(std::string_view study,
                                         std::string_view insights,
                                         std::size_t columns, Palette palette);

/// PARAMETER, SHARE, LOW, HIGH of each parameter, for --format csv.
absl::StatusOr<TextTable> ImportanceTable(std::string_view insights);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_INSIGHTS_TEXT_H_
