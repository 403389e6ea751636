#ifndef VERNIER_TESTS_SUPPORT_NO_DESCRIPTORS_H_
#define VERNIER_TESTS_SUPPORT_NO_DESCRIPTORS_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vector>

namespace vernier {

/// While it lives, this process can open no more than `left` descriptors.
class NoDescriptors {
 public:
  explicit NoDescriptors(int left) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 256;
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    int fd = 0;
    while ((fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) {
      fds_.push_back(fd);
    }
    for (; left > 0 && !fds_.empty(); --left) {
      ::close(fds_.back());
      fds_.pop_back();
    }
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;
  ~NoDescriptors() {
    for (const int fd : fds_) ::close(fd);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<int> fds_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_SUPPORT_NO_DESCRIPTORS_H_
