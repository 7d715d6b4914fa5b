extension Layer {
  /// The greatest or the mean value of each window, for each channel.
  ///
  /// Positions outside the input are left out; a mean that counts the padding divides by the whole
  /// window. Every window reaches the input: padding is less than the window's span.
  public struct Pooling: Hashable, Sendable {
    /// What is taken of a window.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
      /// The greatest value.
      case maximum = 0
      /// The mean of the values inside the input.
      case average = 1
      /// The sum of the values inside the input over the window's size.
      case averageWithPadding = 2
    }

    /// Where the values come from.
    public var input: Source
    /// What is taken of a window.
    public var kind: Kind
    /// Size, stride and padding; without dilation.
    public var window: Window

    /// Groups the parts without checking them.
    public init(input: Source, kind: Kind, window: Window) {
      self.input = input
      self.kind = kind
      self.window = window
    }
  }

  /// One number for all positions along some axes, which then have the extent 1.
  ///
  /// Over rows and columns it is global pooling.
  public struct Reduction: Hashable, Sendable {
    /// What is taken of the numbers.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
      /// The greatest.
      case maximum = 0
      /// The mean.
      case mean = 1
      /// The sum.
      case sum = 2
      /// The place of the greatest along the only axis, from 0; the first of equal ones.
      case indexOfMaximum = 3
    }

    /// Where the values come from.
    public var input: Source
    /// What is taken of the numbers.
    public var kind: Kind
    /// Whether rows are taken together; at least one of the three is.
    public var overHeight: Bool
    /// Whether columns are taken together.
    public var overWidth: Bool
    /// Whether channels are taken together.
    public var overChannels: Bool

    /// Groups the parts without checking them; over rows and columns unless told otherwise.
    public init(
      input: Source, kind: Kind, overHeight: Bool = true, overWidth: Bool = true,
      overChannels: Bool = false
    ) {
      self.input = input
      self.kind = kind
      self.overHeight = overHeight
      self.overWidth = overWidth
      self.overChannels = overChannels
    }
  }

  /// `exp(in[...]) / sum of exp(in[...])` along an axis.
  public struct Softmax: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// The axis along which the outputs sum to 1.
    public var axis: Axis

    /// Groups the parts without checking them.
    public init(input: Source, axis: Axis = .channels) {
      self.input = input
      self.axis = axis
    }
  }
}
