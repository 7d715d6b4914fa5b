/// Everything that is learnt, in one row of floats, with its gradient and its moving averages.
///
/// One row makes the optimiser, the moving average and checkpoints one loop each.
final class ParameterStore {
  /// A learnt tensor: its place and whether weights decay applies to it.
  struct Slot: Hashable {
    var range: Range<Int>
    var decays: Bool
  }

  private(set) var slots: [Slot] = []
  private(set) var count = 0

  /// The values in use.
  private(set) var values = FloatBuffer(count: 0)
  /// The gradient of the last step.
  private(set) var gradient = FloatBuffer(count: 0)
  /// Adam's first moment.
  private(set) var firstMoment = FloatBuffer(count: 0)
  /// Adam's second moment.
  private(set) var secondMoment = FloatBuffer(count: 0)
  /// The exponential moving average of the values: what is exported.
  private(set) var averaged = FloatBuffer(count: 0)

  /// Reserves a tensor; only before `allocate()`.
  func reserve(count tensorCount: Int, decays: Bool) -> Range<Int> {
    let range = count..<count + tensorCount
    slots.append(Slot(range: range, decays: decays))
    // Every tensor starts at a multiple of 16 floats.
    count = (range.upperBound + 15) / 16 * 16
    return range
  }

  /// Makes the rows; all values are zero.
  func allocate() {
    values = FloatBuffer(count: count)
    gradient = FloatBuffer(count: count)
    firstMoment = FloatBuffer(count: count)
    secondMoment = FloatBuffer(count: count)
    averaged = FloatBuffer(count: count)
  }
}
