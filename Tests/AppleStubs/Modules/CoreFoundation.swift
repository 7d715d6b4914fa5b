// swift-format-ignore-file
// Stands in for Core Foundation: what the library uses of it, with the signatures that Swift sees on
// Apple's platforms.

public typealias CFTypeRef = AnyObject
public typealias CFIndex = Int

public final class CFString: Hashable {
  public let text: String

  public init(_ text: String) { self.text = text }

  public static func == (first: CFString, second: CFString) -> Bool { first.text == second.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension CFString: @unchecked Sendable {}

public final class CFAllocator {}

public final class CFData {
  public let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

public func CFDataCreate(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
  CFData(Array(UnsafeBufferPointer(start: bytes, count: length)))
}

public final class CFNumber {
  public let value: Int

  public init(_ value: Int) { self.value = value }
}

public enum CFNumberType: Int {
  case sInt8Type = 1
  case sInt16Type = 2
  case sInt32Type = 3
  case sInt64Type = 4
}

public func CFNumberGetValue(
  _ number: CFNumber!, _ theType: CFNumberType, _ valuePtr: UnsafeMutableRawPointer!
) -> Bool {
  switch theType {
  case .sInt8Type: valuePtr.storeBytes(of: Int8(truncatingIfNeeded: number.value), as: Int8.self)
  case .sInt16Type: valuePtr.storeBytes(of: Int16(truncatingIfNeeded: number.value), as: Int16.self)
  case .sInt32Type: valuePtr.storeBytes(of: Int32(truncatingIfNeeded: number.value), as: Int32.self)
  case .sInt64Type: valuePtr.storeBytes(of: Int64(number.value), as: Int64.self)
  }
  return true
}

public final class CFDictionary {
  public let values: [CFString: AnyObject]

  public init(_ values: [CFString: AnyObject]) { self.values = values }
}

public func CFDictionaryGetValue(
  _ theDict: CFDictionary!, _ key: UnsafeRawPointer!
) -> UnsafeRawPointer! {
  let key = Unmanaged<CFString>.fromOpaque(key).takeUnretainedValue()
  return theDict.values[key].map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
}

public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
  if let first = cf1 as? CFString, let second = cf2 as? CFString { return first == second }
  return cf1 === cf2
}
