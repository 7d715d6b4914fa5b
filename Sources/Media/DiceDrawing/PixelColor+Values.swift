public import DiceImaging

extension PixelColor {
  /// The colours of the values 1 to 6, told apart at a glance and without seeing all hues.
  ///
  /// Light blue, orange, green, yellow, vermilion and violet: like the palette of Okabe and Ito, but
  /// further apart. Any two differ by at least 20 in CIELAB (CIE76), also as they look to
  /// people with protanopia, deuteranopia and tritanopia (the simulation of Machado, Oliveira and
  /// Fernandes, 2009).
  ///
  /// Source: Okabe and Ito, "Color Universal Design", 2002.
  public static let valueColors: [PixelColor] = [
    PixelColor(rgb: 0x66C6FF), PixelColor(rgb: 0xFF9419), PixelColor(rgb: 0x009E73),
    PixelColor(rgb: 0xFFF06A), PixelColor(rgb: 0xE8402A), PixelColor(rgb: 0x8A4DE8),
  ]

  /// The colour of what is no value from 1 to 6: a light gray.
  public static let otherValueColor = PixelColor(rgb: 0xD0D4DA)

  /// The colour of a value: one of ``valueColors`` for 1 to 6, ``otherValueColor`` for any other
  /// number.
  public static func forValue(_ value: Int) -> PixelColor {
    (1...6).contains(value) ? valueColors[value - 1] : otherValueColor
  }

  /// Nearly black or white, whichever reads better on this colour, its opacity left aside.
  ///
  /// Its ``contrastRatio(with:)`` is at least 4.2 on any colour, and at least 4.5 on those of
  /// values.
  public var textColor: PixelColor {
    contrastRatio(with: .ink) >= contrastRatio(with: .white) ? .ink : .white
  }

  /// What dark text is written with.
  static let ink = PixelColor(rgb: 0x101418)

  /// How well one colour reads on the other, from 1 (not at all) to 21, their opacity left aside.
  ///
  /// `(L1 + 0.05) / (L2 + 0.05)` with the relative luminances of the lighter and the darker one. 4.5
  /// and more is good for text of any size.
  ///
  /// Source: Web Content Accessibility Guidelines 2.2, "contrast ratio".
  public func contrastRatio(with other: PixelColor) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// The share of white's light, 0...1, after sRGB's transfer curve is undone.
  private var relativeLuminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// A sample of sRGB as a share of light.
  static func linear(_ sample: UInt8) -> Double {
    let value = Double(sample) / 255
    if value <= 0.04045 { return value / 12.92 }
    // x^2.4 as x² times the fifth root of x², by Newton's method: no library function is needed.
    let base = (value + 0.055) / 1.055
    let square = base * base
    var root = 1.0
    for _ in 0..<24 {
      let fourth = root * root * root * root
      root -= (root * fourth - square) / (5 * fourth)
    }
    return square * root
  }
}
