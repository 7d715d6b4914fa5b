/// A colour profile comes in numbered parts, each in a segment `APP2` behind `ICC_PROFILE`.
///
/// Source: ICC.1:2022, B.4.
extension JPEGParser {
  /// What stands before the number of a part and their count.
  static let profilePrefix = Array("ICC_PROFILE\0".utf8)

  /// The colour profile of a file; nil where there is none, or a part of it is missing.
  static func colorProfile(of bytes: [UInt8]) -> ColorProfile? {
    do throws(JPEGError) {
      var parser = try JPEGParser(bytes)
      return try parser.nextScan() == nil ? nil : parser.colorProfile
    } catch {
      return nil
    }
  }

  mutating func readProfilePart(_ segment: Range<Int>) {
    let headByteCount = Self.profilePrefix.count + 2
    if segment.count > headByteCount, bytes[segment].starts(with: Self.profilePrefix) {
      profileParts.append(segment)
    }
  }

  private var colorProfile: ColorProfile? {
    let headByteCount = Self.profilePrefix.count + 2
    guard (1...255).contains(profileParts.count) else { return nil }
    var parts = [Range<Int>?](repeating: nil, count: profileParts.count)
    for part in profileParts {
      let number = Int(bytes[part.lowerBound + headByteCount - 2])
      let count = Int(bytes[part.lowerBound + headByteCount - 1])
      guard count == parts.count, (1...count).contains(number), parts[number - 1] == nil else {
        return nil
      }
      parts[number - 1] = part
    }
    var profile: [UInt8] = []
    for part in parts { if let part { profile += bytes[part].dropFirst(headByteCount) } }
    return ColorProfile(profile)
  }
}
