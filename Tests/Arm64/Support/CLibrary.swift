// What the programs ask of the C library, for which this target has no module.

@_extern(c, "exit") private func exitNow(_ status: Int32)
@_extern(c, "exp") func exp(_ value: Double) -> Double
@_extern(c, "log") func log(_ value: Double) -> Double
@_extern(c, "erf") func erf(_ value: Double) -> Double
@_extern(c, "expm1") func expm1(_ value: Double) -> Double
@_extern(c, "log1p") func log1p(_ value: Double) -> Double
@_extern(c, "tanh") func tanh(_ value: Double) -> Double
@_extern(c, "floor") func floor(_ value: Double) -> Double
@_extern(c, "ceil") func ceil(_ value: Double) -> Double
@_extern(c, "logf") func log(_ value: Float) -> Float
@_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
@_extern(c, "powf") func pow(_ base: Float, _ exponent: Float) -> Float
@_extern(c, "fopen") private func openFile(
  _ path: UnsafePointer<CChar>, _ mode: UnsafePointer<CChar>
) -> OpaquePointer?
@_extern(c, "fread") private func readFile(
  _ bytes: UnsafeMutableRawPointer, _ size: Int, _ count: Int, _ file: OpaquePointer
) -> Int
@_extern(c, "fclose") private func closeFile(_ file: OpaquePointer) -> Int32

/// Ends the program.
func exitProgram(_ status: Int32) -> Never {
  exitNow(status)
  fatalError("The program goes on.")
}

/// The bytes of a file; a file that cannot be read ends the program.
func readBytes(ofFile path: String) -> [UInt8] {
  guard
    let file = unsafe path.withCString({ (path) in
      unsafe "rb".withCString { (mode) in unsafe openFile(path, mode) }
    })
  else {
    print("\(path) cannot be read.")
    exitProgram(1)
  }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe chunk.withUnsafeMutableBytes { (buffer) in
      unsafe readFile(buffer.baseAddress.unsafelyUnwrapped, 1, buffer.count, file)
    }
    guard count > 0 else { break }
    bytes += chunk[..<count]
  }
  _ = unsafe closeFile(file)
  return bytes
}

/// The seed of hash tables: always the same, so that every run is the same.
@_cdecl("arc4random_buf")
func fillSeed(_ pointer: UnsafeMutableRawPointer, _ byteCount: Int) {
  for offset in 0..<byteCount {
    let byte = UInt8(truncatingIfNeeded: 151 &* offset)
    unsafe pointer.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }
}

@_extern(c, "strtod") private func readNumber(
  _ text: UnsafePointer<CChar>, _ end: UnsafeMutablePointer<UnsafePointer<CChar>?>
) -> Double

/// The number at the beginning of a text, and where it ends: the Swift runtime asks for it.
@_cdecl("_swift_stdlib_strtod_clocale")
func readRuntimeNumber(
  _ text: UnsafePointer<CChar>, _ result: UnsafeMutablePointer<Double>
) -> UnsafePointer<CChar>? {
  var end: UnsafePointer<CChar>?
  unsafe result.pointee = unsafe readNumber(text, &end)
  return unsafe end
}
