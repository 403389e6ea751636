#include "base/process/signal_name.h"

#include <signal.h>

namespace vernier {
namespace {

struct NamedSignal {
  int number;
  std::string_view name;
};

// sigabbrev_np has the same, but came with glibc 2.32.
constexpr NamedSignal kSignals[] = {
    {SIGHUP, "HUP"},       {SIGINT, "INT"},       {SIGQUIT, "QUIT"},
    {SIGILL, "ILL"},       {SIGTRAP, "TRAP"},     {SIGABRT, "ABRT"},
    {SIGBUS, "BUS"},       {SIGFPE, "FPE"},       {SIGKILL, "KILL"},
    {SIGUSR1, "USR1"},     {SIGSEGV, "SEGV"},     {SIGUSR2, "USR2"},
    {SIGPIPE, "PIPE"},     {SIGALRM, "ALRM"},     {SIGTERM, "TERM"},
    {SIGSTKFLT, "STKFLT"}, {SIGCHLD, "CHLD"},     {SIGCONT, "CONT"},
    {SIGSTOP, "STOP"},     {SIGTSTP, "TSTP"},     {SIGTTIN, "TTIN"},
    {SIGTTOU, "TTOU"},     {SIGURG, "URG"},       {SIGXCPU, "XCPU"},
    {SIGXFSZ, "XFSZ"},     {SIGVTALRM, "VTALRM"}, {SIGPROF, "PROF"},
    {SIGWINCH, "WINCH"},   {SIGPOLL, "POLL"},     {SIGPWR, "PWR"},
    {SIGSYS, "SYS"},
};

}  // namespace

std::string_view SignalName(int number) {
  for (const NamedSignal& signal : kSignals) {
    if (signal.number == number) return signal.name;
  }
  return "";
}

}  // namespace vernier
