// SPDX-License-Identifier: Apache-2.0
// What a cubin says of its kernels, and how many of their threads fit on a multiprocessor.
#include "core/jit/cubin.h"
#include "core/jit/cuda_compiler.h"

#include <QtTest>
#include <elf.h>

using namespace cutaway::jit;

namespace {

template <typename T> void put(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string attribute(uint8_t kind, std::initializer_list<uint32_t> words) {
    std::string out{char(4), char(kind)};
    put(out, uint16_t(4 * words.size()));
    for (uint32_t word : words)
        put(out, word);
    return out;
}

/// The sections that matter, as NVRTC 13 writes them.
std::string cubin() {
    std::string symbols, info = attribute(0x2f, {1, 63}) + attribute(0x11, {1, 8});
    put(symbols, Elf64_Sym{});
    Elf64_Sym kernel{};
    kernel.st_name = 1;
    kernel.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    put(symbols, kernel);
    struct Part {
        std::string name, bytes;
        uint32_t type = SHT_PROGBITS;
        uint64_t size = 0;
    };
    const std::vector<Part> parts{{"", "", SHT_NULL},
                                  {".strtab", std::string("\0k\0", 3), SHT_STRTAB},
                                  {".symtab", symbols, SHT_SYMTAB},
                                  {".nv.info", info},
                                  {".nv.info.k", attribute(0x05, {256, 1, 1})},
                                  {".text.k", "code"},
                                  {".nv.shared.k", "", SHT_NOBITS, 1092}};
    std::string names(1, '\0'), body(sizeof(Elf64_Ehdr), '\0');
    std::vector<Elf64_Shdr> rows;
    for (const Part& part : parts) {
        Elf64_Shdr row{};
        row.sh_name = uint32_t(part.name.empty() ? 0 : names.size());
        if (!part.name.empty()) names += part.name + '\0';
        row.sh_type = part.type;
        row.sh_offset = body.size();
        row.sh_size = part.size ? part.size : part.bytes.size();
        body += part.bytes;
        rows.push_back(row);
    }
    Elf64_Shdr row{};
    row.sh_type = SHT_STRTAB;
    row.sh_offset = body.size();
    row.sh_size = names.size();
    body += names;
    rows.push_back(row);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_shoff = body.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = uint16_t(rows.size());
    header.e_shstrndx = uint16_t(rows.size() - 1);
    for (const Elf64_Shdr& one : rows)
        put(body, one);
    std::memcpy(body.data(), &header, sizeof header);
    return body;
}

} // namespace

class TestCubin : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resources_are_read() {
        const auto kernels = kernelResources(cubin());
        QCOMPARE(kernels.size(), size_t(1));
        QCOMPARE(kernels[0].kernel, std::string("k"));
        QCOMPARE(kernels[0].registers, 63);
        QCOMPARE(kernels[0].stackBytes, 8);
        QCOMPARE(kernels[0].sharedBytes, 1092);
        QCOMPARE(kernels[0].maxThreads, 256);
        QCOMPARE(QString::fromStdString(resourcesText(kernels[0], "sm_90")),
                 QString("63 registers a thread, 8 bytes of stack (not in registers), 68 bytes of "
                         "shared memory; blocks of 256 threads: 4 a multiprocessor, 50 % of its "
                         "warps, held back by registers"));
    }
    void damaged_files_say_nothing() {
        const std::string whole = cubin();
        for (size_t size = 0; size < whole.size(); ++size)
            (void)kernelResources(whole.substr(0, size));
        for (size_t at = 0; at < whole.size(); ++at) {
            std::string other = whole;
            other[at] = char(~other[at]);
            (void)kernelResources(other);
        }
        QVERIFY(kernelResources("").empty());
        QVERIFY(kernelResources(std::string(300, 'x')).empty());
    }
    void occupancy_is_the_least_of_its_bounds() {
        KernelResources kernel{"k", 32, 0, 0, 256};
        QCOMPARE(occupancy(kernel, 256, "sm_90").blocks, 8); // 64 warps
        QCOMPARE(occupancy(kernel, 256, "sm_90").share, 1.0);
        kernel.registers = 255;
        QCOMPARE(occupancy(kernel, 256, "sm_90").blocks, 1); // 8 warps of 8160 -> 8192 registers
        QCOMPARE(occupancy(kernel, 256, "sm_90").limit, std::string("registers"));
        kernel.registers = 16;
        kernel.sharedBytes = 100 * 1024;
        QCOMPARE(occupancy(kernel, 256, "sm_90").blocks, 2); // of 228 KiB
        QCOMPARE(occupancy(kernel, 256, "sm_90").limit, std::string("shared memory"));
        kernel.sharedBytes = 99 * 1024;
        QCOMPARE(occupancy(kernel, 256, "sm_86").blocks, 1); // with the system's KiB all of it
        kernel.sharedBytes += 1;
        QCOMPARE(occupancy(kernel, 256, "sm_86").blocks, 0);
        kernel.sharedBytes = 0;
        QCOMPARE(occupancy(kernel, 32, "sm_86").limit, std::string("blocks"));
        QCOMPARE(occupancy(kernel, 32, "sm_86").share, 16.0 / 48);
        QCOMPARE(occupancy(kernel, 256, "sm_1").blocks, 0);
    }
    void the_toolkits_own_files_are_understood() {
        auto nvrtc = CudaCompiler::create();
        if (!nvrtc) QSKIP(nvrtc.error().message.c_str());
        const auto made = (*nvrtc)->compile(
            "k",
            "extern \"C\" __global__ void __launch_bounds__(128) k(float* x) {\n"
            "    __shared__ float held[256];\n    held[threadIdx.x] = x[threadIdx.x];\n"
            "    __syncthreads();\n    x[threadIdx.x] = held[127 - threadIdx.x];\n}\n",
            "sm_90", "");
        QVERIFY(made);
        const auto kernels = kernelResources(made->cubin);
        QCOMPARE(kernels.size(), size_t(1));
        QCOMPARE(kernels[0].kernel, std::string("k"));
        QVERIFY(kernels[0].registers >= 4 && kernels[0].registers <= 64);
        QCOMPARE(kernels[0].sharedBytes, 2048); // the system's KiB is counted in
        QCOMPARE(kernels[0].maxThreads, 128);
        QCOMPARE(kernels[0].stackBytes, 0);
    }
};

QTEST_APPLESS_MAIN(TestCubin)
#include "test_cubin.moc"
