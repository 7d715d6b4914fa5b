// What instrumented code calls before it compares whole numbers, in place of libFuzzer's own functions, which
// take a third of the time where pixels are compared. Those for one and two bytes keep nothing without a
// value profile; those for four and eight bytes stand in only where an input has no words to be guessed.

/// Records nothing of a comparison of bytes.
@_cdecl("__wrap___sanitizer_cov_trace_cmp1")
public func compareBytes(_ one: UInt8, _ other: UInt8) {}

/// Records nothing of a comparison of a byte with a constant.
@_cdecl("__wrap___sanitizer_cov_trace_const_cmp1")
public func compareByteWithConstant(_ constant: UInt8, _ other: UInt8) {}

/// Records nothing of a comparison of numbers of two bytes.
@_cdecl("__wrap___sanitizer_cov_trace_cmp2")
public func comparePairs(_ one: UInt16, _ other: UInt16) {}

/// Records nothing of a comparison of a number of two bytes with a constant.
@_cdecl("__wrap___sanitizer_cov_trace_const_cmp2")
public func comparePairWithConstant(_ constant: UInt16, _ other: UInt16) {}

/// Records nothing of a comparison of numbers of four bytes.
@_cdecl("__wrap___sanitizer_cov_trace_cmp4")
public func compareWords(_ one: UInt32, _ other: UInt32) {}

/// Records nothing of a comparison of a number of four bytes with a constant.
@_cdecl("__wrap___sanitizer_cov_trace_const_cmp4")
public func compareWordWithConstant(_ constant: UInt32, _ other: UInt32) {}

/// Records nothing of a comparison of numbers of eight bytes.
@_cdecl("__wrap___sanitizer_cov_trace_cmp8")
public func compareLongWords(_ one: UInt64, _ other: UInt64) {}

/// Records nothing of a comparison of a number of eight bytes with a constant.
@_cdecl("__wrap___sanitizer_cov_trace_const_cmp8")
public func compareLongWordWithConstant(_ constant: UInt64, _ other: UInt64) {}
