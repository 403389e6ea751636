#ifndef VERNIER_TESTS_FACES_CLIENT_STUDY_BED_H_
#define VERNIER_TESTS_FACES_CLIENT_STUDY_BED_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <utility>

#include "faces/messages/vizier_message.h"
#include "faces/native/study_handlers.h"
#include "tests/faces/service_bed.h"
#include "trials/study_service.h"
#include "trials/suggestion_service.h"

namespace vernier {

inline constexpr char kStudyName[] = "owners/me/studies/s";

/// A service that has the calls of StudyService, and may have a study "s" that
/// clients run: of x in [0, 1], to minimize "loss".
class ClientStudyBed : public ServiceBed {
 protected:
  GrpcMethods Methods() override {
    GrpcMethods methods = ServiceBed::Methods();
    AddStudyMethods(study_handlers_, calls_, &methods);
    return methods;
  }

  void Make() {
    StudySpec spec;
    spec.metrics = {{"loss", Goal::kMinimize}};
    ParameterSpec x;
    x.name = "x";
    x.max_value = 1;
    spec.parameters = {x};
    OriginalSpec original{kVizierSpecFormat,
                          ToVizier(spec).SerializeAsString()};
    ASSERT_TRUE(
        studies_.CreateStudy({"owners/me", "s", spec, original, {}}).ok());
  }

  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [this](std::function<void()> work) { pool_.Run(std::move(work)); },
       [](const std::string&) {}, nullptr}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{5}; }}};
  StudyHandlers study_handlers_{{studies_, store_, engines_.models(), clock_}};
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_CLIENT_STUDY_BED_H_
