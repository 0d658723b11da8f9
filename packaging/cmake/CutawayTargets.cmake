# Compiler settings of our own code, and the functions that declare a target:
#   cutaway_library(FOLDER DEPENDS ...)   core/FOLDER -> static library cutaway_FOLDER
#   cutaway_test(FILE DEPENDS ...)        one QtTest program, registered with ctest
#   cutaway_fuzz(FILE DEPENDS ... CORPUS ...)  one fuzz target: libFuzzer's with CUTAWAY_FUZZ, else a short test
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

find_program(CUTAWAY_CCACHE ccache)
if(CUTAWAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Objects made with a precompiled header are kept only with these.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CUTAWAY_CCACHE})
endif()
find_program(CUTAWAY_MOLD mold)
if(CUTAWAY_MOLD)
    # What is [[gnu::hot]] lies together, as GNU ld puts it by itself.
    add_link_options(-fuse-ld=mold -Wl,-z,keep-text-section-prefix)
endif()
set(CUTAWAY_ERRORS -Werror)
if(CUTAWAY_SANITIZE)
    add_compile_options(-fsanitize=${CUTAWAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${CUTAWAY_SANITIZE})
    set(CUTAWAY_ERRORS)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        add_compile_options(-fno-sanitize=function) # kernels made at run time carry no type in front
    endif()
endif()
if(CUTAWAY_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Warnings are errors for our own code under the compiler that builds the product; third-party headers
# come in as SYSTEM. Clang builds the fuzz targets only.
add_library(cutaway_flags INTERFACE)
# GCC 12 sees uninitialised and dangling storage in std::variant, and joined strings that overrun, where there
# are none; of instrumented code more, so that its warnings are no errors.
target_compile_options(cutaway_flags INTERFACE -Wall -Wextra
    $<$<CXX_COMPILER_ID:GNU>:${CUTAWAY_ERRORS} -Wno-maybe-uninitialized -Wno-dangling-pointer -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow>)
target_include_directories(cutaway_flags INTERFACE ${CMAKE_SOURCE_DIR})

# The headers of the standard library, fmt and Qt that most files read are parsed once for each set of
# compiler settings; every file still includes what it uses (the fuzz targets are built without).
option(CUTAWAY_PRECOMPILE "Parse the library headers that most files read once" ON)
set(CUTAWAY_STANDARD_HEADERS <fmt/format.h> <algorithm> <cmath> <functional> <map> <memory> <optional> <set>
    <span> <string> <string_view> <unordered_map> <variant> <vector>)
function(cutaway_precompile target)
    if(NOT CUTAWAY_PRECOMPILE OR CUTAWAY_FUZZ)
        return()
    endif()
    cmake_parse_arguments(ARG "" "LIKE" "" ${ARGN})
    if(ARG_LIKE)
        target_precompile_headers(${target} REUSE_FROM ${ARG_LIKE})
    else()
        target_precompile_headers(${target} PRIVATE ${CUTAWAY_STANDARD_HEADERS} ${ARG_UNPARSED_ARGUMENTS})
    endif()
endfunction()

# One folder of core = one static library. OWN_SETTINGS: it is compiled with options of its own. Sources are found by name so that adding a pass is two
# files and one row; CONFIGURE_DEPENDS makes the build notice them.
function(cutaway_library folder)
    cmake_parse_arguments(ARG "OWN_SETTINGS" "" "DEPENDS;PRIVATE_DEPENDS" ${ARGN})
    string(REPLACE "/" "_" name ${folder})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/${folder}/*.cpp)
    if(NOT sources)
        add_library(cutaway_${name} INTERFACE)
        target_link_libraries(cutaway_${name} INTERFACE cutaway_flags fmt::fmt ${ARG_DEPENDS})
        return()
    endif()
    add_library(cutaway_${name} STATIC ${sources})
    target_link_libraries(cutaway_${name} PUBLIC cutaway_flags fmt::fmt ${ARG_DEPENDS}
                          PRIVATE ${ARG_PRIVATE_DEPENDS})
    if(ARG_OWN_SETTINGS OR name STREQUAL base)
        cutaway_precompile(cutaway_${name})
    else()
        cutaway_precompile(cutaway_${name} LIKE cutaway_base)
    endif()
endfunction()

# What the sanitizers read when tests run. Archer, beside libomp, tells the thread sanitizer how LLVM's OpenMP orders
# threads; without it every parallel loop is reported. Qt starts programs by a fork that goes on with threads.
find_library(CUTAWAY_ARCHER archer PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH)
set(CUTAWAY_SANITIZER_ENVIRONMENT
    "UBSAN_OPTIONS=print_stacktrace=1"
    "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/lsan_suppressions.txt"
    "TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0:allocator_may_return_null=1:suppressions=${CMAKE_SOURCE_DIR}/tests/tsan_suppressions.txt")
if(CUTAWAY_SANITIZE MATCHES thread)
    list(APPEND CUTAWAY_SANITIZER_ENVIRONMENT "OMP_TOOL_LIBRARIES=${CUTAWAY_ARCHER}")
endif()
# Kernels are found by their whole text: what one test compiled serves the others, and the next run.
# Qt ends a function after five minutes; what takes one on an idle machine may take more.
set(CUTAWAY_TEST_ENVIRONMENT QT_QPA_PLATFORM=offscreen QTEST_FUNCTION_TIMEOUT=1500000
    "CUTAWAY_CACHE_DIR=${CMAKE_BINARY_DIR}/kernels_of_tests" ${CUTAWAY_SANITIZER_ENVIRONMENT})

# Half of what is compiled is tests, and they take longer to optimise than to run: a quarter of that time less.
set(CUTAWAY_TEST_OPTIONS -O1)
# A test program from one file; its name is the file's, its ctest label the folder below tests/.
# OWN_SETTINGS: built with other compiler options than the rest.
function(cutaway_test file)
    cmake_parse_arguments(ARG "OWN_SETTINGS" "" "DEPENDS" ${ARGN})
    get_filename_component(name ${file} NAME_WE)
    file(RELATIVE_PATH relative ${CMAKE_SOURCE_DIR}/tests ${file})
    string(REGEX REPLACE "/.*" "" promise ${relative})
    # Without a target's macros moc skips the C++20 library headers that it cannot parse.
    qt_generate_moc(${file} ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc)
    add_executable(${name} ${file} ${CMAKE_CURRENT_BINARY_DIR}/${name}.moc)
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
    target_link_libraries(${name} PRIVATE cutaway_flags cutaway_qt_test ${ARG_DEPENDS})
    if("cutaway_views" IN_LIST ARG_DEPENDS)
        cutaway_precompile(${name} LIKE cutaway_view_test_headers)
    elseif(NOT ARG_OWN_SETTINGS)
        target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS)
        cutaway_precompile(${name} LIKE cutaway_test_headers)
    endif()
    target_compile_options(${name} PRIVATE ${CUTAWAY_TEST_OPTIONS})
    target_compile_definitions(${name} PRIVATE
        CUTAWAY_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CUTAWAY_BINARY_DIR="${CMAKE_BINARY_DIR}")
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS ${promise} ENVIRONMENT "${CUTAWAY_TEST_ENVIRONMENT}")
endfunction()

# A fuzz target from fuzz_NAME.cpp, which defines LLVMFuzzerTestOneInput; its corpus is corpus/NAME and
# the folders of CORPUS, which hold inputs that serve another purpose too.
# Without libFuzzer the program is a test: it replays the corpus, then mutations of it from a fixed seed.
function(cutaway_fuzz file)
    cmake_parse_arguments(ARG "" "" "DEPENDS;CORPUS" ${ARGN})
    get_filename_component(program ${file} NAME_WE)
    string(REGEX REPLACE "^fuzz_" "" name ${program})
    add_executable(${program} ${file})
    target_link_libraries(${program} PRIVATE cutaway_flags ${ARG_DEPENDS})
    target_compile_definitions(${program} PRIVATE CUTAWAY_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    if(CUTAWAY_FUZZ)
        target_link_options(${program} PRIVATE -fsanitize=fuzzer)
        return()
    endif()
    target_sources(${program} PRIVATE ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cpp)
    add_test(NAME ${program} COMMAND ${program} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name} ${ARG_CORPUS})
    set_tests_properties(${program} PROPERTIES LABELS fuzz ENVIRONMENT "${CUTAWAY_SANITIZER_ENVIRONMENT}")
endfunction()
