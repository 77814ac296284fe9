# SPDX-License-Identifier: GPL-2.0-or-later
# Files as bytes of a C source: cmake -DOUT=parts.c -DPARTS="ID=file+file;ID=;..." -P Embed.cmake
# Files of one part follow each other; a part without files is empty.
set(source "#include \"analyzer/report/page/parts.h\"\n")
foreach(row IN LISTS PARTS)
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" row "${row}")
    set(id ${CMAKE_MATCH_1})
    string(REPLACE "+" ";" files "${CMAKE_MATCH_2}")
    set(bytes "")
    set(size 0)
    foreach(file IN LISTS files)
        file(READ ${file} hex HEX)
        string(LENGTH "${hex}" digits)
        math(EXPR size "${size} + ${digits} / 2")
        string(REGEX REPLACE "(..)" "0x\\1," hex "${hex}")
        string(APPEND bytes "${hex}\n")
    endforeach()
    string(APPEND source "static const uint8_t ${id}[] = {${bytes}0};\nenum { ${id}_SIZE = ${size} };\n")
endforeach()
string(APPEND source "const struct rda_page_bytes rda_page_parts[] = {\n"
       "#define RDA_P(ID, slot) {slot, ID, ID##_SIZE},\n\tRDA_PAGE_PARTS(RDA_P)\n};\n")
file(WRITE ${OUT} "${source}")
