/// Reads numbers while they are drawn, stroke by stroke.
///
/// ```swift
/// var recognizer = try NumberRecognizer()
/// let reading = try recognizer.add(stroke)
/// print(reading.text, reading.number as Any)
/// ```
///
/// Which strokes belong to one digit follows from what the classifier makes of every way to group
/// neighbouring strokes. Groups that were read before are remembered.
public struct NumberRecognizer: Sendable {
  /// The strokes so far.
  public private(set) var drawing = Drawing()
  /// What they say.
  public private(set) var reading = NumberReading.nothing

  /// What the search reckons with.
  package var costs = Costs()

  /// What the search for groups reckons with, as logarithms.
  package struct Costs: Sendable {
    /// Of a group that shows no digit.
    package var none = 2.0
    /// Of each further stroke of such a group.
    package var furtherNone = 1.0
    /// Of a gap as high as the digits within a group.
    package var gap = 4.0
    /// Of writing over a digit.
    package var replacement = 3.0
    /// Of two strokes that touch and belong to different groups.
    package var touch = 2.0
    /// How far strokes may be apart that touch a little, as a share of a digit's size.
    package var touchReach = 0.06
    /// How far a stroke may be above another that touches it a little, likewise.
    package var columnReach = 0.4
    /// How much the picture's network counts in saying that a group is no digit, 0...1.
    package var pictureVote = 1.0
    /// Of a digit that is less than half as high as the highest of its neighbours, for each tenth.
    package var small = 0.5
  }

  private let reader: DrawnDigitReader
  private var origin: SIMD2<Double>?
  private var paths: [InkPath] = []
  /// A name for each stroke that no other stroke ever has.
  private var names: [Int] = []
  private var nextName = 0
  private var memory: [[Int]: [Float]] = [:]

  /// A recogniser with weights of your own.
  ///
  /// - Parameters:
  ///   - digits: the weight file of a network that sees digits as pictures, as for
  ///     ``DigitClassifier/init(weights:)``.
  ///   - penWays: the weight file of a network that sees the way of the pen.
  ///   - digitOrNone: the weight file of a network that knows pictures that show no digit.
  /// - Throws: ``NumberRecognizerError/classifier(_:)`` with the rule that a file or its network breaks.
  public init(
    digits: [UInt8], penWays: [UInt8], digitOrNone: [UInt8]
  ) throws(NumberRecognizerError) {
    do throws(DigitClassifierError) {
      reader = DrawnDigitReader(
        classifier: try DigitClassifier(weights: digits),
        ways: try PenWayClassifier(weights: penWays),
        orNone: try DigitOrNoneClassifier(weights: digitOrNone))
    } catch { throw .classifier(error) }
  }

  package init(reader: DrawnDigitReader) { self.reader = reader }

  /// Reads a whole drawing; what was drawn before is forgotten.
  ///
  /// - Throws: the rule that the drawing breaks; the recogniser is then empty.
  @discardableResult
  public mutating func read(_ drawing: Drawing) throws(NumberRecognizerError) -> NumberReading {
    clear()
    guard drawing.strokes.count <= Drawing.strokeLimit else {
      throw .drawing(.strokeCount(found: drawing.strokes.count))
    }
    do throws(NumberRecognizerError) {
      for stroke in drawing.strokes { try append(stroke) }
      try update()
    } catch {
      clear()
      throw error
    }
    return reading
  }

  /// Adds a stroke and reads what its neighbours and it now say.
  ///
  /// - Throws: the rule that the stroke breaks, or that there are ``Drawing/strokeLimit`` already;
  ///   it is then not added.
  @discardableResult
  public mutating func add(_ stroke: Stroke) throws(NumberRecognizerError) -> NumberReading {
    try append(stroke)
    try update()
    return reading
  }

  /// Takes the last stroke back; nothing where there is none.
  @discardableResult
  public mutating func undo() throws(NumberRecognizerError) -> NumberReading {
    guard !names.isEmpty else { return reading }
    return try remove(at: names.count - 1)
  }

  /// Takes a stroke away; later ones move up.
  ///
  /// - Precondition: there is a stroke with this index.
  @discardableResult
  public mutating func remove(at index: Int) throws(NumberRecognizerError) -> NumberReading {
    drawing.strokes.remove(at: index)
    paths.remove(at: index)
    names.remove(at: index)
    try update()
    return reading
  }

  /// Takes away the strokes that an eraser touches.
  ///
  /// - Parameters:
  ///   - x: where the eraser's middle is, in the unit of the strokes.
  ///   - y: likewise, down.
  ///   - radius: of the eraser; none is touched by one that is negative or no number.
  @discardableResult
  public mutating func erase(
    x: Double, y: Double, radius: Double
  ) throws(NumberRecognizerError) -> NumberReading {
    guard let origin, radius >= 0 else { return reading }
    let place = SIMD2<Float>(SIMD2(x, y) - origin)
    for index in paths.indices.reversed()
    where paths[index].distance(to: place) <= Float(radius) {
      drawing.strokes.remove(at: index)
      paths.remove(at: index)
      names.remove(at: index)
    }
    try update()
    return reading
  }

  /// Forgets all strokes.
  public mutating func clear() {
    drawing = Drawing()
    reading = .nothing
    origin = nil
    (paths, names, memory) = ([], [], [:])
  }

  private mutating func append(_ stroke: Stroke) throws(NumberRecognizerError) {
    guard names.count < Drawing.strokeLimit else {
      throw .drawing(.strokeCount(found: names.count + 1))
    }
    let first = stroke.points.first.map { SIMD2($0.x, $0.y) } ?? SIMD2()
    do throws(DrawingError) {
      paths.append(try InkPath(stroke, index: names.count, origin: origin ?? first))
    } catch { throw .drawing(error) }
    origin = origin ?? first
    drawing.strokes.append(stroke)
    names.append(nextName)
    nextName += 1
  }

  /// Reads the strokes anew, as far as groups are not remembered.
  private mutating func update() throws(NumberRecognizerError) {
    var search = GroupSearch(
      paths: paths, reader: reader, names: names, memory: memory, costs: costs)
    do throws(DigitClassifierError) { reading = try search.reading() } catch {
      throw .classifier(error)
    }
    memory = search.used
  }
}

extension InkPath {
  /// From a place to the nearest one of the path.
  func distance(to place: SIMD2<Float>) -> Float {
    var least = Self.norm(points[0] - place)
    for index in 1..<max(1, points.count) {
      let way = points[index] - points[index - 1]
      let offset = place - points[index - 1]
      let square = way.x * way.x + way.y * way.y
      let share =
        square > 0 ? min(max(0, (offset.x * way.x + offset.y * way.y) / square), 1) : 0
      least = min(least, Self.norm(offset - share * way))
    }
    return least
  }
}
