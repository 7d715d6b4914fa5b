internal import DiceGeometry

extension RollTracker {
  /// Whether there is or was a field of play that the state tells of.
  var hasFieldState: Bool {
    if field != nil { return true }
    for track in tracks where track.isOutside { return true }
    guard let lastRoll else { return false }
    if !lastRoll.outside.isEmpty { return true }
    for die in lastRoll.dice where die.place != nil { return true }
    return false
  }

  /// The field, which dice are outside, the result's dice outside, and where its dice stand.
  func encodeField(to writer: inout StateWriter) {
    writer.flag(field != nil)
    if let field {
      for index in 0..<4 {
        writer.double(field.corners[index].x)
        writer.double(field.corners[index].y)
      }
      writer.flag(field.size != nil)
      writer.double(field.size?.width ?? 0)
      writer.double(field.size?.height ?? 0)
      writer.uint8(field.playerSide.rawValue)
    }
    for track in tracks { writer.flag(track.isOutside) }
    guard let lastRoll else { return }
    encode(lastRoll.outside, to: &writer)
    for die in lastRoll.dice { encode(die.place, to: &writer) }
    for die in lastRoll.outside { encode(die.place, to: &writer) }
  }

  private func encode(_ place: FieldPlace?, to writer: inout StateWriter) {
    writer.flag(place != nil)
    guard let place else { return }
    writer.double(place.foot.x)
    writer.double(place.foot.y)
    writer.flag(place.isOutside)
    writer.flag(place.isCocked)
    for pair in [place.centimeters, place.fromPlayer] {
      writer.flag(pair != nil)
      writer.double(pair?.x ?? 0)
      writer.double(pair?.y ?? 0)
    }
  }

  mutating func readField(from reader: inout StateReader) throws(TrackerStateError) {
    var outside: [Bool] = []
    if try reader.flag("field") { field = try Self.field(from: &reader) }
    for _ in tracks { outside.append(try reader.flag("isOutside")) }
    for index in tracks.indices { tracks[index].isOutside = outside[index] }
    guard var roll = lastRoll else { return }
    roll.outside = try readDice(from: &reader)
    for index in roll.dice.indices { roll.dice[index].place = try Self.place(from: &reader) }
    for index in roll.outside.indices { roll.outside[index].place = try Self.place(from: &reader) }
    lastRoll = roll
  }

  private static func field(
    from reader: inout StateReader
  ) throws(TrackerStateError) -> PlayingField {
    let reach = -PlayingField.reach...PlayingField.reach
    var corners = Quadrilateral(BoundingBox(x: 0, y: 0, width: 1, height: 1))
    for index in 0..<4 {
      let x = try reader.double("field", reach)
      corners[index] = PixelPoint(x: x, y: try reader.double("field", reach))
    }
    let hasSize = try reader.flag("field")
    let width = try reader.double("field", 0...PlayingField.lengths.upperBound)
    let height = try reader.double("field", 0...PlayingField.lengths.upperBound)
    guard let side = PlayingField.Side(rawValue: try reader.uint8("field", below: 4)) else {
      throw .fieldOutOfRange(name: "field", offset: reader.offset)
    }
    do throws(PlayingFieldError) {
      return try PlayingField(
        corners: corners,
        size: hasSize ? PlayingField.Size(width: width, height: height) : nil, playerSide: side)
    } catch {
      throw .fieldOutOfRange(name: "field", offset: reader.offset)
    }
  }

  private static func place(
    from reader: inout StateReader
  ) throws(TrackerStateError) -> FieldPlace? {
    guard try reader.flag("place") else { return nil }
    let wide = -1e16...1e16
    let x = try reader.double("place", wide)
    let foot = PixelPoint(x: x, y: try reader.double("place", wide))
    let isOutside = try reader.flag("place")
    let isCocked = try reader.flag("place")
    var pairs: [SIMD2<Double>?] = []
    for _ in 0..<2 {
      let isKnown = try reader.flag("place")
      let x = try reader.double("place", wide)
      let y = try reader.double("place", wide)
      pairs.append(isKnown ? SIMD2(x, y) : nil)
    }
    return FieldPlace(
      foot: foot, isOutside: isOutside, isCocked: isCocked, centimeters: pairs[0],
      fromPlayer: pairs[1])
  }
}
