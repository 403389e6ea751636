// The real binary with OSS Vizier's protocol: killed at any moment, it goes on
// with every trial, and the command line shows what clients did.

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <vizier/vizier_service.grpc.pb.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/e2e/frontends/service_process.h"

namespace vernier {
namespace {

using Stub = vizier::VizierService::Stub;
using testing::HasSubstr;

class VizierEndToEndTest : public testing::Test {
 protected:
  void SetUp() override { Start(); }

  void Start() {
    service_.Start();
    grpc::ChannelArguments arguments;
    // A channel of its own: one that is shared remembers a dead service.
    arguments.SetInt("vernier.start", ++starts_);
    stub_ = vizier::VizierService::NewStub(grpc::CreateCustomChannel(
        service_.Socket(), grpc::InsecureChannelCredentials(), arguments));
  }

  void KillAndRestart() {
    service_.End(SIGKILL);
    Start();
  }

  void MakeStudy(const std::string& algorithm = "RANDOM_SEARCH") {
    vizier::CreateStudyRequest request;
    request.set_parent("owners/me");
    request.mutable_study()->set_display_name("kills");
    auto* spec = request.mutable_study()->mutable_study_spec();
    spec->set_algorithm(algorithm);
    spec->add_metrics()->set_metric_id("acc");
    auto* parameter = spec->add_parameters();
    parameter->set_parameter_id("x");
    parameter->mutable_double_value_spec()->set_max_value(1);
    vizier::Study study;
    grpc::ClientContext context;
    const grpc::Status made = stub_->CreateStudy(&context, request, &study);
    ASSERT_TRUE(made.ok()) << made.error_message();
  }

  // The ids of the trials that the client gets; empty on an error.
  std::vector<std::string> Suggest(Stub& stub, const std::string& client,
                                   int count,
                                   std::string* operation = nullptr) {
    vizier::SuggestTrialsRequest request;
    request.set_parent(kStudy);
    request.set_client_id(client);
    request.set_suggestion_count(count);
    vizier::Operation answer;
    grpc::ClientContext context;
    if (!stub.SuggestTrials(&context, request, &answer).ok()) return {};
    if (operation != nullptr) *operation = answer.name();
    vizier::SuggestTrialsResponse response;
    answer.response().UnpackTo(&response);
    std::vector<std::string> ids;
    for (const vizier::Trial& trial : response.trials()) {
      ids.push_back(trial.id());
    }
    return ids;
  }

  static bool Complete(Stub& stub, const std::string& id, double value) {
    vizier::CompleteTrialRequest request;
    request.set_name(absl::StrCat(kStudy, "/trials/", id));
    auto* metric = request.mutable_final_measurement()->add_metrics();
    metric->set_metric_id("acc");
    metric->set_value(value);
    vizier::Trial trial;
    grpc::ClientContext context;
    return stub.CompleteTrial(&context, request, &trial).ok();
  }

  std::map<std::string, vizier::Trial> Trials() {
    vizier::ListTrialsRequest request;
    request.set_parent(kStudy);
    vizier::ListTrialsResponse response;
    grpc::ClientContext context;
    EXPECT_TRUE(stub_->ListTrials(&context, request, &response).ok());
    std::map<std::string, vizier::Trial> trials;
    for (const vizier::Trial& trial : response.trials()) {
      trials[trial.id()] = trial;
    }
    return trials;
  }

  // What a client verb prints.
  std::string Cli(const std::string& verb) {
    const std::string command = absl::StrCat(
        VERNIER_BINARY, " ", verb, " --endpoint ", service_.Socket(), " 2>&1");
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
      output.append(buffer.data(), n);
    }
    EXPECT_EQ(pclose(pipe), 0) << verb << "\n" << output;
    return output;
  }

