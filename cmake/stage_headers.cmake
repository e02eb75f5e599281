# Run at install time: copies the headers that users read, with includes of core/ and ops/ moved under zeroplane/.
file(REMOVE_RECURSE ${ZEROPLANE_STAGE})
file(GLOB_RECURSE headers RELATIVE ${ZEROPLANE_SOURCE}
  ${ZEROPLANE_SOURCE}/include/zeroplane/*.h ${ZEROPLANE_SOURCE}/include/zeroplane/*.inc
  ${ZEROPLANE_SOURCE}/src/core/*.h ${ZEROPLANE_SOURCE}/src/core/*.inc
  ${ZEROPLANE_SOURCE}/src/ops/*.h ${ZEROPLANE_SOURCE}/src/ops/*.inc)
foreach(header ${headers})
  file(READ ${ZEROPLANE_SOURCE}/${header} text)
  string(REGEX REPLACE "\"((core|ops)/[A-Za-z0-9_./-]+\\.(h|inc))\"" "\"zeroplane/\\1\"" text "${text}")
  string(REGEX REPLACE "^include/zeroplane/" "" installed ${header})
  string(REGEX REPLACE "^src/" "" installed ${installed})
  file(WRITE ${ZEROPLANE_STAGE}/zeroplane/${installed} "${text}")
endforeach()
