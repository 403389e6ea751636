#ifndef VERNIER_CLUSTER_METRICS_TERMINAL_TEXT_H_
#define VERNIER_CLUSTER_METRICS_TERMINAL_TEXT_H_

#include <string>
#include <string_view>

namespace vernier {

/// Returns what a person reads of `text` on a terminal: without escape
/// sequences (colours and the like) and control characters other than tabs. A
/// move to the beginning of the line, or its erasure, drops all text before it,
/// as if that had been overwritten. `text` must not contain line ends. Pure.
std::string TerminalText(std::string_view text);

/// Returns the text with ASCII signs for the full-width ones of East Asian
/// texts ("\uff1a", "\uff0c") and for no-break blanks, except between digits.
/// Pure.
std::string WithPlainSigns(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TERMINAL_TEXT_H_
