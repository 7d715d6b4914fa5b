/// The weights that come with the library, as text in its code.
///
/// There is no resource file that could get lost: a program that is moved takes its weights along.
public enum BundledWeights {
  /// The bytes of the weight file, decoded at the first use and kept.
  public static let standard: [UInt8] = Base64.decode(standardWeights)
}
