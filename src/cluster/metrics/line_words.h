#ifndef VERNIER_CLUSTER_METRICS_LINE_WORDS_H_
#define VERNIER_CLUSTER_METRICS_LINE_WORDS_H_

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace vernier {

/// The words of a printed line, for those who look for metrics and steps in it.
/// All functions are pure. Those named Skip... take what they skip off the
/// beginning of `text`, if it is there.

/// Words that turn the name behind them into another quantity.
inline constexpr std::string_view kOtherWords[] = {
    "baseline", "best",     "delta", "desired",  "expected",  "highest",
    "initial",  "lowest",   "max",   "maximum",  "min",       "minimum",
    "old",      "original", "prev",  "previous", "reference", "required",
    "std",      "target",   "worst"};

/// Returns whether the word is one of the list.
template <std::size_t n>
bool IsWordOf(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool IsDigit(char c);
bool IsLetter(char c);
/// Returns whether the byte can belong to a metric's name, so that a name
/// cannot begin right behind it.
bool IsNameByte(char c);
bool HasLetter(std::string_view word);
bool IsNumberWord(std::string_view word);  ///< It has digits alone.

/// Returns whether a word of the line begins at the offset.
bool BeginsWord(std::string_view line, std::size_t at);
bool IsBlank(std::string_view text);  ///< It has blanks and tabs alone.
/// Returns the name at the text's beginning; may be empty.
std::string_view WordAt(std::string_view text);
/// Returns the name at the text's end; may be empty.
std::string_view WordAtEnd(std::string_view text);
/// Takes the last word off the text and returns it in lower case; empty if no
/// separate word is left.
std::string TakeLastWord(std::string_view& text);

/// Returns whether the text begins with a progress bar: "100%|###| 14/14 [", or
/// "100% ", a line of box characters and " 14/14".
bool BeginsProgressBar(std::string_view text);

/// Skips one of the characters. Returns whether there was one.
bool SkipOneOf(std::string_view characters, std::string_view& text);
void SkipBlanks(std::string_view& text);
/// Skips what follows a name: a sign of assignment, with quotes, blanks and
/// dots around it. Returns false if there is no sign.
bool SkipAssignment(std::string_view& text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_LINE_WORDS_H_
