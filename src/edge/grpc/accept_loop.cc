#include "edge/grpc/accept_loop.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/descriptor_reserve.h"
#include "http/client_address.h"

namespace vernier {
namespace {

// One thread owns all connections and waits by epoll. A guarded connection
// (plain TCP) is relayed to gRPC byte by byte past an Http2Guard; of a counted
// one (TLS) only the end can be observed, and a trusted one (unix socket) is
// passed to gRPC at once. One descriptor is kept in reserve, to accept and
// close connections when descriptors run out.

constexpr std::uint64_t kWakeId = 0;  // Then the listeners, then connections.
constexpr std::chrono::seconds kFlushLimit{1};
constexpr int kFlushCheckMs = 20;
constexpr int kBackOffMs = 20;

UniqueFd OpenSpare() {
  return UniqueFd(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

AcceptLoop::AcceptLoop(std::vector<ListeningSocket> listeners, Options options)
    : options_(std::move(options)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      listeners_(std::move(listeners)),
      spare_(OpenSpare()),
      table_(options_.limits),
      next_id_(listeners_.size() + 1) {
  VERNIER_CHECK(Watch(wake_.fd(), EPOLLIN, kWakeId));
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    VERNIER_CHECK(Watch(listeners_[i].fd.get(), EPOLLIN, i + 1));
  }
  thread_ = std::thread([this] { Work(); });
}

AcceptLoop::~AcceptLoop() { Stop(); }

void AcceptLoop::CloseListeners() {
  closing_ = true;
  wake_.Set();
  listeners_closed_.wait();
}

void AcceptLoop::Stop() {
  CloseListeners();
  stopping_ = true;
  wake_.Set();
  if (thread_.joinable()) thread_.join();
}

void AcceptLoop::Work() {
  while (!closing_) Turn(-1);
  // Closing a listener also removes it from the epoll set.
  for (ListeningSocket& listener : listeners_) listener.fd.Reset();
  listeners_closed_.count_down();
  while (!stopping_) Turn(-1);
  const SystemClock clock;
  const SteadyTime end = clock.Steady() + kFlushLimit;
  while (IsRelaying() && clock.Steady() < end) Turn(kFlushCheckMs);
  connections_.clear();
}

void AcceptLoop::Turn(int timeout_ms) {
  constexpr int kMaxEvents = 64;
  epoll_event events[kMaxEvents];
  const int ready = epoll_wait(epoll_.get(), events, kMaxEvents,
                               busy_.empty() ? timeout_ms : 0);
  // Edge-triggered descriptors do not report unread data again.
  for (const std::uint64_t id : std::exchange(busy_, {})) Run(id);
  for (int i = 0; i < ready; ++i) {
    const std::uint64_t id = events[i].data.u64;
    if (id == kWakeId) {
      wake_.Clear();
    } else if (id <= listeners_.size()) {
      AcceptAll(listeners_[id - 1]);
    } else {
      Run(id);
    }
  }
}

void AcceptLoop::AcceptAll(ListeningSocket& listener) {
  // After this many new connections, the open ones get their turn.
  constexpr int kAtOnce = 64;
  for (int i = 0; i < kAtOnce && listener.fd.is_open(); ++i) {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    UniqueFd fd(accept4(listener.fd.get(),
                        reinterpret_cast<sockaddr*>(&address), &size,
                        SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd.is_open()) {
      Admit(listener, std::move(fd),
            ClientAddress(reinterpret_cast<const sockaddr&>(address)));
    } else if (errno == EAGAIN) {
      return;
    } else if (errno == EMFILE || errno == ENFILE) {
      RefuseWithSpare(listener.fd.get());
    }
    // On any other error the client was gone before it was accepted.
  }
}

void AcceptLoop::RefuseWithSpare(int listener_fd) {
  // The connection is accepted and closed; otherwise it would stay in the queue
  // and wake this thread again and again.
  spare_.Reset();
  UniqueFd(accept4(listener_fd, nullptr, nullptr, SOCK_CLOEXEC)).Reset();
  spare_ = OpenSpare();
  // Another thread took the free descriptor first. No event reports when the
  // next one is free, and the listener stays ready, so this pauses before the
  // next try.
  if (!spare_.is_open()) poll(nullptr, 0, kBackOffMs);
}

void AcceptLoop::Admit(ListeningSocket& listener, UniqueFd fd,
                       const std::string& address) {
  if (IsInLastReserve(fd.get())) return;
  if (listener.kind == Kind::kTrusted) return listener.hand_over(std::move(fd));
  const std::uint64_t id = next_id_++;
  const ConnectionTable::Admission admission = table_.Add(
      address, IsInReserve(fd.get()), [this, id] { connections_.erase(id); });
  if (admission.give_way) admission.give_way();
  if (admission.number == 0) return;
  Connection& connection = connections_[id];
  connection.number = admission.number;
  // Its calls are encrypted, so it counts as busy.
  if (listener.kind == Kind::kCounted) table_.SetBusy(admission.number);
  if (!Begin(listener, std::move(fd), id, &connection)) Remove(id);
}

bool AcceptLoop::Begin(ListeningSocket& listener, UniqueFd fd, std::uint64_t id,
                       Connection* connection) {
  const int on = 1;
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (listener.kind == Kind::kCounted) {
    // gRPC does not report when it is done, but it shuts the connection down,
    // which every descriptor of the connection sees.
    connection->watched.Reset(fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
    if (!Watch(connection->watched.get(), 0, id)) return false;
    listener.hand_over(std::move(fd));
    return true;
  }
  absl::StatusOr<TcpPair> pair = MakeTcpPair();
  if (!pair.ok()) return false;
  connection->relay =
      std::make_unique<ConnectionRelay>(std::move(fd), std::move(pair->near));
  constexpr std::uint32_t kEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  if (!Watch(connection->relay->client_fd(), kEvents, id) ||
      !Watch(connection->relay->server_fd(), kEvents, id)) {
    return false;
  }
  listener.hand_over(std::move(pair->far));
  return true;
}

void AcceptLoop::Run(std::uint64_t id) {
  const auto found = connections_.find(id);
  // This event came together with the one that ended the connection.
  if (found == connections_.end()) return;
  ConnectionRelay* const relay = found->second.relay.get();
  if (relay == nullptr) return Remove(id);
  const ConnectionRelay::State state = relay->Run();
  if (relay->is_idle()) {
    table_.SetIdle(found->second.number);
  } else {
    table_.SetBusy(found->second.number);
  }
  if (state == ConnectionRelay::State::kHasMore) busy_.push_back(id);
  if (state != ConnectionRelay::State::kOver) return;
  if (!relay->offence().ok() && options_.on_offence) {
    options_.on_offence(relay->offence());
  }
  Remove(id);
}

void AcceptLoop::Remove(std::uint64_t id) {
  const auto found = connections_.find(id);
  table_.Remove(found->second.number);
  connections_.erase(found);
}

bool AcceptLoop::Watch(int fd, std::uint32_t events, std::uint64_t id) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

bool AcceptLoop::IsRelaying() const {
  return std::any_of(
      connections_.begin(), connections_.end(),
      [](const auto& each) { return each.second.relay != nullptr; });
}

}  // namespace vernier
