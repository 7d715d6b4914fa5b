/// What the standard library asks of a C library to read a number: where it ends.
///
/// Saved games have whole numbers, which `JSONReader` reads by itself. For longer ones it asks here, where each
/// ends before it begins: the text is then no number, and is refused.
@_cdecl("_swift_stdlib_strtod_clocale")
func readNumber(
  _ text: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<Double>
) -> UnsafePointer<UInt8>? { unsafe text }
