// SPDX-License-Identifier: Apache-2.0
// Stands in for libFuzzer in the ordinary build: replays a target's corpus folders, then mutations
// of it from a fixed seed. A failure is a crash; the input that made it is then in NAME.input in
// the current folder.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kMutations = 1500;

std::vector<std::string> readCorpus(std::span<char*> folders) {
    std::vector<std::filesystem::path> paths;
    for (const char* folder : folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_regular_file()) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> inputs;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return inputs;
}

void run(const std::filesystem::path& kept, const std::string& input) {
    std::ofstream(kept, std::ios::binary) << input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

std::string mutated(const std::vector<std::string>& corpus, std::mt19937& random) {
    auto below = [&](size_t n) { return n == 0 ? size_t{0} : static_cast<size_t>(random() % n); };
    std::string text = corpus[below(corpus.size())];
    for (size_t k = 0, changes = 1 + below(4); k < changes; ++k) {
        size_t at = below(text.size() + 1);
        switch (below(6)) {
        case 0:
            text.erase(at, 1 + below(8));
            break;
        case 1:
            text.insert(at, 1 + below(3), static_cast<char>(random() % 256));
            break;
        case 2:
            if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            break;
        case 3:
            text.insert(at, text.substr(below(text.size() + 1), below(32)));
            break;
        case 4: {
            const std::string& other = corpus[below(corpus.size())];
            text = text.substr(0, at) + other.substr(below(other.size() + 1));
            break;
        }
        default:
            text.resize(at);
        }
    }
    return text;
}

} // namespace

int main(int argc, char** argv) {
    std::span<char*> folders(argv + 1, static_cast<size_t>(argc - 1));
    int mutations = kMutations;
    if (!folders.empty() && std::string_view(folders.back()).starts_with("-runs=")) {
        mutations = std::atoi(folders.back() + 6);
        folders = folders.first(folders.size() - 1);
    }
    if (folders.empty())
        return std::fprintf(stderr, "usage: %s CORPUS-FOLDER... [-runs=MUTATIONS]\n", argv[0]), 2;
    const std::vector<std::string> corpus = readCorpus(folders);
    if (corpus.empty()) return std::fprintf(stderr, "%s: no inputs\n", folders[0]), 2;
    const std::filesystem::path kept =
        std::filesystem::path(argv[0]).filename().string() + ".input";
    for (const std::string& input : corpus)
        run(kept, input);
    std::mt19937 random(20240501);
    for (int i = 0; i < mutations; ++i)
        run(kept, mutated(corpus, random));
    std::filesystem::remove(kept);
    std::printf("%zu inputs and %d mutations\n", corpus.size(), mutations);
}
