#include "cluster/containers/probe_program.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace vernier {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
const std::vector<std::uint8_t> kCode = {
    0x31, 0xff,                    // xor edi, edi
    0xb8, 0x3c, 0x00, 0x00, 0x00,  // mov eax, 60 (exit)
    0x0f, 0x05,                    // syscall
};
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
const std::vector<std::uint8_t> kCode = {
    0x00, 0x00, 0x80, 0xd2,  // mov x0, 0
    0xa8, 0x0b, 0x80, 0xd2,  // mov x8, 93 (exit)
    0x01, 0x00, 0x00, 0xd4,  // svc 0
};
#else
constexpr std::uint16_t kMachine = EM_NONE;
const std::vector<std::uint8_t> kCode;
#endif

}  // namespace

std::string ProbeProgram() {
  if (kCode.empty()) return "";
  constexpr std::uint64_t kAddress = 0x400000;
  constexpr std::uint64_t kHeaders = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = kMachine;
  header.e_version = EV_CURRENT;
  header.e_entry = kAddress + kHeaders;
  header.e_phoff = sizeof(Elf64_Ehdr);
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment = {};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R | PF_X;
  segment.p_vaddr = segment.p_paddr = kAddress;
  segment.p_filesz = segment.p_memsz = kHeaders + kCode.size();
  segment.p_align = 0x10000;
  std::string file(kHeaders, '\0');
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + sizeof(header), &segment, sizeof(segment));
  file.append(kCode.begin(), kCode.end());
  return file;
}

}  // namespace vernier
