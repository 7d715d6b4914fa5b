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
      let sorted = order.sorted(row.members)
      for start in sorted.indices {
        for end in start + 1...min(start + PieceSearch.piecesPerDigit, sorted.count) {
          let group = Array(sorted[start..<end])
          let height = Float(ink.box(of: group).rows.count)
          guard end == start + 1 || order.fits(group, unit: row.unit),
            height >= Float(PieceRows.leastHeight), height >= 0.25 * row.unit
          else { continue }
          groups.append(group)
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
