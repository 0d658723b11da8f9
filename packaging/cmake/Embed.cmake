# Writes OUTPUT: one `extern const std::string_view NAME` in NAMESPACE for each NAME=FILE of PAIRS.
# String literals are cut into pieces, since compilers limit the length of one.
string(REPLACE "|" ";" PAIRS "${PAIRS}")
set(text "// Generated from resources/; do not edit.\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
foreach(pair ${PAIRS})
    string(REGEX REPLACE "=.*" "" name ${pair})
    string(REGEX REPLACE "^[^=]*=" "" file ${pair})
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "static const char ${name}_bytes[] = {${bytes}0};\n"
        "extern const std::string_view ${name};\n"
        "const std::string_view ${name}{${name}_bytes, sizeof ${name}_bytes - 1};\n")
endforeach()
string(APPEND text "} // namespace ${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${text}")
