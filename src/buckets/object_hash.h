#ifndef VERNIER_BUCKETS_OBJECT_HASH_H_
#define VERNIER_BUCKETS_OBJECT_HASH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace vernier {

/// Checksums of an object's bytes, both as the storage API writes them: base64,
/// the CRC in big-endian order.
struct ObjectHashes {
  std::string crc32c;
  std::string md5;

  friend bool operator==(const ObjectHashes&, const ObjectHashes&) = default;
};

/// Computes both checksums piece by piece. Move-only. Not thread-safe.
class ObjectHasher {
 public:
  ObjectHasher();
  ~ObjectHasher();
  ObjectHasher(ObjectHasher&&) noexcept;
  ObjectHasher& operator=(ObjectHasher&&) noexcept;

  void Update(std::string_view data);
  /// Returns the checksums of all bytes so far. Update may follow.
  ObjectHashes Value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns 32 lower-case hex digits of the MD5 of `data`.
std::string Md5Hex(std::string_view data);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_OBJECT_HASH_H_
