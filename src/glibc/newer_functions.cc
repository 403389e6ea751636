// What newer releases of glibc have, and 2.28 has not, under glibc's own names:
// archives, libstdc++ and libgcc call these. They are hidden, so that libraries
// which are opened at run time find the system's. A call of ours that only
// newer releases have does not belong here: base/ and the like go without.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "glibc/clock_wait.h"
#include "glibc/unwind_table.h"

#define VERNIER_SUPPLIED __attribute__((visibility("hidden"), used))

extern "C" {

// 2.32. libstdc++ counts references without atomic instructions where this says
// that there is one thread; it never does.
VERNIER_SUPPLIED char __libc_single_threaded = 0;

// 2.36. For std::random_device and c-ares.
VERNIER_SUPPLIED void arc4random_buf(void* buffer, std::size_t size) {
  constexpr std::size_t kMost = 256;  // Of one call that no signal cuts short.
  auto* at = static_cast<char*>(buffer);
  while (size > 0) {
    const std::size_t part = std::min(size, kMost);
    if (::getrandom(at, part, 0) != static_cast<ssize_t>(part)) std::abort();
    at += part;
    size -= part;
  }
}
VERNIER_SUPPLIED std::uint32_t arc4random() {
  std::uint32_t number = 0;
  arc4random_buf(&number, sizeof(number));
  return number;
}

// 2.35. For libgcc, at each exception.
VERNIER_SUPPLIED int _dl_find_object(void* address, dl_find_object* found) {
  return vernier::FindUnwindTable(address, found);
}

// 2.30. For std::condition_variable and Abseil. The system's are better where
// they are.
VERNIER_SUPPLIED int pthread_cond_clockwait(pthread_cond_t* condition,
                                            pthread_mutex_t* mutex,
                                            clockid_t clock,
                                            const timespec* deadline) {
  static const auto system = reinterpret_cast<decltype(&vernier::WaitOnClock)>(
      ::dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));
  return (system != nullptr ? system : &vernier::WaitOnClock)(condition, mutex,
                                                              clock, deadline);
}
VERNIER_SUPPLIED int sem_clockwait(sem_t* semaphore, clockid_t clock,
                                   const timespec* deadline) {
  static const auto system = reinterpret_cast<decltype(&vernier::TakeByClock)>(
      ::dlsym(RTLD_DEFAULT, "sem_clockwait"));
  return (system != nullptr ? system : &vernier::TakeByClock)(semaphore, clock,
                                                              deadline);
}

// 2.38. What programs call for strtol and its like since the headers know C23,
// which also takes "0b1". Older releases do not take it, and nobody here needs
// it. The headers would lead calls of the plain names back to these.
long vernier_strtol(const char*, char**, int) __asm__("strtol");
unsigned long vernier_strtoul(const char*, char**, int) __asm__("strtoul");
long long vernier_strtoll(const char*, char**, int) __asm__("strtoll");
unsigned long long vernier_strtoull(const char*, char**,
                                    int) __asm__("strtoull");
int vernier_vsscanf(const char*, const char*,
                    va_list) __asm__("__isoc99_vsscanf");

VERNIER_SUPPLIED long __isoc23_strtol(const char* text, char** end, int base) {
  return vernier_strtol(text, end, base);
}
VERNIER_SUPPLIED unsigned long __isoc23_strtoul(const char* text, char** end,
                                                int base) {
  return vernier_strtoul(text, end, base);
}
VERNIER_SUPPLIED long long __isoc23_strtoll(const char* text, char** end,
                                            int base) {
  return vernier_strtoll(text, end, base);
}
VERNIER_SUPPLIED unsigned long long __isoc23_strtoull(const char* text,
                                                      char** end, int base) {
  return vernier_strtoull(text, end, base);
}
VERNIER_SUPPLIED int __isoc23_sscanf(const char* text, const char* format,
                                     ...) {
  va_list values;
  va_start(values, format);
  const int read = vernier_vsscanf(text, format, values);
  va_end(values);
  return read;
}

// 2.33. Before it, these were in each program, and called functions that the
// headers no longer have. The kernel's structure is the same on 64 bits.
VERNIER_SUPPLIED int fstatat(int folder, const char* path, struct stat* status,
                             int flags) {
  return static_cast<int>(
      ::syscall(SYS_newfstatat, folder, path, status, flags));
}
VERNIER_SUPPLIED int stat(const char* path, struct stat* status) {
  return fstatat(AT_FDCWD, path, status, 0);
}
VERNIER_SUPPLIED int lstat(const char* path, struct stat* status) {
  return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
VERNIER_SUPPLIED int fstat(int descriptor, struct stat* status) {
  return static_cast<int>(::syscall(SYS_fstat, descriptor, status));
}
VERNIER_SUPPLIED int stat64(const char*, struct stat64*)
    __attribute__((alias("stat")));
VERNIER_SUPPLIED int lstat64(const char*, struct stat64*)
    __attribute__((alias("lstat")));
VERNIER_SUPPLIED int fstat64(int, struct stat64*)
    __attribute__((alias("fstat")));

}  // extern "C"

static_assert(sizeof(struct stat) == sizeof(struct stat64));
