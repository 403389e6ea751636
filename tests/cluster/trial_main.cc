// A training program that does what its arguments say, one word after the
// other, up to the first that begins with "--" (the trial's parameters):
//
//   note FILE        append "ROLE INDEX NONCE\n" to FILE
//   await FILE       wait until FILE exists; exit with the number in it
//   print N TEXT     print TEXT and a newline N times
//   say TEXT         print TEXT to stderr, without a newline
//   sleep            wait for ever
//   ignore-term      from now on ignore SIGTERM
//   slow-term FILE   on SIGTERM, create FILE 200 ms later and exit 0
//   daemon FILE      leave a process behind in a session of its own, which
//                    notes itself in FILE
//   only ROLE W V    do the words W V only if this replica is a ROLE
//   raise N          raise signal N
//   stop-parent      stop the process that started this one, by SIGSTOP
//   hold-parent      likewise, again and again, for ever
//   exit N           exit with N

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

char slow_term_file[4096];

void Pause(long milliseconds) {
  timespec pause{milliseconds / 1000, milliseconds % 1000 * 1000000};
  ::nanosleep(&pause, nullptr);
}

void Append(const char* file, const std::string& line) {
  const int fd = ::open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0 || ::write(fd, line.data(), line.size()) < 0) std::abort();
  ::close(fd);
}

void OnSlowTerm(int) {
  Pause(200);
  ::close(::open(slow_term_file, O_WRONLY | O_CREAT, 0600));
  ::_exit(0);
}

std::string Role() {
  // {"type":"worker","index":1,...}: enough of a parser for our own output.
  const char* config = std::getenv("CLUSTER_SPEC");
  if (config == nullptr) return "none";
  const std::string text = config;
  constexpr char kType[] = "\"task\":{\"type\":\"";
  const std::size_t begin = text.find(kType) + sizeof(kType) - 1;
  return text.substr(begin, text.find('"', begin) - begin);
}

std::string Note() {
  const char* nonce = std::getenv("VERNIER_ATTEMPT");
  const char* rank = std::getenv("RANK");
  return Role() + " " + (rank == nullptr ? "-" : rank) + " " +
         (nonce == nullptr ? "none" : nonce) + "\n";
}

// Returns when the daemon has noted itself: a gang that ended before would take
// the daemon with it.
void LeaveDaemon(const char* file) {
  int noted[2];
  if (::pipe2(noted, O_CLOEXEC) != 0) ::_exit(70);
  if (::fork() != 0) {
    ::close(noted[1]);
    char nothing = 0;
    while (::read(noted[0], &nothing, 1) < 0) {
    }
    ::close(noted[0]);
    return;
  }
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  ::signal(SIGTERM, SIG_IGN);
  Append(file, Note());
  ::close(noted[1]);
  while (true) ::pause();
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc && std::strncmp(argv[i], "--", 2) != 0; ++i) {
    const std::string word = argv[i];
    const char* next = i + 1 < argc ? argv[i + 1] : "";
    if (word == "note") {
      Append(next, Note());
      ++i;
    } else if (word == "await") {
      std::FILE* file = nullptr;
      while ((file = std::fopen(next, "re")) == nullptr) Pause(2);
      int code = 0;
      return std::fscanf(file, "%d", &code) == 1 ? code : 0;
    } else if (word == "print") {
      for (long n = std::atol(next); n > 0; --n) std::puts(argv[i + 2]);
      std::fflush(stdout);
      i += 2;
    } else if (word == "say") {
      std::fputs(next, stderr);
      ++i;
    } else if (word == "sleep") {
      while (true) ::pause();
    } else if (word == "ignore-term") {
      ::signal(SIGTERM, SIG_IGN);
    } else if (word == "slow-term") {
      std::snprintf(slow_term_file, sizeof(slow_term_file), "%s", next);
      ::signal(SIGTERM, OnSlowTerm);
      ++i;
    } else if (word == "daemon") {
      LeaveDaemon(next);
      ++i;
    } else if (word == "only") {
      i += Role() == next ? 1 : 3;
    } else if (word == "raise") {
      ::signal(std::atoi(next), SIG_DFL);  // A sanitizer may have taken it.
      ::raise(std::atoi(next));
      ++i;
    } else if (word == "stop-parent") {
      ::kill(::getppid(), SIGSTOP);
    } else if (word == "hold-parent") {
      const pid_t parent = ::getppid();
      while (true) {
        ::kill(parent, SIGSTOP);
        Pause(1);
      }
    } else if (word == "exit") {
      return std::atoi(next);
    } else {
      std::fprintf(stderr, "unknown word: %s\n", argv[i]);
      return 64;
    }
  }
  return 0;
}
