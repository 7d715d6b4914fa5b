internal import DiceKernelTemplates
internal import DiceWeights

// Layers without parameters, forwards and backwards, for one picture of a batch.

private typealias Vector = SIMD8<Float>

/// Copies or adds `count` channels, from one place in a pixel to another.
func copyChannels(
  of source: FeatureMap, from first: Int, to target: FeatureMap, at place: Int, count: Int,
  picture: Int, adds: Bool
) {
  for row in 0..<source.height {
    var input = source.row(row, of: picture).advanced(by: first)
    var output = target.row(row, of: picture).advanced(by: place)
    for _ in 0..<source.width {
      var channel = 0
      while channel + Vector.scalarCount <= count {
        var value = input.vector(at: channel, as: Vector.self)
        if adds { value += output.vector(at: channel, as: Vector.self) }
        output.store(value, at: channel)
        channel += Vector.scalarCount
      }
      while channel < count {
        let old = adds ? output.scalar(at: channel) : 0
        output.store(old + input.scalar(at: channel), at: channel)
        channel += 1
      }
      input = input.advanced(by: source.pixelStep)
      output = output.advanced(by: target.pixelStep)
    }
  }
}

/// Copies or adds all channels of a map of the same shape.
func copyValues(of source: FeatureMap, to target: FeatureMap, picture: Int, adds: Bool) {
  copyChannels(
    of: source, from: 0, to: target, at: 0, count: source.channelCount, picture: picture,
    adds: adds)
}

/// `output = [inputs…]` along the channels.
func concatenate(_ inputs: [FeatureMap], output: FeatureMap, picture: Int) {
  var place = 0
  for input in inputs {
    copyChannels(
      of: input, from: 0, to: output, at: place, count: input.channelCount, picture: picture,
      adds: false)
    place += input.channelCount
  }
}

/// `output[y, x] = input[y / factor, x / factor]`.
func upsample(factor: Int, input: FeatureMap, output: FeatureMap, picture: Int) {
  for row in 0..<output.height {
    let source = input.row(row / factor, of: picture)
    let target = output.row(row, of: picture)
    for column in 0..<output.width {
      let from = source.advanced(by: column / factor * input.pixelStep)
      let to = target.advanced(by: column * output.pixelStep)
      for channel in stride(from: 0, to: input.pixelStep, by: Vector.scalarCount) {
        to.store(from.vector(at: channel, as: Vector.self), at: channel)
      }
    }
  }
}

/// `inputGradient[y, x] += Σ gradient` over the square that (y, x) was repeated in.
func sumSquares(factor: Int, gradient: FeatureMap, inputGradient: FeatureMap, picture: Int) {
  for row in 0..<gradient.height {
    let source = gradient.row(row, of: picture)
    let target = inputGradient.row(row / factor, of: picture)
    for column in 0..<gradient.width {
      let from = source.advanced(by: column * gradient.pixelStep)
      let to = target.advanced(by: column / factor * inputGradient.pixelStep)
      for channel in stride(from: 0, to: gradient.pixelStep, by: Vector.scalarCount) {
        to.store(
          to.vector(at: channel, as: Vector.self) + from.vector(at: channel, as: Vector.self),
          at: channel)
      }
    }
  }
}

/// The greatest value of each window; positions outside the input are left out.
func maxPool(_ layer: Layer.MaxPooling, input: FeatureMap, output: FeatureMap, picture: Int) {
  for row in 0..<output.height {
    let rows = windowRange(row, layer, input.height)
    let target = output.row(row, of: picture)
    for column in 0..<output.width {
      let columns = windowRange(column, layer, input.width)
      let to = target.advanced(by: column * output.pixelStep)
      for channel in stride(from: 0, to: input.pixelStep, by: Vector.scalarCount) {
        var greatest = Vector(repeating: -.infinity)
        for y in rows {
          let source = input.row(y, of: picture)
          for x in columns {
            let value = source.vector(at: x * input.pixelStep + channel, as: Vector.self)
            greatest = greatest.replacing(with: value, where: value .> greatest)
          }
        }
        to.store(greatest, at: channel)
      }
    }
  }
}

/// Adds each window's gradient to the first input that holds the window's greatest value.
func unpool(
  _ layer: Layer.MaxPooling, input: FeatureMap, output: FeatureMap, gradient: FeatureMap,
  inputGradient: FeatureMap, picture: Int
) {
  for row in 0..<output.height {
    let rows = windowRange(row, layer, input.height)
    for column in 0..<output.width {
      let columns = windowRange(column, layer, input.width)
      let place = column * output.pixelStep
      for channel in stride(from: 0, to: input.pixelStep, by: Vector.scalarCount) {
        let greatest = output.row(row, of: picture).vector(
          at: place + channel, as: Vector.self)
        var rest = gradient.row(row, of: picture).vector(at: place + channel, as: Vector.self)
        for y in rows {
          let source = input.row(y, of: picture)
          let target = inputGradient.row(y, of: picture)
          for x in columns {
            let offset = x * input.pixelStep + channel
            let isGreatest = source.vector(at: offset, as: Vector.self) .== greatest
            let share = Vector(repeating: 0).replacing(with: rest, where: isGreatest)
            target.store(target.vector(at: offset, as: Vector.self) + share, at: offset)
            rest.replace(with: 0, where: isGreatest)
          }
        }
      }
    }
  }
}

private func windowRange(_ position: Int, _ layer: Layer.MaxPooling, _ count: Int) -> Range<Int> {
  let start = position * layer.stride - layer.padding
  return max(0, start)..<max(0, min(count, start + layer.size))
}
