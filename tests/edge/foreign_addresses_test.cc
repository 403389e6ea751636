// Clients of Optuna and Katib carry no tokens. Their services are at addresses
// of their own, which decide who may call, and nothing else is there.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "daemon/katib_frontend.h"
#include "daemon/optuna_frontend.h"
#include "tests/edge/generic_call.h"
#include "tests/faces/service_bed.h"

namespace vernier {
namespace {

std::vector<std::string> MethodsOf(const std::vector<std::string>& services) {
  std::vector<std::string> paths;
  for (const std::string& name : services) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
            name);
    EXPECT_NE(service, nullptr) << name;
    if (service == nullptr) continue;
    for (int i = 0; i < service->method_count(); ++i) {
      paths.push_back("/" + name + "/" + service->method(i)->name());
    }
  }
  return paths;
}

const std::vector<std::string> kOurs = {
    "vernier.v1.JobService",     "vernier.v1.AccessService",
    "vernier.v1.ProjectService", "vernier.v1.BucketService",
    "vernier.v1.StudyService",   "vernier.v1.ReportService",
    "vizier.VizierService"};
const std::vector<std::string> kOptunas = {"optuna.StorageService"};
const std::vector<std::string> kKatibs = {"api.v1.beta1.Suggestion",
                                          "api.v1.beta1.EarlyStopping"};

class ForeignAddressesTest : public ServiceBed {
 protected:
  void SetUp() override {
    ServiceBed::SetUp();
    const auto fail = [](const absl::Status& offence) {
      ADD_FAILURE() << offence;
    };
    ASSERT_TRUE(optuna_.Listen(fail).ok());
    Endpoint loopback;
    loopback.host = "127.0.0.1";
    ASSERT_TRUE(katib_.Listen(loopback, fail).ok());
  }
  void TearDown() override {
    optuna_.Shutdown();
    katib_.Shutdown();
    ServiceBed::TearDown();
  }

  static grpc::StatusCode Call(const std::string& address,
                               const std::string& method) {
    grpc::ClientContext context;
    return CallGeneric(
               grpc::CreateChannel(address, grpc::InsecureChannelCredentials()),
               context, method)
        .status.error_code();
  }

  // `served` are the services at `address`.
  static void ExpectOnly(const std::string& address,
                         const std::vector<std::string>& served) {
    int calls = 0;
    for (const auto* const services : {&kOurs, &kOptunas, &kKatibs}) {
      const bool is_there = *services == served;
      for (const std::string& method : MethodsOf(*services)) {
        EXPECT_EQ(Call(address, method) != grpc::StatusCode::UNIMPLEMENTED,
                  is_there)
            << method << " at " << address;
        ++calls;
      }
    }
    EXPECT_GT(calls, 70);
  }

  ThreadPool fitters_{1};
  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [this](std::function<void()> work) { pool_.Run(std::move(work)); },
       [](const std::string&) {}, &fitters_}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{5}; }}};
  OptunaFrontend optuna_{
      {store_, studies_, engines_, clock_, *quotas_, load_, pool_, activity_,
       [] { return std::uint64_t{5}; }, [](const std::string&) {}},
      ReadOptunaAddress("127.0.0.1:0").value()};
  KatibFrontend katib_{{pool_, fitters_, activity_, load_}};
};

TEST_F(ForeignAddressesTest, EachHasItsOwnMethodsAlone) {
  ExpectOnly(optuna_.address().endpoint.ToString(), kOptunas);
  ExpectOnly(katib_.address(), kKatibs);
}

TEST_F(ForeignAddressesTest, TheSocketOfTheServiceHasNeither) {
  for (const auto* const services : {&kOptunas, &kKatibs}) {
    for (const std::string& method : MethodsOf(*services)) {
      EXPECT_EQ(Call(endpoint_.ToString(), method),
                grpc::StatusCode::UNIMPLEMENTED)
          << method;
    }
  }
}

}  // namespace
}  // namespace vernier
