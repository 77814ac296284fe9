# SPDX-License-Identifier: GPL-2.0-or-later
# Warnings and sanitizers for every target of the project.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
                    -Wpointer-arith -Wvla -Wundef)
# Errors everywhere, as such code computes something else than it says; with CI set, all of them are.
add_compile_options(-Werror=implicit-function-declaration -Werror=int-conversion
                    -Werror=incompatible-pointer-types)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Werror=override-init)
else()
    add_compile_options(-Werror=initializer-overrides)
endif()
if(DEFINED ENV{CI})
    add_compile_options(-Werror)
endif()
if(RDA_SANITIZE)
    add_compile_options(-fsanitize=${RDA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${RDA_SANITIZE})
endif()
if(RDA_SANITIZE OR RDA_FUZZ)
    add_compile_definitions(RDA_ASSERTIONS) # analyzer/base/assert.h
endif()
if(RDA_FUZZ) # coverage for libFuzzer in all that the targets call; its main is linked to them only
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
