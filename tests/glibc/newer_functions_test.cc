// This program is linked as the service is: what it calls here is what
// src/glibc/newer_functions.cc supplies.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <string>

// Headers of glibc 2.38 and newer lead strtol and sscanf to these. With a
// sanitizer this program is linked as usual, and may not have them.
extern "C" {
__attribute__((weak)) long __isoc23_strtol(const char*, char**, int);
__attribute__((weak)) unsigned long long __isoc23_strtoull(const char*, char**,
                                                           int);
__attribute__((weak)) int __isoc23_sscanf(const char*, const char*, ...);
}

namespace vernier {
namespace {

class NewerFunctionsTest : public testing::Test {
 protected:
  NewerFunctionsTest() : file_(testing::TempDir() + "newer_functions") {
    std::ofstream(file_) << "12345";
    ::unlink(Link().c_str());
    EXPECT_EQ(::symlink(file_.c_str(), Link().c_str()), 0);
  }
  ~NewerFunctionsTest() override {
    ::unlink(Link().c_str());
    ::unlink(file_.c_str());
  }

  std::string Link() const { return file_ + ".link"; }

  const std::string file_;
};

TEST_F(NewerFunctionsTest, TellAFilesStatus) {
  struct stat status {};
  ASSERT_EQ(::stat(Link().c_str(), &status), 0);
  EXPECT_TRUE(S_ISREG(status.st_mode));
  EXPECT_EQ(status.st_size, 5);
  ASSERT_EQ(::lstat(Link().c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  const int open = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::fstat(open, &status), 0);
  ::close(open);
  EXPECT_EQ(status.st_size, 5);
  ASSERT_EQ(::fstatat(AT_FDCWD, Link().c_str(), &status, AT_SYMLINK_NOFOLLOW),
            0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
}

TEST_F(NewerFunctionsTest, SayInErrnoWhatIsWrong) {
  struct stat status {};
  EXPECT_EQ(::stat((file_ + ".none").c_str(), &status), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(::fstat(-1, &status), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST_F(NewerFunctionsTest, GiveRandomNumbers) {
  std::random_device device("default");
  std::random_device system("arc4random");
  // All alike once in 2^96 runs.
  EXPECT_FALSE(device() == device() && device() == device() &&
               system() == system());
}

TEST_F(NewerFunctionsTest, FillAnyNumberOfBytes) {
  std::string bytes(1000, '\0');
  ::arc4random_buf(bytes.data(), 999);
  EXPECT_GT(std::set<char>(bytes.begin(), bytes.end() - 1).size(), 100u);
  EXPECT_EQ(bytes.back(), '\0');
}

TEST_F(NewerFunctionsTest, ReadNumbersAsBefore) {
  if (&__isoc23_strtol == nullptr)
    GTEST_SKIP() << "this glibc is older than 2.38";
  char* end = nullptr;
  EXPECT_EQ(__isoc23_strtol("-12x", &end, 10), -12);
  EXPECT_STREQ(end, "x");
  EXPECT_EQ(__isoc23_strtol("0x1f", nullptr, 0), 31);
  EXPECT_EQ(__isoc23_strtoull("18446744073709551615", nullptr, 10), ~0ull);
  int first = 0;
  char second = 0;
  EXPECT_EQ(__isoc23_sscanf("7 z", "%d %c", &first, &second), 2);
  EXPECT_EQ(first, 7);
  EXPECT_EQ(second, 'z');
}

TEST_F(NewerFunctionsTest, EndAWaitThatIsOver) {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock<std::mutex> lock(mutex);
  EXPECT_EQ(condition.wait_until(lock, std::chrono::steady_clock::time_point()),
            std::cv_status::timeout);
}

}  // namespace
}  // namespace vernier
