import DiceImaging

@testable import DiceVisionTraining

extension TrainingPicture {
  /// The colour at a place as samples show it that do not shrink the picture: red, green, blue in 0...255, and
  /// 1; zeros outside.
  func color(x: Double, y: Double) -> SIMD4<Float> {
    var colors = [SIMD4<Float>](repeating: .zero, count: 1)
    sample(
      WarpSampler.Line(x: x, y: y, stepX: 1, stepY: 0),
      by: WarpSampler(columnStep: 1, rowStep: 1), into: &colors)
    colors[0].w = colors[0].w < 0 ? 0 : 1
    return colors[0]
  }
}
