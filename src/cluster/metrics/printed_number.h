#ifndef VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Bytes of the number that `text` begins with, whatever follows: decimal, with
/// or without sign (also U+2212), fraction and exponent, or nan, inf, infinity,
/// U+221E, or "1.#QNAN" and the like, in any case. 0 if there is none. Pure.
std::size_t PrintedNumberSize(std::string_view text);

/// The number that `text` begins with, which may have separators of thousands
/// ("1,234.5", "1,234,567", "1'234", "1_234"). It ends where a word ends:
/// before a blank, a closing bracket, a quote, ",", ";", "|", a colon and a
/// blank, a unit ("%", "ms"), a deviation ("+/-", "+0.01"), or a full stop.
/// nullopt if there is none, as in "0.5k", "1/2", "1,5" and "1,234", or if it
/// may be a part of a number: "1 234.5", "90 / 100", "0.5
/// -> 0.3", "1.2 x 10^-3". Of a share with its percentage, "187/200 (93.5%)",
/// the percentage. Pure.
std::optional<double> PrintedNumber(std::string_view text);

/// Whether `text` begins with a word that says that there is no number: None,
/// null, N/A, NA, <NA>, #na#, diverged, in any letter case, or "-" or "--".
/// What goes on as prose is none ("none of them"). Pure.
bool SaysNoNumber(std::string_view text);

/// The number that `text` begins with in one of the forms in which libraries
/// print one: as PrintedNumber has it, alone in brackets ("[0.25]"), or as what
/// an object is made of ("tensor(0.25, device='cuda:0')", "np.float64(0.25)",
/// "Decimal('0.25')", "<tf.Tensor: shape=(), numpy=0.25>"); NaN if it
/// SaysNoNumber. nullopt if it is none, or more than one. Pure.
std::optional<double> PrintedValue(std::string_view text);

/// Whether a word is such a unit: "%", "ms". Pure.
bool IsPrintedUnit(std::string_view word);

/// The unit that stands behind a number, with or without blanks before it: "%"
/// of "93.5 %", "ms" of "12ms, ...", "s" also of "3 seconds"; empty if there is
/// none that is known. Pure.
std::string_view UnitOfPrinted(std::string_view text);

/// The kinds of reasons for which a text is no PrintedValue.
enum class NoValue {
  kNothing,      ///< Nothing follows.
  kNoNumber,     ///< "improved".
  kSeveral,      ///< "[0.25, 0.5]".
  kComma,        ///< "0,25".
  kPart,         ///< "1 234.5", "90 / 100".
  kGoesOn,       ///< "1.2k".
  kOtherUnit,    ///< "1.2 s", where values were in "ms".
  kOtherWord,    ///< "cat accuracy", where it was "accuracy" before.
  kNoSign,       ///< No = or : stands before it.
  kOtherLetters  ///< The name is in another letter case.
};

/// Why a text is no PrintedValue.
NoValue WhyNoPrintedValue(std::string_view text);

/// The reason in words, of that text: "the number goes on with s".
std::string DescribeNoValue(NoValue why, std::string_view text);

/// The whole number of 64 bits that all of `text` is: "3", "003", "3.0", "3e2".
/// nullopt if it is none. Pure.
std::optional<std::int64_t> PrintedWholeNumber(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_
