#include "faces/messages/output_only.h"

#include <google/protobuf/message.h>
#include <vernier/v1/permission.pb.h>

#include <vector>

namespace vernier {

void ClearOutputs(google::protobuf::Message* message) {
  using google::protobuf::FieldDescriptor;
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* const field : fields) {
    if (field->options().GetExtension(v1::output_only)) {
      reflection.ClearField(message, field);
    } else if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE ||
               field->is_map()) {
      continue;
    } else if (field->is_repeated()) {
      for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
        ClearOutputs(reflection.MutableRepeatedMessage(message, field, i));
      }
    } else {
      ClearOutputs(reflection.MutableMessage(message, field));
    }
  }
}

}  // namespace vernier
