#ifndef VERNIER_TESTS_CLUSTER_METRICS_WANDB_BUILDER_H_
#define VERNIER_TESTS_CLUSTER_METRICS_WANDB_BUILDER_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cluster/metrics/tensorboard/event_builder.h"

namespace vernier {

/// Returns the CRC-32 of zlib, by bits, so that the reader's own code is not
/// what the reader is tested with.
inline std::uint32_t Crc32Of(std::string_view data) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0u);
    }
  }
  return ~crc;
}

/// Keys with the JSON texts of their values; a point parts the keys of nested
/// mappings.
using WandbItems = std::vector<std::pair<std::string, std::string>>;

inline std::string WandbItemFields(const WandbItems& items) {
  std::string fields;
  for (const auto& [key, value] : items) {
    std::string item;
    for (std::size_t at = 0; at <= key.size();) {
      const std::size_t end = std::min(key.find('.', at), key.size());
      item += BytesField(2, std::string_view(key).substr(at, end - at));
      at = end + 1;
    }
    fields += BytesField(1, item + BytesField(16, value));
  }
  return fields;
}

/// Builds a file of W&B's library.
class WandbBuilder {
 public:
  WandbBuilder& History(const WandbItems& items) {
    return Record(BytesField(2, WandbItemFields(items)));
  }
  WandbBuilder& Summary(const WandbItems& items) {
    return Record(BytesField(3, WandbItemFields(items)));
  }
  WandbBuilder& Exit() { return Record(BytesField(18, "")); }
  /// Appends the record, in fragments where a block ends.
  WandbBuilder& Record(std::string_view data) {
    constexpr std::size_t kBlock = 32768;
    for (bool is_first = true;; is_first = false) {
      const std::size_t room = kBlock - file_.size() % kBlock;
      if (room < 7) {
        file_.append(room, '\0');
        continue;
      }
      const std::size_t size = std::min(data.size(), room - 7);
      const bool is_last = size == data.size();
      const char type = is_first ? (is_last ? 1 : 2) : (is_last ? 4 : 3);
      const std::string summed = type + std::string(data.substr(0, size));
      file_ += Fixed(Crc32Of(summed), 4) + Fixed(size, 2) + summed;
      data.remove_prefix(size);
      if (is_last) return *this;
    }
  }
  const std::string& file() const { return file_; }

 private:
  std::string file_ = std::string(":W&B\xe1\xbe", 6) + std::string(1, '\0');
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_METRICS_WANDB_BUILDER_H_
