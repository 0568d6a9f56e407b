# Warnings, sanitizers and hardening for everything we compile.
add_library(leat_flags INTERFACE)
target_compile_options(leat_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wwrite-strings -Wpointer-arith -Wundef -Wformat=2 -Wimplicit-fallthrough
  -fno-common)
option(LEAT_WERROR "Treat warnings as errors" OFF)
if(LEAT_WERROR)
  target_compile_options(leat_flags INTERFACE -Werror)
endif()
set(LEAT_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")
if(LEAT_SANITIZE)
  add_compile_options(-fsanitize=${LEAT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LEAT_SANITIZE})
endif()
