extension Layer {
  /// How a window moves over rows and columns, for convolutions and pooling.
  ///
  /// Along each axis the window's positions for output `y` are `y * stride + k * dilation - before`
  /// with `k` in `0..<size`, and there are `floor((n + before + after - span) / stride) + 1` of them,
  /// where `span = (size - 1) * dilation + 1` and `n` is the input's extent.
  public struct Window: Hashable, Sendable {
    /// Rows of the window, 1...64 for a convolution and 1...1024 for pooling.
    public var height: Int
    /// Columns of the window, within the same limits.
    public var width: Int
    /// Input rows between two windows, 1...64.
    public var strideY: Int
    /// Input columns between two windows, 1...64.
    public var strideX: Int
    /// Input rows between two rows of the window, 1...64.
    public var dilationY: Int
    /// Input columns between two columns of the window, 1...64.
    public var dilationX: Int
    /// Rows and columns that the input is thought to be surrounded with, less than the window's span.
    public var padding: Edges

    /// Groups the parts without checking them.
    public init(
      height: Int, width: Int, strideY: Int = 1, strideX: Int = 1, dilationY: Int = 1,
      dilationX: Int = 1, padding: Edges = Edges()
    ) {
      self.height = height
      self.width = width
      self.strideY = strideY
      self.strideX = strideX
      self.dilationY = dilationY
      self.dilationX = dilationX
      self.padding = padding
    }

    /// A square window with the same stride and padding in all directions.
    public init(size: Int, stride: Int = 1, padding: Int = 0) {
      self.init(
        height: size, width: size, strideY: stride, strideX: stride,
        padding: Edges(top: padding, left: padding, bottom: padding, right: padding))
    }

    /// Rows from the window's first to its last, both included.
    public var spanY: Int { (height - 1) * dilationY + 1 }
    /// Columns from the window's first to its last, both included.
    public var spanX: Int { (width - 1) * dilationX + 1 }

    /// The output's rows and columns for an input's; 0 or less where the window does not fit.
    public func outputSize(height: Int, width: Int) -> (height: Int, width: Int) {
      (
        Self.count(height + padding.top + padding.bottom - spanY, strideY),
        Self.count(width + padding.left + padding.right - spanX, strideX)
      )
    }

    private static func count(_ room: Int, _ stride: Int) -> Int {
      room < 0 ? 0 : room / stride + 1
    }

    /// Whether side, stride and padding are the same in both directions, without dilation.
    public var isSquare: Bool {
      height == width && strideY == strideX && dilationY == 1 && dilationX == 1
        && padding.top == padding.left && padding.top == padding.bottom
        && padding.top == padding.right
    }
  }

  /// Rows and columns at the four edges of a value.
  public struct Edges: Hashable, Sendable {
    /// Rows above the first.
    public var top: Int
    /// Columns left of the first.
    public var left: Int
    /// Rows below the last.
    public var bottom: Int
    /// Columns right of the last.
    public var right: Int

    /// Groups the four without checking them.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }

    /// The greatest of the four.
    public var greatest: Int { max(max(top, left), max(bottom, right)) }
  }
}
