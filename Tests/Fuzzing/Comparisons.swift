// What the code calls before it compares numbers of one and two bytes. libFuzzer's own functions of these
// names keep nothing without a value profile, and take a third of the time where pixels are compared.

@_cdecl("__wrap___sanitizer_cov_trace_cmp1")
public func compareBytes(_ one: UInt8, _ other: UInt8) {}

@_cdecl("__wrap___sanitizer_cov_trace_const_cmp1")
public func compareByteWithConstant(_ constant: UInt8, _ other: UInt8) {}

@_cdecl("__wrap___sanitizer_cov_trace_cmp2")
public func comparePairs(_ one: UInt16, _ other: UInt16) {}

@_cdecl("__wrap___sanitizer_cov_trace_const_cmp2")
public func comparePairWithConstant(_ constant: UInt16, _ other: UInt16) {}

@_cdecl("__wrap___sanitizer_cov_trace_cmp4")
public func compareWords(_ one: UInt32, _ other: UInt32) {}

@_cdecl("__wrap___sanitizer_cov_trace_const_cmp4")
public func compareWordWithConstant(_ constant: UInt32, _ other: UInt32) {}

@_cdecl("__wrap___sanitizer_cov_trace_cmp8")
public func compareLongWords(_ one: UInt64, _ other: UInt64) {}

@_cdecl("__wrap___sanitizer_cov_trace_const_cmp8")
public func compareLongWordWithConstant(_ constant: UInt64, _ other: UInt64) {}
