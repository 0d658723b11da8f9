# The window: cutaway-gui (GPL-3.0-or-later). It starts `cutaway serve` beside itself as its engine.
find_package(Qt6 REQUIRED COMPONENTS Core Gui Widgets)
add_executable(cutaway-gui main_gui.cpp)
target_link_libraries(cutaway-gui PRIVATE cutaway_views)
set_target_properties(cutaway-gui PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
target_compile_definitions(cutaway-gui PRIVATE CUTAWAY_VERSION="${PROJECT_VERSION}")
install(TARGETS cutaway-gui COMPONENT gui)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/samples DESTINATION share/cutaway COMPONENT gui)
# Beside a program that was built anywhere, as findSamples() looks for them.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/samples ${CMAKE_BINARY_DIR}/bin/samples SYMBOLIC)
