#include "buckets/object_hash.h"

#include <openssl/evp.h>

#include <array>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "base/check.h"
#include "base/crc32c.h"

namespace vernier {
namespace {

constexpr char kBase64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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

int Base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
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
  return {Base64Encode(crc), Base64Encode(FinishDigest(copy.get()))};
}

std::string Base64Encode(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group <<= 8;
      if (i + k < bytes.size()) {
        group |= static_cast<unsigned char>(bytes[i + k]);
      }
    }
    const std::size_t digits = bytes.size() - i >= 3 ? 4 : bytes.size() - i + 1;
    for (std::size_t k = 0; k < 4; ++k) {
      text.push_back(k < digits ? kBase64[(group >> (18 - 6 * k)) & 63] : '=');
    }
  }
  return text;
}

std::optional<std::string> Base64Decode(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = Base64Digit(c);
    if (digit < 0) return std::nullopt;
    group = (group << 6) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>((group >> bits) & 0xff));
  }
  return bytes;
}

std::string Md5Hex(std::string_view data) {
  const DigestContext context = NewMd5();
  EVP_DigestUpdate(context.get(), data.data(), data.size());
  return absl::BytesToHexString(FinishDigest(context.get()));
}

}  // namespace vernier
