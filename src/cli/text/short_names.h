#ifndef VERNIER_CLI_DISPLAY_SHORT_NAMES_H_
#define VERNIER_CLI_DISPLAY_SHORT_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace vernier {

/// The fewest columns that a name is cut to.
inline constexpr std::size_t kFewestNameColumns = 5;

/// Shortens long names: each is made printable, and cut to its entry of
/// `widths` (at least kFewestNameColumns). The middle is replaced by a "~"; the
/// part that distinguishes a name from those among `names` that begin alike is
/// kept, so that no two look the same as long as that part fits. Equal names
/// stay equal. The dashboard does the same (web/src/names.ts). Pure.
std::vector<std::string> ShortNames(const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& widths);

/// Does the same with one width for all names.
std::vector<std::string> ShortNames(const std::vector<std::string>& names,
                                    std::size_t width);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_SHORT_NAMES_H_
