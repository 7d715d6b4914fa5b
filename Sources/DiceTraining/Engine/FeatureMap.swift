internal import DiceKernelTemplates
internal import DiceKernels

/// The activations of one layer for all pictures of a batch, or their gradients.
///
/// Layout `[picture, height + 2 * border, width + 2 * border, pixelStep]`; the border stays zero,
/// so that kernels read over the edge. Channels from `channelCount` to `pixelStep` stay zero too.
@safe final class FeatureMap {
  let pictureCount: Int
  let height: Int
  let width: Int
  let channelCount: Int
  /// Floats of a pixel: `channelCount` rounded up to a multiple of 16, or as told.
  let pixelStep: Int
  let border: Int
  /// Floats between rows.
  let rowStep: Int

  private let buffer: FloatBuffer
  private let pictureStep: Int

  init(
    pictureCount: Int, height: Int, width: Int, channelCount: Int, border: Int,
    pixelStep: Int? = nil
  ) {
    self.pictureCount = pictureCount
    self.height = height
    self.width = width
    self.channelCount = channelCount
    self.border = border
    self.pixelStep = pixelStep ?? paddedChannelCount(channelCount)
    rowStep = (width + 2 * border) * self.pixelStep
    pictureStep = (height + 2 * border) * rowStep
    // One spare block: vectors of a narrow last pixel may be read whole.
    buffer = FloatBuffer(count: pictureCount * pictureStep + channelGranularity)
  }

  /// The first float of a picture's row, inside the border.
  func row(_ row: Int, of picture: Int) -> Address {
    precondition(picture >= 0 && picture < pictureCount, "picture outside the batch")
    return buffer.address.advanced(
      by: picture * pictureStep + (row + border) * rowStep + border * pixelStep)
  }

  /// The first float of a picture, inside the border.
  func origin(of picture: Int) -> Address { row(0, of: picture) }

  /// The floats of a picture, its border included.
  var pictureFloatCount: Int { pictureStep }

  /// The first float of a picture's border, and how far its first pixel lies behind it.
  func corner(of picture: Int) -> (start: Address, originOffset: Int) {
    let offset = border * rowStep + border * pixelStep
    return (origin(of: picture).advanced(by: -offset), offset)
  }

  /// Sets a picture's values to zero, its border included.
  func clear(_ picture: Int) {
    buffer.clear(picture * pictureStep..<(picture + 1) * pictureStep)
  }
}
