# SPDX-License-Identifier: GPL-2.0-or-later
# Packages for Debian and RPM systems, made of what is installed: `cpack -G DEB` or `cpack -G RPM` in the
# build folder. One for the program, which needs no Wireshark; one each for what needs the very Wireshark
# that it was built beside: the module that reads further formats, and the plugin; and the library.
set(CPACK_PACKAGE_NAME rdma-analyze)
set(CPACK_PACKAGE_VENDOR "rdma-analyze")
set(RDA_PACKAGE_CONTACT "unknown packager <packager@example.org>" CACHE STRING "Who makes packages, for their control files")
set(CPACK_PACKAGE_CONTACT "${RDA_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_COMPONENTS_ALL program)
foreach(row "wiretap:rda_wiretap" "plugin:rda_plugin" "library:rda_shared")
    string(REPLACE ":" ";" row ${row})
    list(GET row 0 component)
    list(GET row 1 target)
    if(TARGET ${target})
        list(APPEND CPACK_COMPONENTS_ALL ${component})
    endif()
endforeach()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # ldconfig runs when a library is installed
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME rdma-analyze)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS rdma-analyze-wiretap)
set(CPACK_DEBIAN_WIRETAP_PACKAGE_NAME rdma-analyze-wiretap)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME wireshark-plugin-rdma)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME librda-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
# what rda.pc names: pkg-config finds none of ours without theirs
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libglib2.0-dev, libisal-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/triggers)

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "GPL-2.0-or-later")
set(CPACK_RPM_PROGRAM_PACKAGE_NAME rdma-analyze)
set(CPACK_RPM_WIRETAP_PACKAGE_NAME rdma-analyze-wiretap)
set(CPACK_RPM_PLUGIN_PACKAGE_NAME wireshark-plugin-rdma)
set(CPACK_RPM_LIBRARY_PACKAGE_NAME librda-devel)
set(CPACK_RPM_LIBRARY_PACKAGE_REQUIRES "pkgconfig(glib-2.0), pkgconfig(libisal)")

# A page or a history is installed packed where gzip is there.
find_program(gzip gzip)
function(pack file packed)
    execute_process(COMMAND ${gzip} -9 --no-name --stdout ${file} OUTPUT_FILE ${packed})
endfunction()
if(gzip)
    pack(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_BINARY_DIR}/NEWS.gz)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/changelog.in changelog @ONLY)
    pack(${CMAKE_BINARY_DIR}/changelog ${CMAKE_BINARY_DIR}/changelog.gz)
endif()

# what Debian's policy wants of each package: its licence, and what changed
foreach(row "program:rdma-analyze" "wiretap:rdma-analyze-wiretap" "plugin:wireshark-plugin-rdma" "library:librda-dev")
    string(REPLACE ":" ";" row ${row})
    list(GET row 0 component)
    list(GET row 1 package)
    if(component IN_LIST CPACK_COMPONENTS_ALL)
        install(FILES ${CMAKE_SOURCE_DIR}/cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
                COMPONENT ${component})
        if(gzip)
            install(FILES ${CMAKE_BINARY_DIR}/NEWS.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
                    COMPONENT ${component})
            install(FILES ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
                    COMPONENT ${component})
        endif()
    endif()
endforeach()

set(words_program "Reads packet captures of RoCE, InfiniBand and iWARP\nand tells what the connections did.")
set(words_wiretap "The module by which rdma-analyze reads what libpcap does not:\npacked captures, ERF, snoop, and others.")
set(words_plugin "The analysis of rdma-analyze in Wireshark and tshark:\nheaders, findings, statistics, and a profile.")
set(words_library "The engine of rdma-analyze as a library for other programs,\nstatic and shared.")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} COMPONENT)
    set(CPACK_COMPONENT_${COMPONENT}_DESCRIPTION "${words_${component}}")
endforeach()
include(CPack)
