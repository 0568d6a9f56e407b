# Sources that the build writes itself.

# leat_syscall_names(FILE): a line SYSCALL(name) for every system call that the target's kernel
# headers number below 512.
function(leat_syscall_names out)
  file(WRITE ${CMAKE_BINARY_DIR}/gen/syscalls.c "#include <sys/syscall.h>\n")
  execute_process(COMMAND ${CMAKE_C_COMPILER} -E -dM ${CMAKE_BINARY_DIR}/gen/syscalls.c
    OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "#define __NR_[a-z0-9_]+ [0-9]+\n" macros "${macros}")
  set(text "")
  foreach(macro IN LISTS macros)
    string(REGEX REPLACE "#define __NR_([a-z0-9_]+) ([0-9]+)\n" "\\1;\\2" pair "${macro}")
    list(GET pair 0 name)
    list(GET pair 1 number)
    if(number LESS 512)
      list(APPEND text "SYSCALL(${name})")
    endif()
  endforeach()
  list(LENGTH text n)
  if(n LESS 200)
    message(FATAL_ERROR "only ${n} system calls found in <sys/syscall.h>")
  endif()
  list(SORT text)
  list(JOIN text "\n" text)
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}\n")
endfunction()

# leat_bpf(NAME SOURCE HEADER): the BPF program in SOURCE as a libbpf skeleton of that name. Only
# our own declarations of the kernel's types and the installed headers go in: neither the running
# kernel nor its rights matter.
function(leat_bpf name source header)
  find_program(LEAT_CLANG NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 REQUIRED)
  find_program(LEAT_BPFTOOL bpftool HINTS /usr/sbin /sbin REQUIRED)
  set(object ${CMAKE_BINARY_DIR}/gen/sys/${name}.bpf.o)
  set(headers "")
  if(CMAKE_LIBRARY_ARCHITECTURE)
    set(headers -isystem /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
  endif()
  add_custom_command(OUTPUT ${header}
    COMMAND ${LEAT_CLANG} -target bpf -mcpu=v3 -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror
      -I ${CMAKE_SOURCE_DIR}/src ${headers} -fdebug-prefix-map=${CMAKE_SOURCE_DIR}=.
      -c ${source} -o ${object}
    COMMAND ${LEAT_BPFTOOL} gen skeleton ${object} name ${name} > ${header}
    DEPENDS ${source} ${ARGN}
    COMMENT "Building the ${name} for the kernel"
    VERBATIM)
endfunction()
