#ifndef VERNIER_BASE_COUNTED_NOUN_H_
#define VERNIER_BASE_COUNTED_NOUN_H_

#include <cstdint>
#include <string>

namespace vernier {

/// Returns "1 trial", "2 trials". `noun` must be one whose plural ends with an
/// s.
inline std::string Counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}
inline std::string Counted(std::size_t count, const std::string& noun) {
  return Counted(static_cast<std::int64_t>(count), noun);
}
inline std::string Counted(int count, const std::string& noun) {
  return Counted(std::int64_t{count}, noun);
}

}  // namespace vernier

#endif  // VERNIER_BASE_COUNTED_NOUN_H_
