internal import DiceKernelTemplates
internal import DiceParallel

/// The gradient of one tensor from each sample of a batch.
///
/// Samples are worked on at once and added up in their order, so that the sum does not depend on
/// threads.
struct SampleGradients {
  private let count: Int
  private let sampleCount: Int
  private let buffer: FloatBuffer

  /// - Parameter count: floats of the tensor, a multiple of 16.
  init(sampleCount: Int, count: Int) {
    self.count = count
    self.sampleCount = sampleCount
    buffer = FloatBuffer(count: sampleCount * count)
  }

  /// Sets a sample's gradient to zero and returns where it is added.
  func begin(_ sample: Int) -> Address {
    buffer.clear(sample * count..<(sample + 1) * count)
    return buffer.address.advanced(by: sample * count)
  }

  /// Writes the sum over all samples.
  func sum(to total: Address, pool: WorkerPool) {
    let chunk = 4096
    pool.run(count: (count + chunk - 1) / chunk) { part in
      var offset = part * chunk
      let end = min(count, offset + chunk)
      while offset < end {
        var sum = SIMD16<Float>(repeating: 0)
        for sample in 0..<sampleCount {
          sum += buffer.address.vector(at: sample * count + offset, as: SIMD16<Float>.self)
        }
        total.store(sum, at: offset)
        offset += 16
      }
    }
  }
}
