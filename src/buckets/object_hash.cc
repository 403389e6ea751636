#include "buckets/object_hash.h"

#include <openssl/evp.h>

#include <array>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "base/check.h"
#include "base/crc32c.h"

namespace vernier {
namespace {

using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

DigestContext NewMd5() {
  DigestContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  VERNIER_CHECK(context != nullptr &&
                EVP_DigestInit_ex(context.get(), EVP_md5(), nullptr) == 1);
  return context;
}

std::string FinishDigest(EVP_MD_CTX* context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_DigestFinal_ex(context, digest.data(), &size);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

}  // namespace

struct ObjectHasher::State {
  DigestContext md5 = NewMd5();
  std::uint32_t crc = 0;
};

ObjectHasher::ObjectHasher() : state_(std::make_unique<State>()) {}
ObjectHasher::~ObjectHasher() = default;
ObjectHasher::ObjectHasher(ObjectHasher&&) noexcept = default;
ObjectHasher& ObjectHasher::operator=(ObjectHasher&&) noexcept = default;

void ObjectHasher::Update(std::string_view data) {
  state_->crc = ExtendCrc32c(state_->crc, data);
  EVP_DigestUpdate(state_->md5.get(), data.data(), data.size());
}

ObjectHashes ObjectHasher::Value() const {
  DigestContext copy(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  VERNIER_CHECK(copy != nullptr &&
                EVP_MD_CTX_copy_ex(copy.get(), state_->md5.get()) == 1);
  std::string crc;
  for (int shift = 24; shift >= 0; shift -= 8) {
    crc.push_back(static_cast<char>((state_->crc >> shift) & 0xff));
  }
  return {absl::Base64Escape(crc),
          absl::Base64Escape(FinishDigest(copy.get()))};
}

std::string Md5Hex(std::string_view data) {
  const DigestContext context = NewMd5();
  EVP_DigestUpdate(context.get(), data.data(), data.size());
  return absl::BytesToHexString(FinishDigest(context.get()));
}

}  // namespace vernier
