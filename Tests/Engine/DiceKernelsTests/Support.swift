import DiceKernels
import TestSupport

/// The implementations of this machine.
let implementations = KernelImplementation.allCases.filter { (implementation) in
  implementation.isAvailable
}

/// Whether products and sums are rounded separately, as in the reference.
func isSeparate(_ implementation: KernelImplementation) -> Bool {
  #if arch(x86_64)
    implementation == .baseline
  #else
    false
  #endif
}

extension SeededGenerator {
  /// Values in −1...1.
  mutating func fractions(_ count: Int) -> [Float] {
    (0..<count).map { (_) in Float.random(in: -1...1, using: &self) }
  }

  /// Whole numbers in −4...4: products and sums of them are exact, so every order and every kind of
  /// rounding gives the same bits.
  mutating func integers(_ count: Int) -> [Float] {
    (0..<count).map { (_) in Float(Int.random(in: -4...4, using: &self)) }
  }

  mutating func values(_ count: Int, exact: Bool) -> [Float] {
    exact ? integers(count) : fractions(count)
  }
}

/// Floats with guards on both sides and a NaN of one's own in every place that is not written.
final class Guarded {
  static let margin = 96
  static let untouched: UInt32 = 0x7FC0_BEEF

  let count: Int
  private let memory: UnsafeMutablePointer<Float>

  /// All places untouched.
  init(count: Int) {
    self.count = count
    memory = .allocate(capacity: count + 2 * Self.margin)
    memory.initialize(
      repeating: Float(bitPattern: Self.untouched), count: count + 2 * Self.margin)
  }

  /// The given values between guards.
  convenience init(_ values: [Float]) {
    self.init(count: values.count)
    memory.advanced(by: Self.margin).update(from: values, count: values.count)
  }

  deinit { memory.deallocate() }

  /// The first place behind the guard.
  var address: Address { Address(memory + Self.margin) }

  /// Every bit, those of the guards included.
  var bits: [UInt32] {
    (0..<count + 2 * Self.margin).map { (index) in memory[index].bitPattern }
  }

  /// The values without the guards.
  var values: [Float] {
    Array(UnsafeBufferPointer(start: memory + Self.margin, count: count))
  }
}

/// A square kernel over an input with a border, and outputs that are a slice of wider pixels.
struct ConvolutionCase: CustomStringConvertible {
  var kernelSize: Int
  var stride: Int
  var inputChannelCount: Int
  var outputBlockCount: Int
  var width: Int
  var height = 1
  var slope: Float = 1
  var accumulates = false

  var description: String {
    "\(kernelSize)x\(kernelSize)/\(stride) \(inputChannelCount)->\(outputBlockCount * 16), "
      + "\(width)x\(height), slope \(slope), accumulates \(accumulates)"
  }

  var padding: Int { kernelSize / 2 }
  var tapCount: Int { kernelSize * kernelSize }
  /// Floats of an input pixel: one more than are read.
  var inputStep: Int { inputChannelCount + 1 }
  var inputRowStep: Int { ((width - 1) * stride + kernelSize) * inputStep + 3 }
  var inputCount: Int { ((height - 1) * stride + kernelSize) * inputRowStep }
  var inputOrigin: Int { padding * inputRowStep + padding * inputStep }
  var outputStep: Int { (outputBlockCount + 1) * 16 }
  var outputRowStep: Int { width * outputStep + 5 }
  var outputCount: Int { height * outputRowStep }
  var weightCount: Int { outputBlockCount * 16 * tapCount * inputChannelCount }

  var offsets: [Int] {
    tapOffsets(
      kernelSize: kernelSize, padding: padding, rowStep: inputRowStep, columnStep: inputStep)
  }

  func withTask(
    input: Guarded, weights: Guarded, bias: Guarded, output: Guarded,
    _ body: (ConvolutionTask) -> Void
  ) {
    defer { withExtendedLifetime((input, weights, bias, output)) {} }
    offsets.withUnsafeBufferPointer { (offsets) in
      body(
        ConvolutionTask(
          input: PixelGrid(
            input.address.advanced(by: inputOrigin), columnStep: stride * inputStep,
            rowStep: stride * inputRowStep),
          taps: OffsetList(offsets.baseAddress!, count: tapCount),
          inputChannelCount: inputChannelCount, weights: weights.address, bias: bias.address,
          output: PixelGrid(output.address, columnStep: outputStep, rowStep: outputRowStep),
          outputBlockCount: outputBlockCount, width: width, slope: slope,
          accumulates: accumulates))
    }
  }

  func withGradientTask(
    input: Guarded, outputGradient: Guarded, weightGradient: Guarded,
    _ body: (WeightGradientTask) -> Void
  ) {
    defer { withExtendedLifetime((input, outputGradient, weightGradient)) {} }
    offsets.withUnsafeBufferPointer { (offsets) in
      body(
        WeightGradientTask(
          input: PixelGrid(
            input.address.advanced(by: inputOrigin), columnStep: stride * inputStep,
            rowStep: stride * inputRowStep),
          taps: OffsetList(offsets.baseAddress!, count: tapCount),
          inputChannelCount: inputChannelCount,
          outputGradient: PixelGrid(
            outputGradient.address, columnStep: outputStep, rowStep: outputRowStep),
          outputBlockCount: outputBlockCount, width: width,
          weightGradient: weightGradient.address))
    }
  }
}
