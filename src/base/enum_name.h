#ifndef VERNIER_BASE_ENUM_NAME_H_
#define VERNIER_BASE_ENUM_NAME_H_

#include <cstddef>
#include <string_view>

namespace vernier {

/// A name in a job file, or in stored data, and the value it stands for. Names
/// that end in "_UNSPECIFIED" are accepted but not offered in messages.
template <typename E>
struct EnumName {
  std::string_view name;
  E value;
};

/// Returns the name of `value` in a table of names; empty if it has none.
template <typename E, std::size_t size>
constexpr std::string_view NameIn(const EnumName<E> (&table)[size], E value) {
  for (const EnumName<E>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "";
}

}  // namespace vernier

#endif  // VERNIER_BASE_ENUM_NAME_H_
