#ifndef VERNIER_CLI_DISPLAY_SHORT_NAMES_H_
#define VERNIER_CLI_DISPLAY_SHORT_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace vernier {

/// The fewest columns that a name is cut to.
inline constexpr std::size_t kFewestNameColumns = 5;

/// Long names in little room: each is made printable, and cut to its entry of
/// `widths` (kFewestNameColumns at least). The middle gives way to a "~"; the
/// part that tells a name from those among `names` that begin alike stays, so
/// that no two look the same as long as that part fits. Equal names stay equal.
/// The dashboard does the same (web/src/names.ts). Pure.
std::vector<std::string> ShortNames(const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& widths);

/// ShortNames of one width.
std::vector<std::string> ShortNames(const std::vector<std::string>& names,
                                    std::size_t width);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_SHORT_NAMES_H_
