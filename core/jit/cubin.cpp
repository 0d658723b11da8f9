// SPDX-License-Identifier: Apache-2.0
#include "core/jit/cubin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace cutaway::jit {

namespace {

/// Reads at places that the file itself names: outside of it there is nothing.
class Bytes {
public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
    template <typename T> std::optional<T> at(uint64_t place) const {
        if (place > bytes_.size() || bytes_.size() - place < sizeof(T)) return std::nullopt;
        T value;
        std::memcpy(&value, bytes_.data() + place, sizeof(T));
        return value;
    }
    std::string_view part(uint64_t place, uint64_t size) const {
        if (place > bytes_.size() || bytes_.size() - place < size) return {};
        return bytes_.substr(place, size);
    }
    std::string_view text(uint64_t place) const {
        if (place >= bytes_.size()) return {};
        const std::string_view rest = bytes_.substr(place);
        return rest.substr(0, rest.find('\0'));
    }

private:
    std::string_view bytes_;
};

struct Section {
    std::string_view name, bytes;
    uint64_t size = 0; ///< also of one without bytes
};

std::vector<Section> sectionsOf(std::string_view cubin) {
    const Bytes file(cubin);
    const auto header = file.at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr))
        return {};
    std::vector<Elf64_Shdr> rows;
    for (uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto row = file.at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
        if (!row) return {};
        rows.push_back(*row);
    }
    if (header->e_shstrndx >= rows.size()) return {};
    const uint64_t names = rows[header->e_shstrndx].sh_offset;
    std::vector<Section> sections;
    for (const Elf64_Shdr& row : rows)
        sections.push_back(
            {file.text(names + row.sh_name),
             row.sh_type == SHT_NOBITS ? std::string_view() : file.part(row.sh_offset, row.sh_size),
             row.sh_size});
    return sections;
}

// Attributes of .nv.info: a format, a kind, two bytes of value or of the size of what follows.
constexpr uint8_t kSized = 4;
/// No number here is larger in a file that is not damaged.
int plausible(uint64_t number) {
    return static_cast<int>(std::min<uint64_t>(number, 1 << 20));
}
constexpr uint8_t kRegisters = 0x2f, kFrame = 0x11, kMaxThreads = 0x05;

template <typename F> void eachAttribute(std::string_view info, F visit) {
    const Bytes bytes(info);
    for (uint64_t at = 0; at + 4 <= info.size();) {
        const auto format = *bytes.at<uint8_t>(at), kind = *bytes.at<uint8_t>(at + 1);
        const uint64_t size = format == kSized ? *bytes.at<uint16_t>(at + 2) : 0;
        visit(kind, Bytes(bytes.part(at + 4, size)));
        at += 4 + size;
    }
}

/// The KiB that the system takes of every block's shared memory, from Ampere on; from Hopper on the
/// file counts it in, where the kernel has any.
constexpr int kSystemBytes = 1024;
bool countsSystem(std::string_view architecture) {
    return architecture.starts_with("sm_9") || architecture.starts_with("sm_1");
}
int ownShared(const KernelResources& kernel, std::string_view architecture) {
    return std::max(0, kernel.sharedBytes - (countsSystem(architecture) ? kSystemBytes : 0));
}

struct Limits {
    int warps, blocks, sharedKiB; ///< of a multiprocessor
};
std::optional<Limits> limitsOf(std::string_view architecture) {
    static const std::map<std::string_view, Limits> kLimits{
        {"sm_75", {32, 16, 64}},   {"sm_80", {64, 32, 164}},  {"sm_86", {48, 16, 100}},
        {"sm_87", {48, 16, 164}},  {"sm_89", {48, 24, 100}},  {"sm_90", {64, 32, 228}},
        {"sm_100", {64, 32, 228}}, {"sm_103", {64, 32, 228}}, {"sm_120", {48, 24, 100}}};
    if (!architecture.empty() && architecture.back() == 'a') architecture.remove_suffix(1);
    const auto at = kLimits.find(architecture);
    return at == kLimits.end() ? std::nullopt : std::optional(at->second);
}

} // namespace

