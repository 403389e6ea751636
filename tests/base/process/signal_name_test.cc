#include "base/process/signal_name.h"

#include <gtest/gtest.h>

#include <cstring>

namespace vernier {
namespace {

// The C library of the machine that builds has them, too; that of the machine
// that runs may not.
TEST(SignalNameTest, IsWhatTheCLibraryCallsIt) {
  for (int number = -1; number <= 70; ++number) {
    const char* name = ::sigabbrev_np(number);
    EXPECT_EQ(SignalName(number), name == nullptr || number < 1 ? "" : name)
        << number;
  }
}

}  // namespace
}  // namespace vernier
