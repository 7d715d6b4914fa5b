/// The tiles of Winograd's method for convolutions of a stride: 4 by 4 outputs each.
///
/// With stride 1 it is F(4x4, 3x3): a tile follows from 6 by 6 inputs and takes 36 multiply-adds for each
/// pair of channels, not 144.
///
/// With stride 2, the even rows of a tile's 9 by 9 inputs meet the first and the last row of taps, the odd ones
/// the middle row alone; so do columns. Even ones make F(4, 2), five places for four outputs. Odd ones stay as they
/// are: four places with the same weights. A tile takes 81 multiply-adds, not 144.
@frozen public struct WinogradForm: Hashable, Sendable {
  #if arch(wasm32)
    // Code for one stride: pages are to be small.
    /// Input rows and columns between two outputs.
    @_alwaysEmitIntoClient public var stride: Int { 1 }

    /// The form for a stride of 1.
    @_alwaysEmitIntoClient public init(stride: Int) {}
  #else
    /// Input rows and columns between two outputs: 1 or 2.
    public var stride: Int

    /// The form for a stride of 1 or 2.
    @_alwaysEmitIntoClient @inline(__always) public init(stride: Int) { self.stride = stride }
  #endif

  /// Rows and columns of an output tile.
  @_alwaysEmitIntoClient @inline(__always) public static var outputSide: Int { 4 }
  /// Rows and columns of places with weights of their own; those behind have the same as the last ones.
  @_alwaysEmitIntoClient @inline(__always) public static var weightSide: Int { 6 }
  /// The places of transformed weights.
  @_alwaysEmitIntoClient public static var weightPlaceCount: Int { 36 }

  /// Rows and columns of an input tile, and of the places that it is transformed to.
  @_alwaysEmitIntoClient @inline(__always) public var placeSide: Int { stride == 1 ? 6 : 9 }

  /// The number of tiles of a map.
  @_alwaysEmitIntoClient @inline(__always)
  public static func tileCount(height: Int, width: Int) -> Int {
    ((height &+ 3) / 4) &* ((width &+ 3) / 4)
  }
}

/// A convolution of 3 by 3 taps with stride 1 or 2.
///
/// The output is cut into tiles (`WinogradForm`). Tiles and weights are transformed:
/// `output = Aᵀ ((G w Gᵀ) · (Bᵀ input B)) A`, where `·` multiplies place by place. The place of row i
/// and column j has the number `placeSide * i + j`.
///
/// Sums are rounded in another order than by the direct method, and some of the transforms' factors
/// are larger than 1: an output differs from the direct one by at most 4e-6 of the sum of its terms'
/// magnitudes.
///
/// Source: Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016.
@frozen @safe public struct WinogradTask {
  /// The pixel that the first tap of the first output reads; all that taps reach can be read.
  public var input: Address
  /// Floats between neighbouring input columns.
  public var inputColumnStep: Int
  /// Floats between neighbouring input rows.
  public var inputRowStep: Int
  /// The number of input channels, a multiple of 16.
  public var inputChannelCount: Int
  /// The packed transformed weights, `[place of weights][output block][input channel][16]`.
  public var weights: Address
  /// Floats between the weights of neighbouring places.
  public var weightPlaceStep: Int
  /// One value for each output channel.
  public var bias: Address
  /// The first output pixel.
  public var output: Address
  /// Floats between neighbouring output columns.
  public var outputColumnStep: Int
  /// Floats between neighbouring output rows.
  public var outputRowStep: Int
  /// Output channels in blocks of 16.
  public var outputBlockCount: Int
  /// Output rows.
  public var height: Int
  /// Output columns.
  public var width: Int
  /// How the output is cut into tiles.
  public var form: WinogradForm
  /// The slope of the leaky rectifier below zero; 1 is the identity.
  public var slope: Float

  /// A task of the given parts.
  ///
  /// - Parameters:
  ///   - form: the tiles of the convolution's stride.
  ///   - input: what the first tap reads, with the steps between neighbouring input pixels.
  ///   - size: rows and columns of the output.
  public init(
    _ form: WinogradForm, input: PixelGrid<Address>, inputChannelCount: Int, weights: Address,
    bias: Address, output: PixelGrid<Address>, outputBlockCount: Int,
    size: (height: Int, width: Int), slope: Float = 1
  ) {
    self.form = form
    self.input = input.start
    inputColumnStep = input.columnStep
    inputRowStep = input.rowStep
    self.inputChannelCount = inputChannelCount
    self.weights = weights
    weightPlaceStep = inputChannelCount * outputBlockCount * channelBlock
    self.bias = bias
    self.output = output.start
    outputColumnStep = output.columnStep
    outputRowStep = output.rowStep
    self.outputBlockCount = outputBlockCount
    (height, width) = size
    self.slope = slope
  }

  /// The same for some blocks of 16 output channels; those behind the last one are left out.
  public func slice(_ blocks: Range<Int>) -> WinogradTask {
    let first = blocks.lowerBound
    var slice = self
    slice.weights = weights.advanced(by: first * inputChannelCount * channelBlock)
    slice.bias = bias.advanced(by: first * channelBlock)
    slice.output = output.advanced(by: first * channelBlock)
    slice.outputBlockCount = min(blocks.count, outputBlockCount - first)
    return slice
  }

  /// About as many tiles are worked on at once: two of the largest register tiles.
  @_alwaysEmitIntoClient public static var chunk: Int { 24 }
  /// The most tiles that are worked on at once.
  @_alwaysEmitIntoClient public static var greatestChunk: Int { 36 }

  /// The floats of memory that one thread works with.
  public static func scratchCount(
    _ form: WinogradForm, inputChannelCount: Int, outputBlockCount: Int
  ) -> Int {
    let outputs = outputBlockCount * channelBlock
    let side = form.placeSide
    return greatestChunk * side
      * ((side + 1) * inputChannelCount + (WinogradForm.outputSide + 1) * outputs) + outputs
  }

  /// The number of tiles in a row.
  @_alwaysEmitIntoClient @inline(__always)
  public var tilesInRow: Int { (width &+ 3) / 4 }

  /// The number of tiles.
  @_alwaysEmitIntoClient @inline(__always)
  public var tileCount: Int { WinogradForm.tileCount(height: height, width: width) }
}
