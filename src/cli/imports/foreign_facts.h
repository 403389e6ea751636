#ifndef VERNIER_CLI_IMPORTS_FOREIGN_FACTS_H_
#define VERNIER_CLI_IMPORTS_FOREIGN_FACTS_H_

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace vernier {

/// The attribute by which an imported study or trial is found again. A tool's
/// own attribute of this name has no place.
inline constexpr char kImportedAttribute[] = "imported";

/// Adds an attribute, a JSON value, and returns an empty text; or returns why
/// it has no place, as a clause about it: its name or value cannot be one, or
/// there is no room.
std::string AddAttribute(const std::string& name, const std::string& json,
                         std::map<std::string, std::string>* attributes);

/// Returns the time between two times as a tool wrote them; 0 if one cannot be
/// read, or they are in the wrong order.
std::chrono::microseconds TimeBetween(std::string_view started,
                                      std::string_view ended);

/// Returns 16 hexadecimal digits that stand for a text. Not for secrets.
std::string ShortDigest(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_FOREIGN_FACTS_H_