std::vector<KernelResources> kernelResources(std::string_view cubin) {
    const std::vector<Section> sections = sectionsOf(cubin);
    const auto find = [&](std::string_view name) -> const Section* {
        const auto at = std::ranges::find(sections, name, &Section::name);
        return at == sections.end() ? nullptr : &*at;
    };
    const Section *symbols = find(".symtab"), *names = find(".strtab"), *info = find(".nv.info");
    if (!symbols || !names || !info) return {};
    std::map<std::string_view, KernelResources> all;
    const auto ofSymbol = [&](uint32_t index) -> KernelResources* {
        const auto symbol =
            Bytes(symbols->bytes).at<Elf64_Sym>(uint64_t(index) * sizeof(Elf64_Sym));
        if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) return nullptr;
        return &all[Bytes(names->bytes).text(symbol->st_name)];
    };
    eachAttribute(info->bytes, [&](uint8_t kind, const Bytes& value) {
        const auto symbol = value.at<uint32_t>(0), number = value.at<uint32_t>(4);
        if (!symbol || !number || (kind != kRegisters && kind != kFrame)) return;
        if (KernelResources* kernel = ofSymbol(*symbol))
            (kind == kRegisters ? kernel->registers : kernel->stackBytes) = plausible(*number);
    });
    std::vector<KernelResources> kernels;
    for (auto& [name, kernel] : all) {
        const Section* code = find(".text." + std::string(name));
        if (!code) continue; // a function of the device alone
        kernel.kernel = name;
        if (const Section* shared = find(".nv.shared." + std::string(name)))
            kernel.sharedBytes = plausible(shared->size);
        if (const Section* own = find(".nv.info." + std::string(name)))
            eachAttribute(own->bytes, [&](uint8_t kind, const Bytes& value) {
                const auto x = value.at<uint32_t>(0), y = value.at<uint32_t>(4),
                           z = value.at<uint32_t>(8);
                if (kind == kMaxThreads && x && y && z)
                    kernel.maxThreads =
                        plausible(uint64_t(plausible(*x)) * uint64_t(plausible(*y)) *
                                  uint64_t(plausible(*z)));
            });
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

Occupancy occupancy(const KernelResources& kernel, int threads, std::string_view architecture) {
    const auto limits = limitsOf(architecture);
    if (!limits || threads < 1) return {};
    constexpr int kWarp = 32, kRegisters = 65536, kRegisterUnit = 256;
    const auto rounded = [](int value, int unit) { return (value + unit - 1) / unit * unit; };
    const int warps = rounded(threads, kWarp) / kWarp;
    const int perWarp = rounded(std::max(1, kernel.registers) * kWarp, kRegisterUnit);
    // The registers are four files, one for each quarter of the warps.
    const int warpsByRegisters = kRegisters / 4 / perWarp * 4;
    const int shared = rounded(
        ownShared(kernel, architecture) + (architecture == "sm_75" ? 0 : kSystemBytes), 128);
    const std::pair<int, const char*> bounds[] = {
        {limits->warps / warps, "warps"},
        {limits->blocks, "blocks"},
        {warpsByRegisters / warps, "registers"},
        {shared > 0 ? limits->sharedKiB * 1024 / shared : limits->blocks, "shared memory"}};
    const auto least =
        std::ranges::min_element(bounds, {}, [](const auto& bound) { return bound.first; });
    return {least->first, double(least->first * warps) / limits->warps, least->second};
}

std::string resourcesText(const KernelResources& kernel, std::string_view architecture) {
    std::string text = fmt::format("{} registers a thread", kernel.registers);
    if (kernel.stackBytes > 0)
        text += fmt::format(", {} bytes of stack (not in registers)", kernel.stackBytes);
    if (const int shared = ownShared(kernel, architecture); shared > 0)
        text += fmt::format(", {} bytes of shared memory", shared);
    const Occupancy full = occupancy(kernel, kernel.maxThreads, architecture);
    if (full.blocks == 0) return text;
    return text +
           fmt::format("; blocks of {} threads: {} a multiprocessor, {:.0f} % of its warps{}",
                       kernel.maxThreads, full.blocks, 100 * full.share,
                       full.share < 1 ? ", held back by " + full.limit : "");
}

} // namespace cutaway::jit
