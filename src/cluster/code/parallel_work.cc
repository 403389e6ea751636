#include "cluster/code/parallel_work.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace vernier {
namespace {

constexpr unsigned kFewest = 4;
constexpr unsigned kMost = 16;

}  // namespace

void RunInThreads(const std::function<void()>& work) {
  // Twice the number of cores, because a thread waits for the disk about half
  // of the time.
  const unsigned count =
      std::clamp(2 * std::thread::hardware_concurrency(), kFewest, kMost);
  std::vector<std::thread> others;
  for (unsigned i = 1; i < count; ++i) {
    try {
      others.emplace_back(work);
    } catch (const std::system_error&) {
      break;  // The user's limit of threads: fewer do it.
    }
  }
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace vernier
