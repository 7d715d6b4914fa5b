public import DiceGeometry
public import DiceImaging
public import DicePoses

/// Finds people in pictures and the joints of their bodies.
///
/// ```swift
/// let detector = try PoseDetector()
/// for person in try detector.detect(in: image) {
///   if let wrist = person.pose[.rightWrist] { print(wrist.location, wrist.confidence) }
/// }
/// ```
///
/// One network proposes boxes of people, a second one finds the joints in each; how sure it is of them on the average
/// says whether a person is there. The library's own joints are the twelve of arms and legs, `neck`, `root` and
/// `head`; other people's networks, which `dicevision import --pose` makes weight files of, may find eyes, ears and the
/// nose as well.
///
/// A detector is a value that shares its networks with its copies; any number of threads may use one at once. For
/// films see ``PoseFollower``.
public struct PoseDetector: Sendable {
  /// What a weight file that finds joints says under "task".
  public static let jointTask = PoseConstants.task
  /// What a weight file that finds people says under "task".
  public static let personTask = PersonFinder.task

  /// What counts as a person and as a joint.
  public struct Options: Hashable, Sendable {
    /// The least confidence of a person, 0...1.
    ///
    /// Raising it leaves out more that is no person, and more people.
    public var personConfidence: Float = 0.6
    /// The least confidence of a person who is followed from frame to frame, 0...1.
    public var followConfidence: Float = 0.3
    /// The least confidence of a joint, 0...1; others are missing in a pose.
    public var jointConfidence: Float = 0.05
    /// The most people.
    public var maximumCount = 8
    /// Whether the mirror image of a person is looked at, too: a little better, for twice the work.
    ///
    /// People who are followed are always looked at once.
    public var usesMirror = false

    /// What serves most pictures.
    public init() {}
  }

  /// What counts as a person and as a joint.
  public var options: Options
  private let estimator: PoseEstimator
  private let finder: PersonFinder

  /// A detector with weights of your own.
  ///
  /// - Parameters:
  ///   - joints: a whole weight file of a network that finds joints, trained here or imported, from a source that need
  ///     not be trusted.
  ///   - people: the same of one that finds people.
  ///   - options: what counts.
  /// - Throws: the rule that a file or its network breaks.
  /// - Complexity: O(number of weights).
  public init(
    joints: [UInt8], people: [UInt8], options: Options = Options()
  ) throws(PoseDetectorError) {
    estimator = try PoseEstimator(weights: joints)
    finder = try PersonFinder(weights: people)
    self.options = options
  }

