// Numbers from a text file: what lookup reads its table from.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_OPS_POINT_NUMBER_FILE_H
#define ZP_OPS_POINT_NUMBER_FILE_H

#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include "core/op.h"

namespace zp::detail_number_file {

/// Numbers separated by white space, commas or semicolons; # begins a comment that ends with its line. At most `limit`
/// numbers are kept in memory. Throws io where the file cannot be read, invalid_argument where a word is no number.
inline std::vector<float> read(std::string_view operation, const std::string& path, std::size_t limit) {
  const auto prefix = std::string(operation) + ": file = " + path;
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::io, prefix + " cannot be opened");
  constexpr std::string_view kSeparators = " \t\r\v\f,;";
  std::vector<float> numbers;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const std::string_view text = std::string_view(line).substr(0, line.find('#'));
    std::size_t begin = 0;
    while ((begin = text.find_first_not_of(kSeparators, begin)) != std::string_view::npos) {
      const std::size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
      const std::string_view word = text.substr(begin, end - begin);
      const bool has_plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
      float value = 0;
      const auto [stop, error] = std::from_chars(word.data() + has_plus, word.data() + word.size(), value);
      if (error != std::errc() || stop != word.data() + word.size())
        throw Error(ErrorKind::invalid_argument, prefix + ", line " + std::to_string(number) + ": '" +
                                                     std::string(word.substr(0, 40)) + "' is not a number");
      if (numbers.size() == limit)
        throw Error(ErrorKind::invalid_argument, prefix + " holds more than " + std::to_string(limit) + " numbers");
      numbers.push_back(value);
      begin = end;
    }
  }
  if (file.bad()) throw Error(ErrorKind::io, prefix + " cannot be read to its end");
  return numbers;
}

}  // namespace zp::detail_number_file

#endif
