public import DiceGeometry
public import DiceImaging
internal import DiceNumerics

/// A round board with numbered sections and pawns, to be drawn from above.
///
/// Section 1 is at the top, and the numbers go clockwise. The board fills a circle within a square; a
/// ``BoardOverlay`` lays that square on a table.
///
///     var board = BoardDrawing(sectionCount: 9, start: 1, target: 9)
///     board.pawns = [BoardDrawing.Pawn(section: 4, label: "A", color: .forValue(1))]
///     var canvas = Canvas(width: 400, height: 400, color: .white)
///     board.draw(on: &canvas, in: BoundingBox(x: 0, y: 0, width: 400, height: 400))
public struct BoardDrawing: Hashable, Sendable {
  /// A player's pawn.
  public struct Pawn: Hashable, Sendable {
    /// Where it stands, from 1; a pawn on a section that the board does not have is not drawn.
    public var section: Int
    /// What is written on it, mostly one letter; empty for none.
    public var label: String
    /// Its colour.
    public var color: PixelColor
    /// Whether it is this player's turn: the pawn then has a bright rim.
    public var isActive: Bool

    /// A pawn on a section.
    public init(section: Int, label: String = "", color: PixelColor, isActive: Bool = false) {
      self.section = section
      self.label = label
      self.color = color
      self.isActive = isActive
    }
  }

  /// How many sections a board may have.
  public static let sectionCounts = 3...99

  /// How many sections there are; fewer or more than ``sectionCounts`` are drawn as its nearest number.
  public var sectionCount: Int
  /// Where pawns begin, from 1; 0 for nowhere.
  public var start: Int
  /// Where they win, from 1; 0 for nowhere.
  public var target: Int
  /// The pawns, in the order in which they stand side by side.
  public var pawns: [Pawn] = []
  /// Sections with a bright rim, such as those that a roll leads to.
  public var highlights: [Int] = []
  /// What is written in the middle; empty for nothing.
  public var caption = ""

  /// A board without pawns.
  public init(sectionCount: Int = 9, start: Int = 1, target: Int = 9) {
    self.sectionCount = sectionCount
    self.start = start
    self.target = target
  }

  // Radii as shares of the board's.
  private static let rim = 1.0
  private static let outer = 0.955
  private static let inner = 0.4
  private static let numberRadius = 0.81
  private static let pawnRadius = 0.57

  private static let ink = PixelColor(rgb: 0x1E2A35)
  private static let sectionColors = [
    PixelColor(rgb: 0xF7EFDC), PixelColor(rgb: 0xCFE3EE), PixelColor(rgb: 0xE3EBC9),
  ]
  private static let targetColor = PixelColor(rgb: 0xFFD24A)
  private static let startColor = PixelColor(rgb: 0xFFFFFF)
  private static let highlightColor = PixelColor(rgb: 0xE8402A)

  private var count: Int {
    min(max(sectionCount, Self.sectionCounts.lowerBound), Self.sectionCounts.upperBound)
  }

  /// The middle of a section, as the board lies in a square whose sides are 1 long.
  ///
  /// - Parameters:
  ///   - section: From 1; others count round.
  ///   - radius: The distance from the board's middle as a share of its radius.
  public func place(ofSection section: Int, radius: Double = 0.68) -> SIMD2<Double> {
    let (sine, cosine) = sineAndCosine(turns: Double((section - 1) % count) / Double(count))
    return SIMD2(0.5 + 0.5 * radius * sine, 0.5 - 0.5 * radius * cosine)
  }

  /// Draws the board as seen from straight above, in the largest square in the middle of a box.
  ///
  /// - Complexity: O(pixels · sections).
  public func draw<Surface: PolygonSurface>(on surface: inout Surface, in box: BoundingBox) {
    guard box.isProper, !box.isEmpty else { return }
    let side = min(box.width, box.height)
    let sheet = Sheet(
      left: box.midX - side / 2, top: box.midY - side / 2, side: side, count: count)
    surface.fillPolygon(sheet.ring(Self.rim), color: Self.ink)
    for section in 1...count { draw(section, on: &surface, sheet) }
    surface.fillPolygon(sheet.ring(Self.inner), color: Self.ink)
    surface.fillPolygon(sheet.ring(Self.inner - 0.03), color: Self.sectionColors[0])
    for section in 1...count { drawPawns(on: section, on: &surface, sheet) }
    if !caption.isEmpty {
      let size = min(0.3, 1.0 / Double(caption.unicodeScalars.count)) * side / 2
      write(caption, at: sheet.center, size: size, color: Self.ink, on: &surface)
    }
  }

