// This program is linked as the service is: what it calls here is what
// src/glibc/newer_functions.cc supplies.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <random>
#include <string>

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

TEST_F(NewerFunctionsTest, EndAWaitThatIsOver) {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock<std::mutex> lock(mutex);
  EXPECT_EQ(condition.wait_until(lock, std::chrono::steady_clock::time_point()),
            std::cv_status::timeout);
}

}  // namespace
}  // namespace vernier
