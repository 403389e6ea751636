# What a package has, and CPack's settings for the .deb and the tarball;
# scripts/package runs it, after it has made manual pages and completions in
# the folder `package` of the build.
include(GNUInstallDirs)

set(made ${CMAKE_BINARY_DIR}/package)
install(TARGETS vernier RUNTIME COMPONENT vernier)
install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        COMPONENT vernier OPTIONAL)
install(FILES ${made}/completion.bash OPTIONAL COMPONENT vernier
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME vernier)
install(FILES ${made}/completion.zsh OPTIONAL COMPONENT vernier
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
        RENAME _vernier)
install(DIRECTORY examples/hello COMPONENT vernier
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vernier/examples)
install(FILES packaging/debian/copyright packaging/debian/default
        COMPONENT vernier DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vernier)
install(FILES packaging/licenses/NLopt packaging/licenses/LGPL-2.1
        COMPONENT bundled DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vernier)
install(FILES packaging/vernier.service COMPONENT vernier
        DESTINATION lib/systemd/system)
install(FILES packaging/vernier-user.service COMPONENT vernier
        DESTINATION lib/systemd/user RENAME vernier.service)

set(CPACK_PACKAGE_NAME vernier)
set(CPACK_PACKAGE_VENDOR "Vernier")
set(CPACK_PACKAGE_CONTACT "The Vernier authors <vernier@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "hyperparameter tuning service with trial orchestration")
set(CPACK_PACKAGE_DESCRIPTION
    "Suggests parameters by Gaussian-process Bayesian optimisation, launches\n\
 each trial as a distributed training job on this machine, in containers, on\n\
 Slurm or on Kubernetes, and keeps everything in SQLite. Runs the job files and\n\
 training programs of AI Platform Training unchanged.")
set(CPACK_PACKAGE_FILE_NAME
    vernier-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_COMPONENTS_ALL vernier)
# What the .deb depends on, the tarball brings along.
install(FILES ${made}/libnlopt.so.0 OPTIONAL COMPONENT bundled
        DESTINATION ${CMAKE_INSTALL_BINDIR})
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_VERNIER_PACKAGE_NAME vernier)
set(CPACK_DEBIAN_VERNIER_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  # Otherwise dpkg names the architecture, which is that of this machine.
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
# Not by dpkg-shlibdeps, which would ask for this machine's glibc. NLopt is opened
# at run time, so that it is in no list of the linker.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6 (>= ${VERNIER_GLIBC}), libnlopt0, passwd")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, libcurl4")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "podman, slurm-client, bash-completion")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${CMAKE_SOURCE_DIR}/packaging/debian/postinst
    ${CMAKE_SOURCE_DIR}/packaging/debian/prerm
    ${CMAKE_SOURCE_DIR}/packaging/debian/postrm)

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/package_kind.cmake)
include(CPack)
