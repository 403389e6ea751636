#ifndef VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Bytes of the number that `text` begins with, whatever follows: decimal, with
/// or without sign, fraction and exponent, or nan, inf or infinity in any case.
/// 0 if there is none. Pure.
std::size_t PrintedNumberSize(std::string_view text);

/// The number that `text` begins with, which may have separators of thousands
/// ("1,234.5", "1,234,567"). It ends where a word ends: before a blank, a
/// closing bracket, a quote, ",", ";", "|", "%", or a full stop. nullopt if
/// there is none, as in "0.5s", "1/2", "1,5" and "1,234". Pure.
std::optional<double> PrintedNumber(std::string_view text);

/// The number that `text` begins with in one of the forms in which libraries
/// print one: as PrintedNumber has it, alone in brackets ("[0.25]"), or as what
/// an object is made of ("tensor(0.25, device='cuda:0')", "np.float64(0.25)",
/// "Decimal('0.25')", "<tf.Tensor: shape=(), numpy=0.25>"). nullopt if it is
/// none, or more than one. Pure.
std::optional<double> PrintedValue(std::string_view text);

/// Why a text is no PrintedValue: "it has a decimal comma".
std::string WhyNoPrintedValue(std::string_view text);

/// The whole number of 64 bits that all of `text` is: "3", "003", "3.0", "3e2".
/// nullopt if it is none. Pure.
std::optional<std::int64_t> PrintedWholeNumber(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_NUMBER_H_
