#ifndef VERNIER_BUCKETS_SHA256_H_
#define VERNIER_BUCKETS_SHA256_H_

#include <memory>
#include <string>
#include <string_view>

namespace vernier {

/// Computes the SHA-256 of bytes that come piece by piece. Unlike for an
/// object's checksums, nobody can construct two texts with the same one. Not
/// thread-safe: one reader owns it.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  ~Sha256();

  void Update(std::string_view bytes);
  /// Returns 64 lower-case hex digits. The object must not be used afterwards.
  std::string Hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vernier

#endif  // VERNIER_BUCKETS_SHA256_H_
