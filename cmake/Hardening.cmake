# SPDX-License-Identifier: GPL-2.0-or-later
# What the compiler and the linker can do so that a mistake in reading a hostile capture ends in a stop
# and not in an attacker's hands. tests/architecture/hardening.py looks at what came out.
include(CheckCCompilerFlag)
include(CheckPIESupported)

# programs at random addresses; with sanitizers they would set 250,000 addresses right each time they start
if(RDA_SANITIZE)
    string(APPEND CMAKE_EXE_LINKER_FLAGS " -no-pie")
else()
    check_pie_supported()
endif()

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "RDA_HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
        add_compile_options(${flag})
    endif()
endforeach()
# glibc checks what it copies where the sizes are known; sanitizers replace those functions
if(NOT RDA_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
# addresses of library functions are found at the start, and cannot be changed then
add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
