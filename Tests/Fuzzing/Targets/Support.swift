#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends the run with a finding where a promise is broken that no trap would show.
func require(_ holds: Bool, _ promise: @autoclosure () -> String) {
  if !holds { fatalError("broken promise: \(promise())") }
}

/// Reads an input piece by piece; behind its end are zeros.
struct InputReader {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  mutating func byte() -> UInt8 {
    defer { offset += 1 }
    return offset < bytes.count ? bytes[offset] : 0
  }

  mutating func word(_ byteCount: Int) -> UInt64 {
    (0..<byteCount).reduce(0) { (word, _) in word << 8 | UInt64(byte()) }
  }

  /// Any bit pattern, NaN and infinities among them.
  mutating func double() -> Double { Double(bitPattern: word(8)) }

  mutating func rest() -> [UInt8] {
    defer { offset = bytes.count }
    return offset < bytes.count ? Array(bytes[offset...]) : []
  }
}

/// The smallest profile that is handed on, of red, green and blue.
let smallProfile: [UInt8] = {
  var bytes = [UInt8](repeating: 0, count: 128)
  bytes[3] = 128
  bytes.replaceSubrange(16..<20, with: "RGB ".utf8)
  bytes.replaceSubrange(36..<40, with: "acsp".utf8)
  return bytes
}()

/// Writes a number over the bytes from `offset` on, little-endian, where there is room.
func overwrite(_ bytes: inout [UInt8], at offset: Int, with word: UInt64) {
  guard offset + 8 <= bytes.count else { return }
  for index in 0..<8 {
    bytes[offset + index] = UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))
  }
}

/// The bytes of a file of the checkout, named relative to its root; empty where it cannot be read.
func fixture(_ name: String) -> [UInt8] {
  guard let file = fopen(name, "rb") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// The files of a folder of the checkout whose size is at most the given one.
func fixtures(_ folder: String, suffix: String, byteLimit: Int) -> [[UInt8]] {
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(suffix) { names.append(name) }
  }
  return names.sorted().map { fixture("\(folder)/\($0)") }
    .filter { !$0.isEmpty && $0.count <= byteLimit }
}
