// The canonical cases of the operations: inputs made by code, results as hashes. Tests, verify and bench use the same.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_REGISTRY_CASES_H
#define ZP_REGISTRY_CASES_H

#include <string>
#include <vector>

#include "zeroplane/registry.h"

namespace zp::registry {

/// One operation with arguments, on one input shape.
struct OperationCase {
  AnyOperation operation;
  std::string arguments;     ///< as the operation's header says them
  PlaneShape shape;          ///< of the first input
  std::string text() const;  ///< "limit=10 3ch"
};

/// Every case of every operation whose name starts with `filter`, for the formats it takes, on width x height.
std::vector<OperationCase> all_cases(int width, int height, std::string_view filter = {});

/// The inputs of a case, in the memory that suits the device. Equal on every machine.
std::vector<Image> case_inputs(const OperationCase& c);
/// Fills a plane with a pattern.
void paint(const PlaneView& view, Pattern pattern, unsigned seed);

/// Runs a case; the hash covers the image and the values.
std::string case_hash(const OperationCase& c, std::span<const Image> inputs);
std::string result_hash(const Image* image, const Values& values);  ///< null: values alone

}  // namespace zp::registry

#endif
