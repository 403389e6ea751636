#ifndef VERNIER_FACES_MESSAGES_INSIGHTS_MESSAGE_H_
#define VERNIER_FACES_MESSAGES_INSIGHTS_MESSAGE_H_

#include <vernier/v1/insights.pb.h>

#include "store/store.h"
#include "trials/engine/result_models.h"

namespace vernier {

/// The API's form of a study's insights. Pure.
v1::Insights ToProto(const StudySnapshot& study, const StudyInsights& insights);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_INSIGHTS_MESSAGE_H_
