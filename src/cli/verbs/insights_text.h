#ifndef VERNIER_CLI_VERBS_INSIGHTS_TEXT_H_
#define VERNIER_CLI_VERBS_INSIGHTS_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cli/display/text_table.h"
#include "cli/text/terminal_text.h"

namespace vernier {

/// Returns lines for a terminal of `columns`, at least 60, about the service's
/// JSON answer to GetInsights: the important parameters, the best values, how
/// trials died, how far the model can be trusted, the prediction for the next
/// trial, and advice.
/// Pure. INVALID_ARGUMENT if `insights` is not a JSON object.
absl::StatusOr<std::string> InsightsText(std::string_view study,
                                         std::string_view insights,
                                         std::size_t columns, Palette palette);

/// Returns PARAMETER, SHARE, LOW, HIGH of each parameter, for --format csv.
absl::StatusOr<TextTable> ImportanceTable(std::string_view insights);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_INSIGHTS_TEXT_H_
