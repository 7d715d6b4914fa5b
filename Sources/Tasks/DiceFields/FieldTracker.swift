internal import DiceGeometry
public import DiceImaging

/// Follows a field of play through a film: it stays found while the camera moves and hands are in the way.
///
/// The tracker looks at profiles of brightness across the field's sides, and for each finds how far it has
/// moved along with the side's normal. The corners follow from all of them by least squares; profiles that
/// do not look as they did, as under a hand, do not count. The profiles are those of the frame in which the
/// field was found, so that errors do not add up.
///
///     var tracker = FieldTracker()
///     for frame in frames {
///       if let field = try tracker.update(with: frame) { print(field.corners) }
///     }
///
/// A field is found with a ``FieldDetector``, at first and when it is lost; all other frames take a small
/// part of that time, and no memory once a frame of the size was seen.
public struct FieldTracker: Sendable {
  /// What is known of the field in a frame.
  public enum State: Hashable, Sendable {
    /// There is no field yet, or it was lost.
    case searching
    /// The field was found in this frame by the detector.
    case detected
    /// The field was followed from the frame before.
    case tracked
    /// Too little of the field was seen in this frame; it is where it was.
    case hidden
  }

  /// What finds the field.
  public var detector: FieldDetector
  /// After how many hidden frames a field is lost.
  public var maximumHiddenCount = 15
  /// How many frames pass between two searches for a field.
  public var searchInterval = 15
  /// The least confidence of a field that is followed.
  public var minimumConfidence = 0.3
  /// The field's real shape: only outlines that fit it are followed; nil for any shape.
  public var shape: FieldShape?

  /// What is known of the field in the last frame.
  public private(set) var state = State.searching
  /// The share of the profiles that were seen in the last frame, 0...1.
  public private(set) var visibleShare = 0.0

  private var field: Field?
  private var size = SIMD2<Double>.zero
  private var motion = SIMD8<Double>.zero
  private var hiddenCount = 0
  private var framesUntilSearch = 0
  private var gray = GrayImage(width: 1, height: 1)
  private var profiles = SideProfiles()

  /// A tracker without a field.
  public init(_ detector: FieldDetector = FieldDetector()) { self.detector = detector }

  /// Forgets the field.
  public mutating func reset() {
    (field, state, visibleShare, hiddenCount, framesUntilSearch) = (nil, .searching, 0, 0, 0)
  }

  /// Takes the next frame of a film.
  ///
  /// A frame of another size or orientation than the one before begins anew.
  ///
  /// - Returns: The field in this frame, corners in pixels of the upright frame; nil while there is none.
  /// - Throws: ``FieldError``.
  public mutating func update(with image: PixelImage) throws(FieldError) -> Field? {
    try image.withFrame { (frame) throws(FieldError) in try update(with: frame) }
  }

  /// Takes the next frame of a film.
  ///
  /// - Throws: ``FieldError``.
  public mutating func update(with frame: borrowing RawFrame) throws(FieldError) -> Field? {
    let isUpright = frame.orientation == .up
    let width = Double(frame.uprightWidth)
    let height = Double(frame.uprightHeight)
    if size != SIMD2(width, height) { reset() }
    size = SIMD2(width, height)
    if max(frame.width, frame.height) > GrayImage.maximumSide || !isUpright {
      // Turned frames are copied upright.
      var sampler = UprightSampler()
      gray = try sampler.takeGray(of: frame, limit: GrayImage.maximumSide)
    } else {
      gray.update(from: frame)
    }
    guard var current = field else { return try search(in: frame) }
    let (moved, share) = profiles.follow(current.outline, motion, in: gray)
    visibleShare = share
    if let moved {
      var step = SIMD8<Double>.zero
      for index in 0..<4 {
        step[2 * index] = moved[index].x - current.outline[index].x
        step[2 * index + 1] = moved[index].y - current.outline[index].y
      }
      motion = step
      current.outline = moved
      field = current
      (state, hiddenCount) = (.tracked, 0)
      return current
    }
    hiddenCount += 1
    motion = .zero
    state = .hidden
    guard hiddenCount > maximumHiddenCount else { return field }
    reset()
    return try search(in: frame)
  }

  private mutating func search(in frame: borrowing RawFrame) throws(FieldError) -> Field? {
    state = .searching
    framesUntilSearch -= 1
    guard framesUntilSearch < 0 else { return nil }
    framesUntilSearch = max(0, searchInterval)
    let found = try detector.detect(in: frame).first {
      $0.confidence >= minimumConfidence
        && shape?.fits($0.outline, pictureWidth: size.x, pictureHeight: size.y) ?? true
    }
    guard let found else { return nil }
    profiles.learn(found.outline, in: gray)
    guard profiles.usableShare > 0.25 else { return nil }
    (field, motion, state, visibleShare) = (found, .zero, .detected, 1)
    return found
  }
}
