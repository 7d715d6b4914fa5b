// Blur in its kinds, colour fringes and a coarse sensor.
extension PictureEffects {
  /// Blurs a plane with a Gaussian kernel cut at 2.5 deviations; borders repeat.
  func gaussianBlur(_ plane: inout [Float], _ field: LightField, _ deviation: Float) {
    let radius = min(max(Int((deviation * 2.5).rounded(.up)), 1), 40)
    var kernel = [Float](repeating: 0, count: radius + 1)
    var total: Float = 0
    for offset in 0...radius {
      let x = Float(offset) / max(deviation, 0.05)
      kernel[offset] = exponential(-0.5 * x * x)
      total += offset == 0 ? kernel[offset] : 2 * kernel[offset]
    }
    for offset in 0...radius { kernel[offset] /= total }
    let width = field.width
    let height = field.height
    var row = [Float](repeating: 0, count: width + 2 * radius)
    var source = plane
    // Pointers without checks let these loops use vectors. Every index lies in its buffer: rows are
    // clamped, `row` holds a whole row with `radius` more on each side.
    unsafe plane.withUnsafeMutableBufferPointer { plane in
      unsafe source.withUnsafeMutableBufferPointer { source in
        unsafe row.withUnsafeMutableBufferPointer { row in
          unsafe kernel.withUnsafeBufferPointer { kernel in
            for y in 0..<height {
              let start = y * width
              for x in 0..<width { unsafe row[x + radius] = source[start + x] }
              for x in 0..<radius {
                unsafe row[x] = source[start]
                unsafe row[width + radius + x] = source[start + width - 1]
              }
              let middle = unsafe kernel[0]
              for x in 0..<width { unsafe source[start + x] = row[x + radius] * middle }
              for offset in 1...radius {
                let weight = unsafe kernel[offset]
                let left = radius - offset
                let right = radius + offset
                for x in 0..<width {
                  unsafe source[start + x] += (row[x + left] + row[x + right]) * weight
                }
              }
            }
            for y in 0..<height {
              let start = y * width
              let middle = unsafe kernel[0]
              for x in 0..<width { unsafe plane[start + x] = source[start + x] * middle }
              for offset in 1...radius {
                let above = max(y - offset, 0) * width
                let below = min(y + offset, height - 1) * width
                let weight = unsafe kernel[offset]
                for x in 0..<width {
                  unsafe plane[start + x] += (source[above + x] + source[below + x]) * weight
                }
              }
            }
          }
        }
      }
    }
  }

  /// Blurs what is far from the plane of focus.
  func defocus(_ field: inout LightField, scale: Float) {
    var near = Float.greatestFiniteMagnitude
    var far: Float = 0
    for index in stride(from: 0, to: field.depth.count, by: 11) {
      let depth = field.depth[index]
      guard depth < 1e6 else { continue }
      near = min(near, depth)
      far = max(far, depth)
    }
    guard far > near else { return }
    // Measured in the reciprocal of the depth, as a lens blurs.
    let inFocus = mix(1 / near, 1 / far, saturate(focus))
    let range = max(max(1 / near - inFocus, inFocus - 1 / far), 0.15 * inFocus)
    var half = field.planes
    var full = field.planes
    for channel in 0..<3 {
      gaussianBlur(&half[channel], field, defocus * scale * 0.45)
      gaussianBlur(&full[channel], field, defocus * scale)
    }
    for index in field.depth.indices {
      let depth = max(field.depth[index], 1e-3)
      let circle = saturate(abs(1 / depth - inFocus) / range)
      for channel in 0..<3 {
        let sharp = field.planes[channel][index]
        let middle = half[channel][index]
        field.planes[channel][index] =
          circle < 0.45
          ? mix(sharp, middle, circle / 0.45)
          : mix(middle, full[channel][index], (circle - 0.45) / 0.55)
      }
    }
  }

