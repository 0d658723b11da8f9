# Writes OUTPUT: scriptModules() of resources/script_library.h, with the files of PAIRS (NAME=FILE).
string(REPLACE "|" ";" PAIRS "${PAIRS}")
set(text "// Generated from resources/; do not edit.\n#include \"resources/script_library.h\"\n\nnamespace cutaway::resources {\n")
set(rows "")
set(number 0)
foreach(pair ${PAIRS})
    string(REGEX REPLACE "=.*" "" name ${pair})
    string(REGEX REPLACE "^[^=]*=" "" file ${pair})
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "static const char text${number}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", \"${file}\", {text${number}, sizeof text${number} - 1}},\n")
    math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "static const ScriptModule kModules[] = {\n${rows}};\n"
    "std::span<const ScriptModule> scriptModules() {\n    return kModules;\n}\n"
    "} // namespace cutaway::resources\n")
file(WRITE ${OUTPUT} "${text}")
