// SPDX-License-Identifier: Apache-2.0
// A program to which the precompiled headers of the tests belong (tests/CMakeLists.txt); never built.
int main() {}
