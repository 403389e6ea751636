#ifndef VERNIER_BASE_MUTEX_H_
#define VERNIER_BASE_MUTEX_H_

#include <mutex>

#if defined(__clang__)
#define VERNIER_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define VERNIER_THREAD_ATTRIBUTE(x)
#endif
#define VERNIER_GUARDED_BY(x) VERNIER_THREAD_ATTRIBUTE(guarded_by(x))
#define VERNIER_PT_GUARDED_BY(x) VERNIER_THREAD_ATTRIBUTE(pt_guarded_by(x))
#define VERNIER_REQUIRES(...) \
  VERNIER_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))

namespace vernier {

/// A std::mutex that Clang's -Wthread-safety can reason about. absl::Mutex is
/// not used, because Debian ships it uninstrumented, so TSan reports false
/// races.
class VERNIER_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  void lock() VERNIER_THREAD_ATTRIBUTE(acquire_capability()) { mu_.lock(); }
  void unlock() VERNIER_THREAD_ATTRIBUTE(release_capability()) { mu_.unlock(); }

 private:
  std::mutex mu_;
};

class VERNIER_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mu) VERNIER_THREAD_ATTRIBUTE(acquire_capability(mu))
      : mu_(mu) {
    mu_.lock();
  }
  ~MutexLock() VERNIER_THREAD_ATTRIBUTE(release_capability()) { mu_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mu_;
};

}  // namespace vernier

#endif  // VERNIER_BASE_MUTEX_H_