  /// Averages along a line, as a shaken camera does.
  func smear(_ field: inout LightField, _ path: Vector2) {
    let steps = min(max(Int(length(path).rounded(.up)), 2), 24)
    let shifts = (0..<steps).map { step in
      let t = (Float(step) + 0.5) / Float(steps) - 0.5
      return (Int((path.x * t).rounded()), Int((path.y * t).rounded()))
    }
    for channel in 0..<3 {
      let source = field.planes[channel]
      for y in 0..<field.height {
        for x in 0..<field.width {
          var sum: Float = 0
          for (dx, dy) in shifts {
            let sx = min(max(x + dx, 0), field.width - 1)
            let sy = min(max(y + dy, 0), field.height - 1)
            sum += source[sy * field.width + sx]
          }
          field.planes[channel][y * field.width + x] = sum / Float(steps)
        }
      }
    }
  }

  /// Enlarges red and shrinks blue a little about the middle.
  func fringe(_ field: inout LightField) {
    field.planes[0] = resampled(field.planes[0], field, factor: 1 + aberration)
    field.planes[2] = resampled(field.planes[2], field, factor: 1 - aberration)
  }

  private func resampled(_ plane: [Float], _ field: LightField, factor: Float) -> [Float] {
    var result = plane
    let middle = Vector2(Float(field.width), Float(field.height)) * 0.5
    for y in 0..<field.height {
      for x in 0..<field.width {
        let sx = (Float(x) + 0.5 - middle.x) * factor + middle.x - 0.5
        let sy = (Float(y) + 0.5 - middle.y) * factor + middle.y - 0.5
        result[y * field.width + x] = bilinear(plane, field.width, field.height, sx, sy)
      }
    }
    return result
  }

  /// Reads a plane between its pixels; coordinates count from pixel centres, borders repeat.
  @inline(__always)
  private func bilinear(_ plane: [Float], _ width: Int, _ height: Int, _ x: Float, _ y: Float)
    -> Float
  {
    let cx = clamp(x, 0, Float(width - 1))
    let cy = clamp(y, 0, Float(height - 1))
    let x0 = Int(cx)
    let y0 = Int(cy)
    let x1 = min(x0 + 1, width - 1)
    let y1 = min(y0 + 1, height - 1)
    let fx = cx - Float(x0)
    let fy = cy - Float(y0)
    return mix(
      mix(plane[y0 * width + x0], plane[y0 * width + x1], fx),
      mix(plane[y1 * width + x0], plane[y1 * width + x1], fx), fy)
  }

  /// Shrinks the picture and enlarges it again.
  func coarsen(_ field: inout LightField) {
    let factor = min(max(coarseness, 1), 8)
    let width = max(Int(Float(field.width) / factor), 1)
    let height = max(Int(Float(field.height) / factor), 1)
    let stepX = Float(field.width) / Float(width)
    let stepY = Float(field.height) / Float(height)
    var small = [Float](repeating: 0, count: width * height)
    for channel in 0..<3 {
      gaussianBlur(&field.planes[channel], field, factor * 0.35)
      for y in 0..<height {
        for x in 0..<width {
          small[y * width + x] = bilinear(
            field.planes[channel], field.width, field.height, (Float(x) + 0.5) * stepX - 0.5,
            (Float(y) + 0.5) * stepY - 0.5)
        }
      }
      for y in 0..<field.height {
        for x in 0..<field.width {
          field.planes[channel][y * field.width + x] = bilinear(
            small, width, height, (Float(x) + 0.5) / stepX - 0.5, (Float(y) + 0.5) / stepY - 0.5)
        }
      }
    }
  }

  /// Adds what a small blur takes away.
  func sharpen(_ field: inout LightField, scale: Float) {
    for channel in 0..<3 {
      var soft = field.planes[channel]
      gaussianBlur(&soft, field, 0.9 * max(scale, 0.6))
      // Taken out of the field so that it is not copied on every write.
      var plane: [Float] = []
      swap(&plane, &field.planes[channel])
      for index in soft.indices {
        let value = plane[index]
        plane[index] = saturate(value + (value - soft[index]) * sharpening)
      }
      swap(&plane, &field.planes[channel])
    }
  }
}
