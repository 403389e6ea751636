#ifndef VERNIER_TESTS_FACES_COLUMNS_READER_H_
#define VERNIER_TESTS_FACES_COLUMNS_READER_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace vernier {

/// Reads an answer of columns as the page does.
class ColumnsReader {
 public:
  explicit ColumnsReader(std::string bytes) : bytes_(std::move(bytes)) {
    EXPECT_EQ(bytes_.substr(0, 4), "VCOL");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes_.data() + 4, sizeof(length));
    header_ = ParseJson(std::string_view(bytes_).substr(8, length)).value();
    data_ = (8 + length + 7) / 8 * 8;
  }

  const Json& header() const { return header_; }

  /// Returns a column; the test fails if there is none or it has another type.
  template <typename T>
  std::vector<T> Get(const std::string& name) const {
    for (const Json& column : header_["columns"]) {
      if (column["name"] != name) continue;
      EXPECT_EQ(column["type"], TypeName<T>()) << name;
      const auto offset = column["offset"].get<std::size_t>();
      EXPECT_EQ((data_ + offset) % 8, 0u) << name;
      std::vector<T> values(column["length"].get<std::size_t>());
      const std::size_t size = values.size() * sizeof(T);
      EXPECT_LE(data_ + offset + size, bytes_.size()) << name;
      if (size > 0) {
        std::memcpy(values.data(), bytes_.data() + data_ + offset, size);
      }
      return values;
    }
    ADD_FAILURE() << "there is no column " << name;
    return {};
  }

 private:
  template <typename T>
  static const char* TypeName() {
    if (std::is_same_v<T, std::uint8_t>) return "u8";
    if (std::is_same_v<T, std::int32_t>) return "i32";
    return std::is_same_v<T, float> ? "f32" : "f64";
  }

  const std::string bytes_;
  Json header_;
  std::size_t data_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_COLUMNS_READER_H_
