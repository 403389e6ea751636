#ifndef VERNIER_BASE_PROCESS_DESCRIPTOR_RANGE_H_
#define VERNIER_BASE_PROCESS_DESCRIPTOR_RANGE_H_

namespace vernier {

/// The treatment of the open descriptors of a range.
enum class DescriptorEnd {
  kNow,     ///< They are closed.
  kOnExec,  ///< The program that this process becomes does not get them.
};

/// Ends the open descriptors from `first` to `last`, both included. For a child
/// after fork, too: async-signal-safe. errno is undefined afterwards. Other
/// threads must not open descriptors meanwhile.
void EndDescriptors(unsigned first, unsigned last, DescriptorEnd end);

/// Does the same for kernels without close_range for it (before 5.9, and before
/// 5.11 for kOnExec): one by one, as /proc lists them, or, without /proc, every
/// number that the process may use.
void EndDescriptorsOneByOne(unsigned first, unsigned last, DescriptorEnd end);

}  // namespace vernier

#endif  // VERNIER_BASE_PROCESS_DESCRIPTOR_RANGE_H_
