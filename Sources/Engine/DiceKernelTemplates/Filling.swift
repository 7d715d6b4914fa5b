/// Work on `T.rowCount` rows, from the row `start` on.
///
/// Tiles are handed to it one after the other; it is generic so that each is compiled for itself.
public protocol TileBody {
  /// Does the rows of one tile.
  func callAsFunction<T: Tile>(_: T.Type, start: Int)
}

/// How many rows, out of `count`, whole large tiles take; smaller tiles fill the rest.
///
/// One large tile less where too few rows would be left over for a tile of its own.
@_alwaysEmitIntoClient @inline(__always)
func rowsOfLargeTiles(_ count: Int, size: Int, leastRows: Int) -> Int {
  let rest = count % size
  let whole = count - rest
  return rest > 0 && rest < leastRows && whole > 0 ? whole - size : whole
}

/// Covers `count` rows with tiles: large ones, then one or two that fill the rest.
@_alwaysEmitIntoClient @inline(__always)
func forEachTile<Large: Tile, Single: Tile, Body: TileBody>(
  large: Large.Type, single: Single.Type, fillingLimit: Int, leastRows: Int, start: Int = 0,
  count: Int, body: Body
) {
  let end = start &+ rowsOfLargeTiles(count &- start, size: Large.rowCount, leastRows: leastRows)
  var start = start
  while start < end {
    body(large, start: start)
    start &+= Large.rowCount
  }
  while start < count {
    let rest = count &- start
    let size = rest <= fillingLimit ? rest : (rest &+ 1) / 2
    fill(single, fillingLimit: fillingLimit, count: size, start: start, body: body)
    start &+= size
  }
}

/// One tile of 1 to `fillingLimit` rows; sizes above the limit are not compiled.
@_alwaysEmitIntoClient @inline(__always)
func fill<Single: Tile, Body: TileBody>(
  _ single: Single.Type, fillingLimit: Int, count: Int, start: Int, body: Body
) {
  typealias Two = Joined<Single, Single>
  typealias Three = Joined<Two, Single>
  typealias Four = Joined<Two, Two>
  switch count {
  case 1: body(single, start: start)
  case 2: body(Two.self, start: start)
  case 3: body(Three.self, start: start)
  case 4 where fillingLimit >= 4: body(Four.self, start: start)
  case 5 where fillingLimit >= 5: body(Joined<Four, Single>.self, start: start)
  case 6 where fillingLimit >= 6: body(Joined<Four, Two>.self, start: start)
  case 7 where fillingLimit >= 7: body(Joined<Four, Three>.self, start: start)
  default: if fillingLimit >= 8 { body(Joined<Four, Four>.self, start: start) }
  }
}
