#ifndef VERNIER_CLUSTER_METRICS_TERMINAL_TEXT_H_
#define VERNIER_CLUSTER_METRICS_TERMINAL_TEXT_H_

#include <string>
#include <string_view>

namespace vernier {

/// What a person reads of `text` on a terminal: without the escape sequences of
/// colours and the like, and without other control characters than tabs. What
/// stands before a move to the line's begin, or before the line is erased, is
/// dropped, as if it had been overwritten whole. `text` has no line ends. Pure.
std::string TerminalText(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TERMINAL_TEXT_H_
