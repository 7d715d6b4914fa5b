/// A frame as two small planes, upright, row by row.
package struct ReducedFrame: Hashable, Sendable {
  /// How bright the frame is, 0...255.
  package var luminance: [UInt8]
  /// How red or blue it is; gray is 128.
  package var colors: [UInt8]

  /// A frame of two planes of one size.
  package init(luminance: [UInt8], colors: [UInt8]) {
    self.luminance = luminance
    self.colors = colors
  }

  /// A frame without colours.
  package init(luminance: [UInt8]) {
    self.init(luminance: luminance, colors: [UInt8](repeating: 128, count: luminance.count))
  }

  /// Whether both planes have so many samples.
  package func hasPlanes(of count: Int) -> Bool {
    luminance.count == count && colors.count == count
  }
}
