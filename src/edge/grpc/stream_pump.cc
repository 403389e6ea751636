#include "edge/grpc/stream_pump.h"

#include <utility>

namespace vernier {

StreamPump::StreamPump(std::chrono::milliseconds period)
    : period_(period), thread_([this] { Work(); }) {}

StreamPump::~StreamPump() {
  {
    MutexLock lock(mu_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StreamPump::Add(std::shared_ptr<PumpedStream> stream) {
  std::shared_ptr<PumpedStream> too_late;
  {
    MutexLock lock(mu_);
    if (stopped_) {
      too_late = std::move(stream);
    } else {
      streams_.push_back(std::move(stream));
    }
    poked_ = true;
  }
  if (too_late != nullptr) too_late->Stop();
  changed_.notify_all();
}

void StreamPump::Poke() {
  {
    MutexLock lock(mu_);
    poked_ = true;
  }
  changed_.notify_all();
}

void StreamPump::Stop() {
  std::vector<std::shared_ptr<PumpedStream>> streams;
  {
    MutexLock lock(mu_);
    stopped_ = true;
    streams = std::move(streams_);
    streams_.clear();
  }
  for (const auto& stream : streams) stream->Stop();
}

void StreamPump::Work() {
  while (true) {
    std::vector<std::shared_ptr<PumpedStream>> streams;
    {
      MutexLock lock(mu_);
      while (!poked_ && !ending_) {
        // Without streams there is nothing to do until Add.
        if (streams_.empty()) {
          changed_.wait(mu_);
        } else if (changed_.wait_for(mu_, period_) == std::cv_status::timeout) {
          break;
        }
      }
      if (ending_) return;
      poked_ = false;
      std::erase_if(streams_,
                    [](const auto& stream) { return stream->is_finished(); });
      // They are copied, since Pump must not run with the lock held.
      streams = streams_;
    }
    for (const auto& stream : streams) stream->Pump();
  }
}

}  // namespace vernier
