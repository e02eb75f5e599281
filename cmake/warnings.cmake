# Warning set, sanitizers, and the one floating-point contraction setting.
set(ZEROPLANE_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address;undefined or thread")

# Options and operations are filled by designated initializers, which leave fields out on purpose.
# With WITHOUT_ADDRESS_SANITIZER behind the target its own code is not instrumented for addresses.
function(zeroplane_warnings target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wno-missing-field-initializers;-ffp-contract=off;-fno-math-errno;-fno-trapping-math>")
  # GCC 12 sees overlap in every std::string sum (its bug 105329).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>")
  endif()
  if(ZEROPLANE_WERROR)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
  endif()
  if(ZEROPLANE_SANITIZE)
    string(REPLACE ";" "," list "${ZEROPLANE_SANITIZE}")
    target_link_options(${target} PUBLIC -fsanitize=${list})
    target_compile_definitions(${target} PRIVATE ZEROPLANE_SANITIZED=1)
    if(NOT ("WITHOUT_ADDRESS_SANITIZER" IN_LIST ARGN AND "address" IN_LIST ZEROPLANE_SANITIZE))
      target_compile_options(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${list};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
    endif()
  endif()
endfunction()
