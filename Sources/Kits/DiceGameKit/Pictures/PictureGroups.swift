/// The groups of ink in a picture that a search for numbers reads: neighbouring pieces of a line.
package struct PictureGroups: Sendable {
  private let ink: InkPieces
  /// The members of each group, in the order of the search.
  private let groups: [[Int]]

  /// The groups of a picture whose ink is dark on light, or light on dark.
  ///
  /// - Complexity: O(pixels).
  package init(_ picture: NumberPicture, isDarkOnLight: Bool) {
    let ground = PictureGround(
      picture.samples, width: picture.width, height: picture.height,
      polarity: isDarkOnLight ? .darkOnLight : .lightOnDark)
    let (ink, rows) = PictureNumberReader.pieces(on: ground)
    let order = PieceOrder(ink: ink)
    var groups: [[Int]] = []
    for row in rows {
      for part in order.parts(of: row.members) {
        for start in part.indices {
          for group in order.groups(from: start, in: part, unit: row.unit)
          where PieceOrder.hasShape(height: ink.box(of: group).rows.count, unit: row.unit) {
            groups.append(Array(group))
          }
        }
      }
    }
    self.ink = ink
    self.groups = groups
  }

  /// How many there are.
  package var count: Int { groups.count }

  /// The picture that the networks see of a group.
  ///
  /// - Precondition: there is a group with this index.
  package func bitmap(_ index: Int) -> DigitBitmap { DigitBitmap(ink.raster(of: groups[index])) }

  /// The pixels of a group's own ink: their places row by row.
  ///
  /// - Precondition: there is a group with this index.
  package func places(_ index: Int) -> [Int] {
    groups[index].flatMap { member in
      ink.pieces[member].runs.flatMap { run in
        run.columns.map { run.row * ink.width + $0 }
      }
    }
  }
}
