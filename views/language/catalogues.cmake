# The catalogues of what the window says: resources/translations/*.ts become resources of the program.
# English has one for its plurals. Debian 12 packages the tools without a CMake package of their own.
set(CUTAWAY_CATALOGUES ${CMAKE_SOURCE_DIR}/resources/translations)
get_target_property(qmake Qt6::qmake IMPORTED_LOCATION)
get_filename_component(qt_tools ${qmake} DIRECTORY)
find_program(CUTAWAY_LRELEASE NAMES lrelease lrelease-qt6 HINTS ${qt_tools} /usr/lib/qt6/bin NO_DEFAULT_PATH REQUIRED)
find_program(CUTAWAY_LUPDATE NAMES lupdate lupdate-qt6 HINTS ${qt_tools} /usr/lib/qt6/bin NO_DEFAULT_PATH REQUIRED)

set(catalogues ${CMAKE_CURRENT_BINARY_DIR}/catalogues)
set(qrc "<RCC><qresource prefix=\"/translations\">")
set(compiled "")
foreach(language en zh)
    file(GLOB texts CONFIGURE_DEPENDS ${CUTAWAY_CATALOGUES}/*_${language}.ts)
    set(qm ${catalogues}/cutaway_${language}.qm)
    add_custom_command(OUTPUT ${qm}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${catalogues}
        COMMAND ${CUTAWAY_LRELEASE} -silent ${texts} -qm ${qm}
        DEPENDS ${texts} VERBATIM)
    list(APPEND compiled ${qm})
    string(APPEND qrc "<file>cutaway_${language}.qm</file>")
endforeach()
# What the compiler says is looked for sentence by sentence, for which the texts must be there.
string(APPEND qrc "<file alias=\"sentences_zh.ts\">${CUTAWAY_CATALOGUES}/sentences.zh.ts</file>")
file(CONFIGURE OUTPUT ${catalogues}/catalogues.qrc CONTENT "${qrc}</qresource></RCC>\n")
add_custom_command(OUTPUT ${catalogues}/catalogues.cpp
    COMMAND Qt6::rcc --name catalogues ${catalogues}/catalogues.qrc -o ${catalogues}/catalogues.cpp
    DEPENDS ${compiled} ${CUTAWAY_CATALOGUES}/sentences.zh.ts ${catalogues}/catalogues.qrc VERBATIM)
# Part of whatever shows words, and in use from the start of the program: not only when somebody asks.
add_library(cutaway_catalogues OBJECT ${catalogues}/catalogues.cpp ${CMAKE_CURRENT_SOURCE_DIR}/language/language.cpp
            ${CMAKE_CURRENT_SOURCE_DIR}/language/sentences.cpp)
target_link_libraries(cutaway_catalogues PRIVATE cutaway_flags Qt6::Core)
target_link_libraries(cutaway_views_core INTERFACE $<TARGET_OBJECTS:cutaway_catalogues>)

# After words were added or changed: brings the catalogues up to date, for a person to translate.
add_custom_target(catalogues
    COMMAND ${CUTAWAY_LUPDATE} -no-obsolete -locations none -recursive views app -I .
            -ts ${CUTAWAY_CATALOGUES}/window_zh.ts
    COMMAND ${CUTAWAY_LUPDATE} -no-obsolete -locations none -pluralonly -recursive views app -I .
            -ts ${CUTAWAY_CATALOGUES}/window_en.ts
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM)
