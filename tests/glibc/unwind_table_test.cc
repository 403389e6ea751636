#include "glibc/unwind_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace vernier {
namespace {

// The C library's own, where it has one; ours is hidden from dlsym.
using Find = int (*)(void*, dl_find_object*);
Find SystemFind() {
  return reinterpret_cast<Find>(::dlsym(RTLD_DEFAULT, "_dl_find_object"));
}

void* AddressOf(const char* function) {
  return ::dlsym(RTLD_DEFAULT, function);
}

TEST(UnwindTableTest, IsTheOneThatTheSystemFinds) {
  const Find system = SystemFind();
  if (system == nullptr) GTEST_SKIP() << "this glibc is older than 2.35";
  for (void* address : {reinterpret_cast<void*>(&FindUnwindTable),
                        AddressOf("fopen"), AddressOf("cos")}) {
    ASSERT_NE(address, nullptr);
    dl_find_object ours;
    dl_find_object theirs;
    ASSERT_EQ(FindUnwindTable(address, &ours), 0);
    ASSERT_EQ(system(address, &theirs), 0);
    EXPECT_EQ(ours.dlfo_eh_frame, theirs.dlfo_eh_frame);
    EXPECT_LE(ours.dlfo_map_start, address);
    EXPECT_GT(ours.dlfo_map_end, address);
  }
}

TEST(UnwindTableTest, IsNowhereOutsideOfCode) {
  int on_the_stack = 0;
  dl_find_object found;
  EXPECT_EQ(FindUnwindTable(&on_the_stack, &found), -1);
  EXPECT_EQ(FindUnwindTable(nullptr, &found), -1);
}

// This program is linked as the service is, so it unwinds by the function
// above.
TEST(UnwindTableTest, LeadsExceptionsToTheirHandlers) {
  EXPECT_THROW(throw std::runtime_error("thrown"), std::runtime_error);
}

}  // namespace
}  // namespace vernier
