/// How much smaller than stored a JPEG picture is decoded.
///
/// A smaller scale costs less time and memory than decoding in full and shrinking: each 8 by 8 block
/// is transformed into 4 by 4, 2 by 2 or a single sample from its lowest frequencies.
public enum JPEGScale: Int, CaseIterable, Hashable, Sendable {
  /// Every pixel as stored.
  case full = 1
  /// Half the width and height, rounded up.
  case half = 2
  /// A quarter of the width and height, rounded up.
  case quarter = 4
  /// An eighth of the width and height, rounded up.
  case eighth = 8

  /// The smallest scale at which the longer side of a picture has so many pixels, and `full` where even
  /// that has fewer.
  ///
  /// - Parameters:
  ///   - width: Columns of the stored picture.
  ///   - height: Rows of the stored picture.
  ///   - longerSide: The pixels that are enough.
  public init(width: Int, height: Int, longerSide: Int) {
    let side = max(width, height)
    self = .full
    for scale in Self.allCases where side / scale.rawValue >= longerSide { self = scale }
  }

  /// Output samples along an edge of a block of a component that is not subsampled: 8, 4, 2 or 1.
  var blockSize: Int { 8 / rawValue }
}