  static constexpr char kStudy[] = "owners/me/studies/kills";
  ServiceProcess service_;
  int starts_ = 0;
  // Goes first: the service would wait for a connection that nobody polls.
  std::unique_ptr<Stub> stub_;
};

TEST_F(VizierEndToEndTest, AWorkerGetsItsTrialsBackAfterAKill) {
  MakeStudy();
  std::string operation;
  const auto first = Suggest(*stub_, "w1", 2, &operation);
  const auto second = Suggest(*stub_, "w2", 1);
  ASSERT_EQ(first.size(), 2u);
  ASSERT_TRUE(Complete(*stub_, first[0], 0.5));
  KillAndRestart();
  EXPECT_EQ(Suggest(*stub_, "w1", 1), std::vector<std::string>{first[1]});
  EXPECT_EQ(Suggest(*stub_, "w2", 1), second);
  EXPECT_EQ(Trials().at(first[0]).state(), vizier::Trial::SUCCEEDED);
  vizier::GetOperationRequest request;
  request.set_name(operation);
  vizier::Operation found;
  grpc::ClientContext context;
  ASSERT_TRUE(stub_->GetOperation(&context, request, &found).ok());
  EXPECT_TRUE(found.done());
}

// Eight clients ask and complete while the service is killed again and again:
// what was acknowledged is there, and no trial was given to two clients.
TEST_F(VizierEndToEndTest, NothingAcknowledgedIsLostWhenItIsKilled) {
  constexpr int kClients = 8;
  constexpr int kKills = 5;
  constexpr int kEachRound = 50;
  MakeStudy();
  std::map<std::string, double> completed;
  std::vector<std::map<std::string, double>> by_client(kClients);
  std::map<std::string, int> owner;
  std::vector<std::set<std::string>> got(kClients);
  for (int round = 0; round < kKills; ++round) {
    std::atomic<int> done{0};
    std::vector<std::thread> clients;
    for (int c = 0; c < kClients; ++c) {
      clients.emplace_back([&, c, stub = stub_.get()] {
        const std::string name = absl::StrCat("w", c);
        for (int i = 0;; ++i) {
          const auto ids = Suggest(*stub, name, 1);
          if (ids.empty()) return;  // The service is gone.
          got[static_cast<std::size_t>(c)].insert(ids[0]);
          const double value = round + 0.01 * i;
          if (!Complete(*stub, ids[0], value)) return;
          by_client[static_cast<std::size_t>(c)][ids[0]] = value;
          ++done;
          done.notify_all();
        }
      });
    }
    for (int n = done; n < kEachRound; n = done) done.wait(n);
    service_.End(SIGKILL);
    for (std::thread& client : clients) client.join();
    Start();
  }
  for (int c = 0; c < kClients; ++c) {
    const auto i = static_cast<std::size_t>(c);
    for (const std::string& id : got[i]) {
      EXPECT_TRUE(owner.emplace(id, c).second) << "trial " << id << " twice";
    }
    for (const auto& [id, value] : by_client[i]) completed[id] = value;
  }
  const auto trials = Trials();
  EXPECT_GE(completed.size(), std::size_t{kEachRound * kKills});
  for (const auto& [id, value] : completed) {
    ASSERT_TRUE(trials.count(id)) << "trial " << id << " is lost";
    EXPECT_EQ(trials.at(id).state(), vizier::Trial::SUCCEEDED) << id;
    EXPECT_EQ(trials.at(id).final_measurement().metrics(0).value(), value);
  }
}

TEST_F(VizierEndToEndTest, TheCommandLineShowsWhatClientsDid) {
  MakeStudy("DEFAULT");
  const auto ids = Suggest(*stub_, "w1", 3);
  ASSERT_EQ(ids.size(), 3u);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(Complete(*stub_, ids[static_cast<std::size_t>(i)], 0.25 * i));
  }
  const std::string list = Cli("studies list");
  EXPECT_THAT(list, HasSubstr("owners/me/studies/kills"));
  EXPECT_THAT(list, HasSubstr("clients"));
  EXPECT_THAT(list, HasSubstr("2/3"));
  EXPECT_THAT(Cli("studies describe kills"), HasSubstr("DEFAULT"));
  EXPECT_THAT(Cli("trials best kills"), HasSubstr("0.25"));
  EXPECT_THAT(Cli("trials list 1"), HasSubstr("active"));
  EXPECT_THAT(Cli("why kills 3"), HasSubstr("client \"w1\""));
  EXPECT_THAT(Cli("events kills --format json"), HasSubstr("study.suggested"));
  const std::string exported = Cli("studies export owners/me/studies/kills");
  EXPECT_THAT(exported, HasSubstr("\"trials\""));
  EXPECT_THAT(exported, HasSubstr("\"COMPLETED\""));
  EXPECT_THAT(Cli("jobs list"), testing::Not(HasSubstr("kills")));
  EXPECT_THAT(Cli("studies delete kills"), HasSubstr("deleted"));
  EXPECT_THAT(Cli("studies list"), HasSubstr("0 items"));
}

}  // namespace
}  // namespace vernier
