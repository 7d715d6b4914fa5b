// Blur in its kinds, colour fringes and a coarse sensor.
extension PictureEffects {
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
    let slight = GaussianBlur(deviation: defocus * scale * 0.45)
    let strong = GaussianBlur(deviation: defocus * scale)
    let depth = field.depth
    let (width, height) = (field.width, field.height)
    for channel in 0..<3 {
      field.updatePlane(channel) { plane in
        var half = plane
        var full = plane
        slight.apply(to: &half, width: width, height: height)
        strong.apply(to: &full, width: width, height: height)
        plane.updateEights { index, sharp in
          let away = 1 / depth.eight(at: index).maximum(Eight(repeating: 1e-3)) - inFocus
          let circle = (away.maximum(0 - away) * (1 / range)).saturated
          let middle = half.eight(at: index)
          let first = (circle * (1 / 0.45)).saturated
          let second = ((circle - 0.45) * (1 / 0.55)).saturated
          let near = sharp + (middle - sharp) * first
          return near + (full.eight(at: index) - near) * second
        }
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
    let width = field.width
    let height = field.height
    // Rows with their ends repeated on both sides.
    let margin = 1 + (shifts.map { abs($0.0) }.max() ?? 0)
    let length = width + 2 * margin
    var padded = [Float](repeating: 0, count: length * height)
    let share = 1 / Float(steps)
    for channel in 0..<3 {
      field.updatePlane(channel) { plane in
        for y in 0..<height {
          for x in 0..<length {
            padded[y * length + x] = plane[y * width + min(max(x - margin, 0), width - 1)]
          }
        }
        for y in 0..<height {
          for x in stride(from: 0, to: width, by: 8) {
            var sum = Eight(repeating: 0)
            for (dx, dy) in shifts {
              let row = min(max(y + dy, 0), height - 1)
              sum += padded.eight(at: row * length + margin + x + dx)
            }
            sum *= share
            if x + 8 <= width {
              plane.store(sum, at: y * width + x)
            } else {
              for lane in 0..<(width - x) { plane[y * width + x + lane] = sum[lane] }
            }
          }
        }
      }
    }
  }

  /// Enlarges red and shrinks blue a little about the middle.
  func fringe(_ field: inout LightField) {
    let middle = Vector2(Float(field.width), Float(field.height)) * 0.5
    for (channel, factor) in [(0, 1 + aberration), (2, 1 - aberration)] {
      let sampler = PlaneSampler(
        width: field.width, height: field.height, columns: field.width, rows: field.height,
        x: { ($0 + 0.5 - middle.x) * factor + middle.x - 0.5 },
        y: { ($0 + 0.5 - middle.y) * factor + middle.y - 0.5 })
      field.updatePlane(channel) { $0 = sampler.samples(of: $0) }
    }
  }

  /// Shrinks the picture and enlarges it again.
  func coarsen(_ field: inout LightField) {
    let factor = min(max(coarseness, 1), 8)
    let (width, height) = (field.width, field.height)
    let columns = max(Int(Float(width) / factor), 1)
    let rows = max(Int(Float(height) / factor), 1)
    let stepX = Float(width) / Float(columns)
    let stepY = Float(height) / Float(rows)
    let blur = GaussianBlur(deviation: factor * 0.35)
    let shrinking = PlaneSampler(
      width: width, height: height, columns: columns, rows: rows,
      x: { ($0 + 0.5) * stepX - 0.5 }, y: { ($0 + 0.5) * stepY - 0.5 })
    let enlarging = PlaneSampler(
      width: columns, height: rows, columns: width, rows: height,
      x: { ($0 + 0.5) / stepX - 0.5 }, y: { ($0 + 0.5) / stepY - 0.5 })
    for channel in 0..<3 {
      field.updatePlane(channel) { plane in
        blur.apply(to: &plane, width: width, height: height)
        plane = enlarging.samples(of: shrinking.samples(of: plane))
      }
    }
  }

  /// Adds what a small blur takes away.
  func sharpen(_ field: inout LightField, scale: Float) {
    let blur = GaussianBlur(deviation: 0.9 * max(scale, 0.6))
    let (width, height) = (field.width, field.height)
    for channel in 0..<3 {
      field.updatePlane(channel) { plane in
        var soft = plane
        blur.apply(to: &soft, width: width, height: height)
        plane.updateEights { index, value in
          (value + (value - soft.eight(at: index)) * sharpening).saturated
        }
      }
    }
  }
}
