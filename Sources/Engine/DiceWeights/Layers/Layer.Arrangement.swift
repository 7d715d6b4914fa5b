extension Layer {
  /// The numbers of a tensor as a value.
  public struct Constant: Hashable, Sendable {
    /// The index of the tensor, `[H, W, C]`.
    public var tensor: Int
    /// Its shape.
    public var shape: TensorShape

    /// Groups the parts without checking them.
    public init(tensor: Int, shape: TensorShape) {
      self.tensor = tensor
      self.shape = shape
    }
  }

  /// Two values combined number by number.
  ///
  /// Along each axis both have the same extent, or one of them has the extent 1 and is repeated.
  public struct Elementwise: Hashable, Sendable {
    /// How two numbers are combined.
    public enum Operation: UInt8, CaseIterable, Hashable, Sendable {
      /// `first + second`
      case addition = 0
      /// `first - second`
      case subtraction = 1
      /// `first * second`
      case multiplication = 2
      /// `first / second`
      case division = 3
      /// The greater one.
      case maximum = 4
      /// The smaller one.
      case minimum = 5
      /// Two whole numbers of different scales added up as a whole number of a third one.
      ///
      /// Each operand times 2²⁰ is requantized, with a multiplier and a shift of its own, and so is their sum:
      /// see ``Layer/Activation/requantization(multipliers:)``. Sums are modulo 2³².
      case requantizedSum = 6
    }

    /// How two numbers are combined.
    public var operation: Operation
    /// Where the first operand comes from.
    public var first: Source
    /// Where the second operand comes from.
    public var second: Source
    /// The tensor with the multipliers and shifts of a requantized sum, `[3, 3]`.
    ///
    /// A row each for the first operand, the second and the sum, as a requantization has them. An operand whose
    /// multiplier is below 0 is subtracted. Not looked at for other operations.
    public var multipliers: Int
    /// What is applied to the results.
    public var activation: Activation

    /// Groups the parts without checking them.
    public init(
      _ operation: Operation, _ first: Source, _ second: Source, multipliers: Int = 0,
      activation: Activation = .identity
    ) {
      self.operation = operation
      self.first = first
      self.second = second
      self.multipliers = multipliers
      self.activation = activation
    }

    /// The tensor that belongs to the operation, or nil where there is none.
    public var tensor: Int? { operation == .requantizedSum ? multipliers : nil }
  }

  /// Several values side by side along an axis, in order; the other extents are the same.
  public struct Concatenation: Hashable, Sendable {
    /// Where the values come from, 2...64; a source may appear more than once.
    public var inputs: [Source]
    /// The axis along which they are joined.
    public var axis: Axis

    /// Groups the parts without checking them.
    public init(inputs: [Source], axis: Axis = .channels) {
      self.inputs = inputs
      self.axis = axis
    }
  }

  /// A part of a value: `out[j] = in[start + j * step]` along an axis, all of the others.
  public struct Slice: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// The axis that is cut.
    public var axis: Axis
    /// The first position.
    public var start: Int
    /// How many positions.
    public var count: Int
    /// From one position to the next, 1 at least.
    public var step: Int

    /// Groups the parts without checking them.
    public init(input: Source, axis: Axis, start: Int, count: Int, step: Int = 1) {
      self.input = input
      self.axis = axis
      self.start = start
      self.count = count
      self.step = step
    }
  }

  /// Rows, columns and channels added around a value.
  public struct Padding: Hashable, Sendable {
    /// What the added numbers are.
    public enum Mode: Hashable, Sendable {
      /// The same number everywhere; finite.
      case constant(Float)
      /// The nearest number of the input.
      case edge
      /// The input mirrored at its first and last positions, which are not repeated.
      case reflection
    }

    /// Where the values come from.
    public var input: Source
    /// Rows and columns that are added.
    public var edges: Edges
    /// Channels that are added before the first.
    public var channelsBefore: Int
    /// Channels that are added behind the last.
    public var channelsAfter: Int
    /// What the added numbers are.
    public var mode: Mode

    /// Groups the parts without checking them.
    public init(
      input: Source, edges: Edges, channelsBefore: Int = 0, channelsAfter: Int = 0,
      mode: Mode = .constant(0)
    ) {
      self.input = input
      self.edges = edges
      self.channelsBefore = channelsBefore
      self.channelsAfter = channelsAfter
      self.mode = mode
    }
  }

  /// Another number of rows and columns.
  ///
  /// With `n` for the input's extent, `m` for the output's and `y` for an output position, the place
  /// in the input is `(y + 0.5) * n / m - 0.5` (half pixel), `y * (n - 1) / (m - 1)` (align corners;
  /// 0 where m is 1) or `y * n / m` (asymmetric). Nearest takes the position that the rounding gives,
  /// bilinear the weighted mean of the four around it; places outside count as the nearest inside.
  public struct Resizing: Hashable, Sendable {
    /// The size of the output.
    public enum Extent: Hashable, Sendable {
      /// So many times the input's rows and columns, 1...64 each.
      case factors(y: Int, x: Int)
      /// A fixed number of rows and columns.
      case size(height: Int, width: Int)
    }

    /// How a number of the output follows from the input's.
    public enum Interpolation: UInt8, CaseIterable, Hashable, Sendable {
      /// The nearest one; the place is rounded down.
      case nearestFloor = 0
      /// The nearest one; a place in the middle goes to the smaller position.
      case nearestPreferringFloor = 1
      /// The nearest one; a place in the middle goes to the greater position.
      case nearestPreferringCeiling = 2
      /// The nearest one; the place is rounded up.
      case nearestCeiling = 3
      /// The weighted mean of the four around the place.
      case bilinear = 4
    }

    /// Where an output position lies in the input.
    public enum Coordinates: UInt8, CaseIterable, Hashable, Sendable {
      /// Centres of pixels at halves.
      case halfPixel = 0
      /// First and last positions coincide.
      case alignCorners = 1
      /// Upper left corners coincide.
      case asymmetric = 2
    }

    /// Where the values come from.
    public var input: Source
    /// The size of the output.
    public var extent: Extent
    /// How a number of the output follows from the input's.
    public var interpolation: Interpolation
    /// Where an output position lies in the input.
    public var coordinates: Coordinates

    /// Groups the parts without checking them.
    public init(
      input: Source, extent: Extent, interpolation: Interpolation, coordinates: Coordinates
    ) {
      self.input = input
      self.extent = extent
      self.interpolation = interpolation
      self.coordinates = coordinates
    }

    /// Every number repeated in a square: `out[y, x, c] = in[y / factor, x / factor, c]`.
    public static func repeating(_ input: Source, factor: Int) -> Resizing {
      Resizing(
        input: input, extent: .factors(y: factor, x: factor), interpolation: .nearestFloor,
        coordinates: .asymmetric)
    }

    /// The factor where every number is just repeated in a square, else nil.
    public var repetition: Int? {
      guard case .factors(let y, let x) = extent, y == x, interpolation == .nearestFloor,
        coordinates == .asymmetric
      else { return nil }
      return y
    }
  }

  /// The same numbers in another shape and order.
  ///
  /// The input's numbers, in the order of `[H, W, C]`, are seen as an array of `dimensions`, its
  /// axes are put into the order `permutation` (output axis `k` is axis `permutation[k]`), and the
  /// result, in its own row-major order, is seen as `[H, W, C]` of `output`.
  public struct Rearrangement: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// 1 to 8 extents whose product is the number of the input's values.
    public var dimensions: [Int]
    /// Each of `0..<dimensions.count` once.
    public var permutation: [Int]
    /// The shape of the output, with as many values.
    public var output: TensorShape

    /// Groups the parts without checking them.
    public init(input: Source, dimensions: [Int], permutation: [Int], output: TensorShape) {
      self.input = input
      self.dimensions = dimensions
      self.permutation = permutation
      self.output = output
    }

    /// A reshape: the numbers keep their order.
    public init(reshaping input: Source, from shape: TensorShape, to output: TensorShape) {
      self.init(
        input: input, dimensions: [shape.elementCount], permutation: [0], output: output)
    }
  }
}
