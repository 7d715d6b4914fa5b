// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// What the module `Musl` of Swift's Static Linux SDK adds to the C library's headers, as far as the
// library uses it. Functions with any number of arguments are called with those that they read.

@_exported import SwiftMusl

public var errno: Int32 {
  get { __errno_location().pointee }
  set { __errno_location().pointee = newValue }
}

@_silgen_name("open")
private func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { openFile(path, flags, 0) }

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  openFile(path, flags, mode)
}

@_silgen_name("fcntl")
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32

public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }

// What the runtime of Embedded Swift asks of its surroundings and musl does not have.

@_cdecl("arc4random_buf")
public func fillWithRandomBytes(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
  precondition(getentropy(bytes, count) == 0, "seeds of hash tables have 256 bytes at most")
}

@_cdecl("_swift_stdlib_strtod_clocale")
public func readNumber(
  _ text: UnsafePointer<CChar>, _ result: UnsafeMutablePointer<Double>
) -> UnsafePointer<CChar>? {
  var end: UnsafeMutablePointer<CChar>?
  result.pointee = strtod(text, &end)
  return end.map { UnsafePointer($0) }
}
