internal import DiceKernelTemplates
internal import DiceParallel

/// The gradient of one tensor from the samples of a batch, in groups of samples that follow one another.
///
/// Groups are worked on at once, the samples of a group one after the other, and their sums are added
/// up in their order, so that the result does not depend on threads. A group has a gradient of its own
/// in memory, which is written and read once for all of its samples: with large batches that, and not
/// arithmetic, is what a step would wait for.
struct SampleGradients {
  /// Groups of a batch that threads can share, where it has as many samples.
  private static let sharedGroupCount = 16
  /// The most samples of a group.
  private static let largestGroup = 8

  private let count: Int
  private let sampleCount: Int
  private let groupSize: Int
  private let buffer: FloatBuffer

  /// - Parameter count: floats of the tensor, a multiple of 16.
  init(sampleCount: Int, count: Int) {
    self.count = count
    self.sampleCount = sampleCount
    groupSize = max(1, min(Self.largestGroup, sampleCount / Self.sharedGroupCount))
    buffer = FloatBuffer(unsetCount: (sampleCount + groupSize - 1) / groupSize * count)
  }

  /// Calls `body` with every sample of the batch and where its gradient is added.
  func gather(pool: WorkerPool, _ body: (_ sample: Int, _ total: Address) -> Void) {
    pool.run(count: groupCount) { group in
      buffer.clear(group * count..<(group + 1) * count)
      let total = buffer.address.advanced(by: group * count)
      for sample in group * groupSize..<min(sampleCount, (group + 1) * groupSize) {
        body(sample, total)
      }
    }
  }

  /// Writes the sum over all samples.
  func sum(to total: Address, pool: WorkerPool) {
    let chunk = 4096
    pool.run(count: (count + chunk - 1) / chunk) { part in
      var offset = part * chunk
      let end = min(count, offset + chunk)
      while offset < end {
        var sum = SIMD16<Float>(repeating: 0)
        for group in 0..<groupCount {
          sum += buffer.address.vector(at: group * count + offset, as: SIMD16<Float>.self)
        }
        total.store(sum, at: offset)
        offset += 16
      }
    }
  }

  private var groupCount: Int { (sampleCount + groupSize - 1) / groupSize }
}
