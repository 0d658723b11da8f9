// SPDX-License-Identifier: Apache-2.0
#include "core/ir/dtype_words.h"

#include <cctype>

namespace cutaway::ir {

std::string scalarType(DType dtype) {
    switch (dtype) {
    case DType::UInt8:
        return "Byte";
    case DType::Int8:
        return "Char";
    case DType::BFloat16:
        return "BFloat16";
    case DType::Complex64:
        return "ComplexFloat";
    case DType::Complex128:
        return "ComplexDouble";
    case DType::UInt16:
        return "UInt16";
    case DType::UInt32:
        return "UInt32";
    case DType::UInt64:
        return "UInt64";
    default:
        break;
    }
    const DTypeInfo& row = info(dtype);
    std::string word(row.alias.empty() ? row.name : row.alias);
    word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    return word;
}

std::string nameInCpp(DType dtype) {
    switch (dtype) {
    case DType::Float64:
        return "double";
    case DType::Float32:
        return "float";
    case DType::Int64:
        return "long int";
    case DType::Int32:
        return "int";
    case DType::Int16:
        return "short int";
    case DType::Int8:
        return "signed char";
    case DType::UInt8:
        return "unsigned char";
    case DType::UInt16:
        return "short unsigned int";
    case DType::UInt32:
        return "unsigned int";
    case DType::UInt64:
        return "long unsigned int";
    case DType::Bool:
        return "bool";
    case DType::Complex64:
        return "c10::complex<float>";
    case DType::Complex128:
        return "c10::complex<double>";
    default:
        return "c10::" + scalarType(dtype);
    }
}

std::string notHeld(DType dtype) {
    const bool sized = isIntegral(dtype) && dtype != DType::Bool && dtype != DType::Int32;
    const std::string type = sized ? std::string(name(dtype)) + "_t" : nameInCpp(dtype);
    return "value cannot be converted to type " + type + " without overflow";
}

} // namespace cutaway::ir
