#include "base/process/descriptor_range.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "base/unique_fd.h"

namespace vernier {
namespace {

using EndRange = void (*)(unsigned, unsigned, DescriptorEnd);

bool IsOpen(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }
bool IsEndedByExec(int fd) { return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; }

// Both ways must do the same: a test machine has a kernel that knows the call.
class DescriptorRangeTest : public testing::TestWithParam<EndRange> {
 protected:
  // Far from what the test program has open.
  static constexpr int kFirst = 500;

  DescriptorRangeTest() {
    const UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    for (int i = 0; i < 4; ++i) {
      opened_.emplace_back(::fcntl(null.get(), F_DUPFD, kFirst + 10 * i));
    }
  }

  int At(std::size_t i) const { return opened_[i].get(); }
  void End(int first, int last, DescriptorEnd end) {
    GetParam()(static_cast<unsigned>(first), static_cast<unsigned>(last), end);
  }

  std::vector<UniqueFd> opened_;
};

TEST_P(DescriptorRangeTest, ClosesThoseOfTheRangeAndNoOthers) {
  End(At(1), At(2), DescriptorEnd::kNow);
  EXPECT_TRUE(IsOpen(At(0)));
  EXPECT_FALSE(IsOpen(At(1)));
  EXPECT_FALSE(IsOpen(At(2)));
  EXPECT_TRUE(IsOpen(At(3)));
}

TEST_P(DescriptorRangeTest, MarksThoseThatExecIsToClose) {
  End(At(1), At(2), DescriptorEnd::kOnExec);
  EXPECT_FALSE(IsEndedByExec(At(0)));
  EXPECT_TRUE(IsEndedByExec(At(1)));
  EXPECT_TRUE(IsEndedByExec(At(2)));
  EXPECT_FALSE(IsEndedByExec(At(3)));
}

TEST_P(DescriptorRangeTest, NeedsNoUpperEnd) {
  GetParam()(static_cast<unsigned>(At(2)), ~0u, DescriptorEnd::kNow);
  EXPECT_TRUE(IsOpen(At(1)));
  EXPECT_FALSE(IsOpen(At(2)));
  EXPECT_FALSE(IsOpen(At(3)));
}

TEST_P(DescriptorRangeTest, DoesNothingInAnEmptyRange) {
  End(At(2), At(1), DescriptorEnd::kNow);
  for (std::size_t i = 0; i < opened_.size(); ++i) EXPECT_TRUE(IsOpen(At(i)));
}

TEST_P(DescriptorRangeTest, LeavesNoDescriptorOfItsOwn) {
  const int before = ::dup(0);
  ::close(before);
  End(At(1), At(2), DescriptorEnd::kNow);
  const int after = ::dup(0);
  ::close(after);
  EXPECT_EQ(after, before);
}

INSTANTIATE_TEST_SUITE_P(Ways, DescriptorRangeTest,
                         testing::Values(&EndDescriptors,
                                         &EndDescriptorsOneByOne));

}  // namespace
}  // namespace vernier