  /// The people of a frame, most confident first, in pixels of the upright picture.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - orientation: how its rows are to be turned; nil for what the frame says.
  /// - Throws: ``PoseDetectorError/network(_:)``, where memory does not suffice.
  public func detect(
    in frame: borrowing RawFrame, orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> [DetectedPerson] {
    try detect(in: frame, orientation: orientation, besides: [])
  }

  /// The people of a picture, as ``detect(in:orientation:)``.
  public func detect(
    in image: PixelImage, orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> [DetectedPerson] {
    try image.withFrame { (frame) throws(PoseDetectorError) in
      try detect(in: frame, orientation: orientation)
    }
  }

  /// The joints of a person whose box is known.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - box: the person's outline, in pixels of the upright picture.
  ///   - orientation: how the rows are to be turned; nil for what the frame says.
  /// - Returns: nil where the box has no area or its middle lies outside the picture. The confidence is the
  ///   mean of the six surest joints'.
  /// - Throws: ``PoseDetectorError/network(_:)``, where memory does not suffice.
  public func pose(
    in frame: borrowing RawFrame, of box: BoundingBox, orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> DetectedPerson? {
    guard
      let reading = try estimator.read(
        frame, orientation: orientation ?? frame.orientation, box: box,
        usesMirror: options.usesMirror)
    else { return nil }
    return person(reading, box: box)
  }

  /// The joints of a person whose box is known, as ``pose(in:of:orientation:)``.
  public func pose(
    in image: PixelImage, of box: BoundingBox, orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> DetectedPerson? {
    try image.withFrame { (frame) throws(PoseDetectorError) in
      try pose(in: frame, of: box, orientation: orientation)
    }
  }

  /// The people of the frame after one whose people are known: each is looked for where the last pose was, and
  /// nobody else is.
  ///
  /// This is several times faster than ``detect(in:orientation:)``: one look for each person. Who is no longer
  /// to be seen is left out, and of two who have become one the surer stays.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - people: the people of the frame before.
  ///   - orientation: how the rows are to be turned; nil for what the frame says.
  /// - Throws: ``PoseDetectorError/network(_:)``, where memory does not suffice.
  public func detect(
    in frame: borrowing RawFrame, following people: [DetectedPerson],
    orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> [DetectedPerson] {
    var found: [DetectedPerson] = []
    for last in people.prefix(max(0, options.maximumCount)) {
      guard
        let reading = try estimator.read(
          frame, orientation: orientation ?? frame.orientation, box: last.boundingBox,
          usesMirror: false)
      else { continue }
      let next = person(reading, box: last.boundingBox)
      if next.confidence >= options.followConfidence { found.append(next) }
    }
    return Self.different(found, limit: options.maximumCount)
  }

  /// The people of the frame after one whose people are known, as ``detect(in:following:orientation:)``.
  public func detect(
    in image: PixelImage, following people: [DetectedPerson],
    orientation: ImageOrientation? = nil
  ) throws(PoseDetectorError) -> [DetectedPerson] {
    try image.withFrame { (frame) throws(PoseDetectorError) in
      try detect(in: frame, following: people, orientation: orientation)
    }
  }

  // MARK: - Steps

  /// The people whom the finder sees, but for those who are known already.
  func detect(
    in frame: borrowing RawFrame, orientation: ImageOrientation?, besides known: [DetectedPerson]
  ) throws(PoseDetectorError) -> [DetectedPerson] {
    let orientation = orientation ?? frame.orientation
    let proposals = try finder.find(
      in: frame, orientation: orientation,
      confidence: finder.recommendedConfidence,
      limit: 2 * max(0, min(options.maximumCount, 1 << 16)))
    var found: [DetectedPerson] = []
    for proposal in proposals {
      if known.contains(where: {
        $0.boundingBox.intersectionOverUnion(with: proposal.boundingBox) > Self.sameOverlap
      }) {
        continue
      }
      if let person = try look(at: proposal.boundingBox, in: frame, orientation) {
        found.append(person)
      }
    }
    if found.isEmpty, known.isEmpty {
      // Somebody who fills the picture.
      let size = orientation.uprightSize(storedWidth: frame.width, storedHeight: frame.height)
      let box = BoundingBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
      if let person = try look(at: box.scaledAboutCenter(by: 0.8), in: frame, orientation) {
        found.append(person)
      }
    }
    return Self.different(found, limit: options.maximumCount)
  }

  /// The person in a box, where the joints are sure enough of one.
  private func look(
    at proposal: BoundingBox, in frame: borrowing RawFrame, _ orientation: ImageOrientation
  ) throws(PoseDetectorError) -> DetectedPerson? {
    guard
      let reading = try estimator.read(
        frame, orientation: orientation, box: proposal, usesMirror: options.usesMirror),
      reading.confidence >= options.personConfidence
    else { return nil }
    return person(reading, box: proposal)
  }

  /// Joints that are less sure do not make a person's outline.
  static let outlineConfidence: Float = 0.2
  /// People who overlap by more are one.
  static let sameOverlap = 0.6
  /// Joints that are nearer to each other, in square roots of the larger box's area, lie in one place.
  private static let sameDistance = 0.08

  private func person(_ reading: PoseReading, box: BoundingBox) -> DetectedPerson {
    DetectedPerson(
      boundingBox: reading.box(confidenceAtLeast: Self.outlineConfidence) ?? box,
      confidence: reading.confidence, pose: reading.pose(confidenceAtLeast: options.jointConfidence)
    )
  }

  /// The surest people who are not the same, most confident first.
  static func different(_ people: [DetectedPerson], limit: Int) -> [DetectedPerson] {
    var kept: [DetectedPerson] = []
    for person in people.sorted(by: { $0.confidence > $1.confidence }) {
      guard kept.count < limit else { break }
      if !kept.contains(where: { isSame($0, person) }) { kept.append(person) }
    }
    return kept
  }

  /// Whether two findings are of one person: their boxes overlap, or most joints lie in the same places.
  private static func isSame(_ first: DetectedPerson, _ second: DetectedPerson) -> Bool {
    let (box, other) = (first.boundingBox, second.boundingBox)
    guard box.intersectionOverUnion(with: other) <= sameOverlap else { return true }
    let reach = sameDistance * max(box.area, other.area).squareRoot()
    var (count, nearCount) = (0, 0)
    for joint in Joint.allCases {
      guard let place = first.pose[joint], let otherPlace = second.pose[joint],
        min(place.confidence, otherPlace.confidence) >= outlineConfidence
      else { continue }
      count += 1
      if place.location.squaredDistance(to: otherPlace.location) <= reach * reach { nearCount += 1 }
    }
    return count >= 4 && 2 * nearCount > count
  }
}
