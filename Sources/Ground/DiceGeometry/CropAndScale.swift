/// How a picture is brought to the size of a network's input.
///
/// Raw values are those of `VNImageCropAndScaleOption`. With a picture (or its region of interest) of
/// `w` by `h` and an input of `W` by `H`:
public enum CropAndScale: UInt8, CaseIterable, Hashable, Sendable {
  /// Scaled by `max(W / w, H / h)`: the middle fills the input and the longer side's ends are cut off.
  case centerCrop = 0
  /// Scaled by `min(W / w, H / h)` and centred: all of it is seen, with padding at two sides.
  case scaleFit = 1
  /// Each axis scaled by itself, `W / w` and `H / h`: all of it is seen, stretched.
  case scaleFill = 2
}
