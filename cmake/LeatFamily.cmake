# A family's source list comes from its table.def, so that the table is the only list.
# leat_family(METER_SRCS meter LEAT_METER) gives src/meter/meter_NAME.c for each line,
# and the other files of the room.
function(leat_family out room macro)
  set(def ${CMAKE_SOURCE_DIR}/src/${room}/table.def)
  get_filename_component(prefix ${room} NAME)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${def})
  file(STRINGS ${def} lines REGEX "^${macro}\\(")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^${macro}\\(([a-z0-9_]+)\\).*" "\\1" name "${line}")
    list(APPEND srcs ${CMAKE_SOURCE_DIR}/src/${room}/${prefix}_${name}.c)
  endforeach()
  # What is not a member of the family is help for those that are.
  file(GLOB helpers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${room}/*.c)
  list(FILTER helpers EXCLUDE REGEX "/${prefix}_[a-z0-9_]+\\.c$")
  set(${out} ${helpers} ${srcs} PARENT_SCOPE)
endfunction()

# leat_room(NAME file.c...): the static library leat_NAME of one room.
function(leat_room name)
  add_library(leat_${name} STATIC ${ARGN})
  target_include_directories(leat_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(leat_${name} PRIVATE leat_flags)
  target_compile_definitions(leat_${name} PRIVATE _GNU_SOURCE)
endfunction()
