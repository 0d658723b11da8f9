// SPDX-License-Identifier: Apache-2.0
// Script text: whatever comes in, parsing gives a syntax tree or one message with a place.
#include "core/frontend/script/ast.h"

#include <cstdlib>

using namespace cutaway;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    auto script = frontend::parse("fuzz.py", std::string(reinterpret_cast<const char*>(data), size));
    if (script.ok()) return 0;
    if (script.error().message.empty() || !script.error().where.known()) std::abort();
    return 0;
}
