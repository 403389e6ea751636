/* A training program that does nothing but say when: appends one line with the
 * nanoseconds of its start and end to the file named by its first argument. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char** argv) {
  const long long start = now();
  char line[64];
  int length;
  int file;
  if (argc < 2) return 2;
  file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return 1;
  length = snprintf(line, sizeof line, "%lld %lld\n", start, now());
  return write(file, line, (size_t)length) == length ? 0 : 1;
}
