internal import DiceKernelTemplates

// Loops over the channels of pixels, eight at a time.

/// Eight channels.
typealias Channels = SIMD8<Float>

/// The first `count` of eight channels, the others zero.
@inline(__always)
func firstChannels(_ value: Channels, _ count: Int) -> Channels {
  let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
  return value.replacing(
    with: 0, where: lanes .>= SIMD8(repeating: Int32(truncatingIfNeeded: count)))
}

/// `output = function(input)` over all pixels and channels of a sample.
///
/// - Precondition: both maps have the same shape and pixels of whole vectors.
@inline(__always)
func mapValues(
  of input: BatchMap, to output: BatchMap, sample: Int,
  _ function: (_ value: Channels, _ channel: Int) -> Channels
) {
  let (count, inputStep, outputStep) = (input.channelCount, input.pixelStep, output.pixelStep)
  for row in 0..<output.height {
    var source = input.row(row, of: sample)
    var target = output.row(row, of: sample)
    for _ in 0..<output.width {
      var channel = 0
      while channel < count {
        var value = function(source.vector(at: channel, as: Channels.self), channel)
        if channel + 8 > count { value = firstChannels(value, count - channel) }
        target.store(value, at: channel)
        channel += 8
      }
      source = source.advanced(by: inputStep)
      target = target.advanced(by: outputStep)
    }
  }
}

/// `target = function(gradient, input)` over all pixels and channels of a sample, or that added.
///
/// - Precondition: all maps have the same shape and pixels of whole vectors.
@inline(__always)
func mapGradients(
  _ gradient: BatchMap, input: BatchMap, to target: GradientTarget, sample: Int,
  _ function: (_ gradient: Channels, _ value: Channels, _ channel: Int) -> Channels
) {
  let map = target.map
  let (count, gradientStep, inputStep) = (input.channelCount, gradient.pixelStep, input.pixelStep)
  let (adds, targetStep) = (target.adds, map.pixelStep)
  for row in 0..<map.height {
    var from = gradient.row(row, of: sample)
    var source = input.row(row, of: sample)
    var to = map.row(row, of: sample)
    for _ in 0..<map.width {
      var channel = 0
      while channel < count {
        var value = function(
          from.vector(at: channel, as: Channels.self),
          source.vector(at: channel, as: Channels.self), channel)
        if channel + 8 > count { value = firstChannels(value, count - channel) }
        if adds { value += to.vector(at: channel, as: Channels.self) }
        to.store(value, at: channel)
        channel += 8
      }
      from = from.advanced(by: gradientStep)
      source = source.advanced(by: inputStep)
      to = to.advanced(by: targetStep)
    }
  }
}

/// Copies or adds `count` channels of one pixel to another.
@inline(__always)
func copyPixel(_ source: Address, to target: Address, count: Int, adds: Bool) {
  var channel = 0
  while channel + 8 <= count {
    var value = source.vector(at: channel, as: Channels.self)
    if adds { value += target.vector(at: channel, as: Channels.self) }
    target.store(value, at: channel)
    channel += 8
  }
  while channel < count {
    let old = adds ? target.scalar(at: channel) : 0
    target.store(old + source.scalar(at: channel), at: channel)
    channel += 1
  }
}

/// A place in a map.
struct MapPlace: Hashable {
  var row = 0
  var column = 0
  var channel = 0
}

/// Copies or adds a block of a sample from a place in one map to a place in another.
func copyBlock(
  _ shape: ValueShape, of source: BatchMap, at from: MapPlace, to target: BatchMap,
  at place: MapPlace, sample: Int, adds: Bool
) {
  let (sourceStep, targetStep) = (source.pixelStep, target.pixelStep)
  for row in 0..<shape.height {
    var input = source.row(from.row + row, of: sample)
      .advanced(by: from.column * sourceStep + from.channel)
    var output = target.row(place.row + row, of: sample)
      .advanced(by: place.column * targetStep + place.channel)
    for _ in 0..<shape.width {
      copyPixel(input, to: output, count: shape.channelCount, adds: adds)
      input = input.advanced(by: sourceStep)
      output = output.advanced(by: targetStep)
    }
  }
}
