// The haze that a lens spreads about bright lights.
extension PictureEffects {
  /// Light from this on spreads; 1 is white.
  private static let brightLight: Float = 0.8
  /// A light counts as no brighter than this.
  private static let brightestLight: Float = 8
  /// The haze is found on a picture so many times smaller.
  private static let step = 4

  /// Adds a share of the light that is brighter than the picture can show, blurred.
  func bloom(_ field: inout LightField, scale: Float) {
    let step = Self.step
    let width = (field.width + step - 1) / step
    let height = (field.height + step - 1) / step
    let blur = GaussianBlur(deviation: max(bloomRadius * scale / Float(step), 0.4))
    let (fullWidth, fullHeight) = (field.width, field.height)
    for channel in 0..<3 {
      var haze = [Float](repeating: 0, count: width * height)
      field.updatePlane(channel) { plane in
        for y in 0..<fullHeight {
          for x in 0..<fullWidth {
            let excess = min(plane[y * fullWidth + x], Self.brightestLight) - Self.brightLight
            if excess > 0 { haze[(y / step) * width + x / step] += excess }
          }
        }
        blur.apply(to: &haze, width: width, height: height)
        let share = bloomShare / Float(step * step)
        for y in 0..<fullHeight {
          let v = (Float(y) + 0.5) / Float(step) - 0.5
          let top = min(max(Int(v.rounded(.down)), 0), height - 1)
          let bottom = min(top + 1, height - 1)
          let down = saturate(v - Float(top))
          for x in 0..<fullWidth {
            let u = (Float(x) + 0.5) / Float(step) - 0.5
            let left = min(max(Int(u.rounded(.down)), 0), width - 1)
            let right = min(left + 1, width - 1)
            let across = saturate(u - Float(left))
            let upper = mix(haze[top * width + left], haze[top * width + right], across)
            let lower = mix(haze[bottom * width + left], haze[bottom * width + right], across)
            plane[y * fullWidth + x] += mix(upper, lower, down) * share
          }
        }
      }
    }
  }
}
