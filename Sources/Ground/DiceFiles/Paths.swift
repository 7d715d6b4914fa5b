/// Taking paths apart and putting them together, as text: nothing here looks at a disk.
///
/// A path is UTF-8 text with `/` between components. Repeated and trailing slashes mean nothing.
public enum Paths {
  /// The parts with one `/` between neighbours.
  ///
  /// Empty parts are left out. Slashes at the start of a later part are dropped, so that the
  /// result always lies below the first part: `joined("photos", "/a.png")` is `photos/a.png`.
  /// `..` is kept as it is.
  ///
  /// - Complexity: O(n) in the length of the parts.
  public static func joined(_ parts: String...) -> String {
    joined(parts)
  }

  /// The parts of an array with one `/` between neighbours; see `joined(_:)`.
  public static func joined(_ parts: [String]) -> String {
    var result: [UInt8] = []
    for part in parts {
      var bytes = [UInt8](part.utf8)[...]
      if bytes.isEmpty { continue }
      if !result.isEmpty {
        bytes = bytes.drop { $0 == slash }
        if bytes.isEmpty { continue }
        if result.last != slash { result.append(slash) }
      }
      result.append(contentsOf: bytes)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The path without its last component: `.` for a bare name, `/` for the root.
  ///
  /// `a/b/c.png` gives `a/b`; `a` gives `.`; `/a` gives `/`; the empty path gives `.`.
  public static func parent(of path: String) -> String {
    let bytes = trimmed(path)
    guard let last = bytes.lastIndex(of: slash) else { return "." }
    var end = last
    while end > bytes.startIndex, bytes[end - 1] == slash { end -= 1 }
    if end == bytes.startIndex { return "/" }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// The last component: `c.png` of `a/b/c.png`, `b` of `a/b/`, `/` of the root.
  public static func lastComponent(of path: String) -> String {
    let bytes = trimmed(path)
    if bytes.count == 1, bytes.first == slash { return "/" }
    guard let last = bytes.lastIndex(of: slash) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: bytes[(last + 1)...], as: UTF8.self)
  }

  /// What follows the last dot of the last component, as written: `PNG` of `a/b.PNG`.
  ///
  /// Empty where there is no dot, where the dot comes last, and where it only begins the name, as
  /// in `.gitignore` and `..`.
  public static func fileExtension(of path: String) -> String {
    let name = [UInt8](lastComponent(of: path).utf8)
    guard let last = extensionDot(of: name) else { return "" }
    return String(decoding: name[(last + 1)...], as: UTF8.self)
  }

  /// The path without `fileExtension(of:)` and its dot; folders stay, trailing slashes do not.
  public static func removingExtension(of path: String) -> String {
    let bytes = [UInt8](trimmed(path))
    let nameCount = lastComponent(of: path).utf8.count
    let start = bytes.count - min(nameCount, bytes.count)
    guard let last = extensionDot(of: [UInt8](bytes[start...])) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: bytes[..<(start + last)], as: UTF8.self)
  }

  /// Whether the path's extension is this one; letter case does not count for A to Z.
  ///
  /// - Parameter fileExtension: the extension without its dot.
  public static func hasExtension(_ fileExtension: String, path: String) -> Bool {
    let found = Paths.fileExtension(of: path).utf8
    return found.count == fileExtension.utf8.count
      && zip(found, fileExtension.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// Whether the path begins at the root.
  public static func isAbsolute(_ path: String) -> Bool {
    path.utf8.first == slash
  }

  // MARK: - Bytes

  static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// The path's bytes without trailing slashes; the root keeps one.
  private static func trimmed(_ path: String) -> ArraySlice<UInt8> {
    var bytes = [UInt8](path.utf8)[...]
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    return bytes
  }

  private static func extensionDot(of name: [UInt8]) -> Int? {
    guard let last = name.lastIndex(of: dot), last + 1 < name.count,
      name[..<last].contains(where: { $0 != dot })
    else { return nil }
    return last
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
