internal import DiceWeights

/// A recurrent operation over a sequence: its cell, in one direction or in two, and its numbers.
///
/// With `x` for a step's numbers, `h` for the hidden state before it and `s(G)` for `bias + input * x + hidden *
/// h` of gate `G`, where `*` is the product with a matrix and `.` that of numbers:
///
/// - simple: `h' = hidden function(s(0))`
/// - long short-term memory: `i = gate function(s(0) + p0 . c)`, `f = gate function(s(1) + p1 . c)`, `c' = f . c + i
///   . cell function(s(3))`, `h' = gate function(s(2) + p2 . c') . hidden function(c')`
/// - gated: `z = gate function(s(0))`, `r = gate function(s(1))`, `n = cell function(s(2))` with `r . h` for `h`, or with
///   `r . (hidden * h + hidden bias)` for `hidden * h`; `h' = n + z . (h - n)`
struct Recurrence {
  enum Cell: Hashable {
    /// One gate.
    case simple
    /// Four gates: input, forget, output, cell; no forget gate where it is coupled.
    case longShortTerm
    /// Three gates: update, reset, new state.
    ///
    /// `resetsProduct`: whether the reset applies to the product with the hidden state, not to the state.
    case gated(resetsProduct: Bool)

    /// How many gates a cell has.
    var gateCount: Int {
      switch self {
      case .simple: 1
      case .longShortTerm: 4
      case .gated: 3
      }
    }
  }

  /// The numbers of one gate.
  struct Gate {
    /// `[units, inputs]`.
    var input: [Float]
    /// `[units, states]`.
    var hidden: [Float]
    /// `[units]`.
    var bias: [Float]
    /// `[units]`, of the last gate of a gated cell that resets the product; empty where there is none.
    var hiddenBias: [Float] = []
  }

  /// The numbers of one direction.
  struct Direction {
    var gates: [Gate]
    /// What the cell state adds to the gates input, forget and output, `[units]` each; empty where nothing.
    var peepholes: [[Float]] = []
    /// What makes the hidden state of the cell's result, `[states, units]`; empty where they are the same.
    var projection: [Float] = []
    /// `[states]`.
    var projectionBias: [Float] = []
  }

  var cell: Cell
  /// One direction, or two; the second goes from the last step to the first.
  var directions: [Direction]
  /// Whether the only direction goes from the last step to the first.
  var isReversed = false
  var inputCount: Int
  var unitCount: Int
  /// The numbers of a hidden state: those of the units, where nothing projects them.
  var stateCount: Int

  /// The functions of gates.
  var gateFunction: [Layer.Activation] = [.sigmoid]
  var cellFunction: [Layer.Activation] = [.tanh]
  var hiddenFunction: [Layer.Activation] = [.tanh]
  /// Whether `f = 1 - i`.
  var isCoupled = false
  /// What the arguments of gates and of cell functions are limited to.
  var argumentLimit: Float?
  /// What cell states are limited to.
  var cellLimit: Float?
  /// What projections are limited to.
  var projectionLimit: Float?
}

/// What a recurrence gives.
struct RecurrentResults {
  /// The hidden states of all steps, in the order of the sequence, `[steps, batch, directions * states]`.
  var sequence: ComputedValue
  /// The hidden states behind the last step, `[1, batch, directions * states]`.
  var hidden: ComputedValue
  /// The cell states behind the last step, `[1, batch, directions * units]`; nil for cells without.
  var cell: ComputedValue?
}
