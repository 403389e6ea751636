#ifndef VERNIER_BASE_UNIQUE_FD_H_
#define VERNIER_BASE_UNIQUE_FD_H_

#include <unistd.h>

namespace vernier {

/// Owns one file descriptor; closes it when it goes away. Move-only.
/// Thread-compatible.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.Release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    Reset(other.Release());
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() { Reset(); }

  /// Returns the descriptor, or -1.
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  int Release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void Reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

}  // namespace vernier

#endif  // VERNIER_BASE_UNIQUE_FD_H_
