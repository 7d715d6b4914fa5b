/// A colour of 8-bit samples, with opacity.
public struct PixelColor: Hashable, Sendable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8
  /// Opacity, from 0 (invisible) to 255; red, green and blue are not multiplied with it.
  public var alpha: UInt8

  /// A colour with the given samples.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// An opaque colour from `0xRRGGBB`; higher bits are ignored.
  public init(rgb: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
      blue: UInt8(truncatingIfNeeded: rgb))
  }

  /// Opaque black.
  public static let black = PixelColor(rgb: 0x000000)
  /// Opaque white.
  public static let white = PixelColor(rgb: 0xFFFFFF)

  /// The same colour with another opacity, from 0 (invisible) to 1; NaN counts as 0.
  public func withOpacity(_ opacity: Double) -> PixelColor {
    var result = self
    result.alpha = opacity > 0 ? UInt8((min(opacity, 1) * 255 + 0.5)) : 0
    return result
  }

  /// The luminance of BT.601, `0.299 red + 0.587 green + 0.114 blue`, rounded to nearest.
  public var luminance: UInt8 {
    // The weights times 65536 add up to 65536.
    let sum = 19_595 * UInt32(red) + 38_470 * UInt32(green) + 7_471 * UInt32(blue)
    return UInt8((sum + 0x8000) >> 16)
  }

  /// This colour laid over an opaque one.
  func over(_ background: PixelColor) -> PixelColor {
    PixelColor(
      red: Self.blend(red, alpha, over: background.red),
      green: Self.blend(green, alpha, over: background.green),
      blue: Self.blend(blue, alpha, over: background.blue))
  }

  /// `(sample * alpha + background * (255 - alpha)) / 255`, rounded to nearest.
  @inline(__always)
  static func blend(_ sample: UInt8, _ alpha: UInt8, over background: UInt8) -> UInt8 {
    let sum = UInt32(sample) * UInt32(alpha) + UInt32(background) * (255 - UInt32(alpha))
    return UInt8((sum + 127) / 255)
  }
}
