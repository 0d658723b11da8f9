# Clang and LLVM 19 as libraries:
#   cutaway_llvm     headers and libraries; shared, or static with X86 and NVPTX only (CUTAWAY_STATIC_LLVM)
#   cutaway_openmp   LLVM's OpenMP runtime. As a link option it comes before every library, so it also
#                    answers the GOMP_* calls of libraries built by GCC (oneDNN): one team of threads
# The compiler's own CMake packages are avoided: Clang's checks for files of packages that we do not need.
find_program(CUTAWAY_LLVM_CONFIG NAMES llvm-config-19 PATHS /usr/lib/llvm-19/bin REQUIRED)
execute_process(COMMAND ${CUTAWAY_LLVM_CONFIG} --includedir OUTPUT_VARIABLE llvm_include
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CUTAWAY_LLVM_CONFIG} --libdir OUTPUT_VARIABLE llvm_libraries
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

add_library(cutaway_llvm INTERFACE)
target_include_directories(cutaway_llvm SYSTEM INTERFACE ${llvm_include})
if(CUTAWAY_STATIC_LLVM)
    execute_process(COMMAND ${CUTAWAY_LLVM_CONFIG} --link-static --libs
                    x86 nvptx passes orcjit frontendopenmp frontendhlsl frontenddriver coverage lto
                    OUTPUT_VARIABLE llvm_static OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(llvm_static)
    # Polly is named by LLVM's pass plug-ins but not packaged as an archive; llvm_static.cpp stands in.
    list(REMOVE_ITEM llvm_static -lPolly -lPollyISL)
    list(TRANSFORM llvm_static REPLACE "^-l(.*)$" "${llvm_libraries}/lib\\1.a")
    set(clang_static "")
    foreach(name CodeGen Frontend Serialization Driver Parse Sema Analysis APINotes Edit ASTMatchers AST
                 Support ExtractAPI InstallAPI Lex Basic)
        list(APPEND clang_static ${llvm_libraries}/libclang${name}.a)
    endforeach()
    find_library(CUTAWAY_ZSTD zstd REQUIRED)
    find_library(CUTAWAY_ZLIB z REQUIRED)
    target_link_libraries(cutaway_llvm INTERFACE -Wl,--start-group ${clang_static} ${llvm_static}
                          -Wl,--end-group ${CUTAWAY_ZSTD} ${CUTAWAY_ZLIB} ${CMAKE_DL_LIBS})
    target_link_options(cutaway_llvm INTERFACE -Wl,--gc-sections)
    target_compile_definitions(cutaway_llvm INTERFACE CUTAWAY_STATIC_LLVM)
else()
    find_library(CUTAWAY_CLANG_CPP clang-cpp PATHS ${llvm_libraries} NO_DEFAULT_PATH REQUIRED)
    find_library(CUTAWAY_LLVM LLVM-19 PATHS ${llvm_libraries} NO_DEFAULT_PATH REQUIRED)
    target_link_libraries(cutaway_llvm INTERFACE ${CUTAWAY_CLANG_CPP} ${CUTAWAY_LLVM})
endif()

find_library(CUTAWAY_OMP omp PATHS ${llvm_libraries} NO_DEFAULT_PATH REQUIRED)
add_library(cutaway_openmp INTERFACE)
target_link_options(cutaway_openmp INTERFACE
                    -Wl,--push-state,--no-as-needed,${CUTAWAY_OMP},--pop-state)
