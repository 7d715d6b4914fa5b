/// What the standard library asks of a C library to read a number: the number, and where it ends.
///
/// Saved games have whole numbers, which `JSONReader` reads by itself. For others, such as 1e300, it asks here and
/// gets what is no number: the text is then refused.
@_cdecl("_swift_stdlib_strtod_clocale")
func readNumber(
  _ text: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<Double>
) -> UnsafePointer<UInt8>? {
  unsafe result.pointee = .nan
  return unsafe text
}
