#ifndef VERNIER_TESTS_STORE_FAULTY_VFS_H_
#define VERNIER_TESTS_STORE_FAULTY_VFS_H_

#include <atomic>
#include <memory>
#include <string>

namespace vernier {

/// A SQLite VFS over the system's that fails from the n-th operation of a kind
/// on, until it is healed. Registered while it lives; one at a time.
class FaultyVfs {
 public:
  enum class Operation { kWrite, kSync };

  explicit FaultyVfs(const std::string& name);
  ~FaultyVfs();

  const std::string& name() const { return name_; }

  /// The n-th operation from now (1: the next) and all later ones fail.
  /// `last_errno` is the errno that the system seems to have returned then.
  void FailFrom(Operation operation, int n, int code, int last_errno = 0);
  void Heal();
  /// Returns whether an operation was made to fail.
  bool was_reached() const { return was_reached_; }

  /// Returns, for the VFS's own functions, the code to fail with, or 0.
  int NextCode(Operation operation);
  int last_errno() const { return last_errno_; }

 private:
  struct Registration;

  const std::string name_;
  const std::unique_ptr<Registration> registration_;
  std::atomic<Operation> operation_ = Operation::kWrite;
  std::atomic<int> left_ = 0;
  std::atomic<int> code_ = 0;
  std::atomic<int> last_errno_ = 0;
  std::atomic<bool> was_reached_ = false;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_FAULTY_VFS_H_
