#ifndef VERNIER_BASE_ENUM_NAME_H_
#define VERNIER_BASE_ENUM_NAME_H_

#include <string_view>

namespace vernier {

/// A name in a job file and the value it stands for. Names that end in
/// "_UNSPECIFIED" are accepted but not offered in messages.
template <typename E>
struct EnumName {
  std::string_view name;
  E value;
};

}  // namespace vernier

#endif  // VERNIER_BASE_ENUM_NAME_H_
