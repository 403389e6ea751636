#include "base/random_bits.h"

#include <sys/random.h>

#include <cstdio>

#include "base/check.h"

namespace vernier {
namespace {

std::uint64_t RandomWord() {
  std::uint64_t word = 0;
  // Eight bytes are never cut short, and the kernel's pool was ready at boot.
  VERNIER_CHECK(getrandom(&word, sizeof(word), 0) == sizeof(word));
  return word;
}

}  // namespace

std::string RandomHex() {
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx",
                static_cast<unsigned long long>(RandomWord()),
                static_cast<unsigned long long>(RandomWord()));
  return text;
}

std::uint64_t RandomSeed() { return RandomWord() >> 1; }

}  // namespace vernier
