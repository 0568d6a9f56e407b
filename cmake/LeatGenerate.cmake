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