  private func draw<Surface: PolygonSurface>(
    _ section: Int, on surface: inout Surface, _ sheet: Sheet
  ) {
    let isLastOfOdd = section == count && count % 2 == 1
    var color = Self.sectionColors[isLastOfOdd ? 2 : (section - 1) % 2]
    if section == start { color = Self.startColor }
    if section == target { color = Self.targetColor }
    let isHighlighted = highlights.contains(section)
    surface.fillPolygon(
      sheet.sector(section, from: Self.inner, to: Self.outer, gap: 0.007),
      color: isHighlighted ? Self.highlightColor : color)
    if isHighlighted {
      surface.fillPolygon(
        sheet.sector(section, from: Self.inner + 0.04, to: Self.outer - 0.04, gap: 0.047),
        color: color)
    }
    let place = sheet.point(section, radius: Self.numberRadius)
    let size = sheet.numberSize
    if section == target {
      // Two rings: a mark that needs no colour.
      surface.fillPolygon(sheet.circle(place, radius: 0.92 * size), color: Self.ink)
      surface.fillPolygon(sheet.circle(place, radius: 0.8 * size), color: Self.targetColor)
    }
    write("\(section)", at: place, size: size, color: Self.ink, on: &surface)
  }

  private func drawPawns<Surface: PolygonSurface>(
    on section: Int, on surface: inout Surface, _ sheet: Sheet
  ) {
    var standing: [Pawn] = []
    for pawn in pawns where pawn.section == section { standing.append(pawn) }
    guard !standing.isEmpty else { return }
    let radius = sheet.pawnRadius(of: standing.count)
    for (index, pawn) in standing.enumerated() {
      let offset = (Double(index) - Double(standing.count - 1) / 2) * 2.1 * radius
      let place = sheet.point(section, radius: Self.pawnRadius, aside: offset)
      surface.fillPolygon(
        sheet.circle(place, radius: 1.0 * radius), color: pawn.isActive ? .white : Self.ink)
      surface.fillPolygon(
        sheet.circle(place, radius: (pawn.isActive ? 0.74 : 0.86) * radius), color: pawn.color)
      if !pawn.label.isEmpty {
        write(pawn.label, at: place, size: radius, color: pawn.color.textColor, on: &surface)
      }
    }
  }

  /// Writes text with its middle at a point.
  private func write<Surface: PolygonSurface>(
    _ text: String, at place: PixelPoint, size: Double, color: PixelColor,
    on surface: inout Surface
  ) {
    surface.drawText(
      text,
      at: PixelPoint(
        x: place.x - Canvas.width(of: text, size: size) / 2,
        y: place.y + Canvas.capHeight(size: size) / 2), size: size, weight: .bold, color: color)
  }

  /// The square that the board is drawn in.
  private struct Sheet {
    let left: Double
    let top: Double
    let side: Double
    let count: Int

    var center: PixelPoint { PixelPoint(x: left + side / 2, y: top + side / 2) }

    var numberSize: Double { min(0.26, 2.2 / Double(count)) * side / 2 }

    func pawnRadius(of pawnCount: Int) -> Double {
      // As wide as the section has room for, side by side.
      let room = 2 * 0.57 * 3.14159 / Double(count) / (2.1 * Double(pawnCount))
      return min(0.15, room * 0.95) * side / 2
    }

    func point(_ section: Int, radius: Double, aside: Double = 0) -> PixelPoint {
      point(turns: Double(section - 1) / Double(count), radius: radius, aside: aside)
    }

    func point(turns: Double, radius: Double, aside: Double = 0) -> PixelPoint {
      let (sine, cosine) = sineAndCosine(turns: turns)
      let length = radius * side / 2
      return PixelPoint(
        x: center.x + length * sine + aside * cosine,
        y: center.y - length * cosine + aside * sine)
    }

    /// A circle about the middle.
    func ring(_ radius: Double) -> [PixelPoint] {
      (0..<96).map { index in point(turns: Double(index) / 96, radius: radius) }
    }

    func circle(_ middle: PixelPoint, radius: Double) -> [PixelPoint] {
      (0..<32).map { index in
        let (sine, cosine) = sineAndCosine(turns: Double(index) / 32)
        return PixelPoint(x: middle.x + radius * sine, y: middle.y - radius * cosine)
      }
    }

    /// A part of a ring, with a gap to its neighbours that is equally wide at every radius.
    func sector(_ section: Int, from inner: Double, to outer: Double, gap: Double) -> [PixelPoint] {
      let half = 0.5 / Double(count)
      let middle = Double(section - 1) / Double(count)
      let stepCount = max(2, 72 / count)
      var points: [PixelPoint] = []
      for (radius, isBack) in [(outer, false), (inner, true)] {
        let reach = half - min(gap / (6.2831853 * radius), 0.9 * half)
        for step in 0...stepCount {
          let share = Double(isBack ? stepCount - step : step) / Double(stepCount)
          points.append(point(turns: middle - reach + 2 * reach * share, radius: radius))
        }
      }
      return points
    }
  }
}
