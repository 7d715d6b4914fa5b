internal import DiceWeights

/// A transposed convolution along one axis, seen from its output.
///
/// Output position `phase + stride * j` sums the taps `k` for which `phase + before - k * dilation` is
/// a multiple of the stride; each reads the input position `j + (phase + before - k * dilation) /
/// stride`. So every phase is an ordinary convolution.
struct TransposedAxis {
  let size: Int
  let stride: Int
  let dilation: Int
  /// How much is taken from the output's first edge.
  let before: Int
  /// Output positions beyond `stride` times the input's; may be negative.
  private let surplus: Int

  init(rowsOf window: Layer.Window, extra: Int) {
    size = window.height
    stride = window.strideY
    dilation = window.dilationY
    before = window.padding.top
    surplus = window.spanY - stride - before - window.padding.bottom + extra
  }

  init(columnsOf window: Layer.Window, extra: Int) {
    size = window.width
    stride = window.strideX
    dilation = window.dilationX
    before = window.padding.left
    surplus = window.spanX - stride - before - window.padding.right + extra
  }

  /// The taps of a phase with the distances of their inputs.
  func taps(ofPhase phase: Int) -> [(tap: Int, distance: Int)] {
    var taps: [(tap: Int, distance: Int)] = []
    for tap in 0..<size {
      let place = phase + before - tap * dilation
      if place % stride == 0 { taps.append((tap, place / stride)) }
    }
    return taps
  }

  /// How far taps read over both edges of the input.
  var reach: (before: Int, after: Int) {
    var reach = (before: 0, after: 0)
    for phase in 0..<stride {
      // The last position is the input's last one plus this, whatever the input's extent.
      let room = stride + surplus - 1 - phase
      let last = room >= 0 ? room / stride : -((stride - 1 - room) / stride)
      for (_, distance) in taps(ofPhase: phase) {
        reach.before = max(reach.before, -distance)
        reach.after = max(reach.after, last + distance)
      }
    }
    return reach
  }

  /// The positions of a phase in an output of some extent.
  func count(ofPhase phase: Int, extent: Int) -> Int {
    phase < extent ? (extent - phase - 1) / stride + 1 : 0
  }
}
