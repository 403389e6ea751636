#ifndef VERNIER_TESTS_FAKES_FAKE_POSTER_H_
#define VERNIER_TESTS_FAKES_FAKE_POSTER_H_

#include <deque>
#include <vector>

#include "http/client/http_post.h"

namespace vernier {

/// Keeps what is posted, and answers from a list; 200 once that is empty. Not
/// thread-safe.
class FakePoster final : public HttpPoster {
 public:
  absl::StatusOr<HttpPostAnswer> Post(const HttpPost& post) override {
    if (is_stopped_) return absl::CancelledError("stopped");
    posts.push_back(post);
    if (answers.empty()) return HttpPostAnswer{200};
    auto answer = answers.front();
    answers.pop_front();
    return answer;
  }
  void Stop() override { is_stopped_ = true; }

  std::vector<HttpPost> posts;
  std::deque<absl::StatusOr<HttpPostAnswer>> answers;

 private:
  bool is_stopped_ = false;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_FAKE_POSTER_H_
