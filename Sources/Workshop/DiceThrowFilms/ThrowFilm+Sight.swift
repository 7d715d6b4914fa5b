extension ThrowFilm {
  /// Where a throw's bag is seen in a frame; nil where it is not in the air.
  ///
  /// Whether something is before the bag is not looked at.
  ///
  /// - Precondition: `index` is one of ``throwsInOrder``.
  public func sight(ofThrow index: Int, frame: Int) -> FlightFilm.Sight? {
    let flight = throwsInOrder[index]
    let time = time(of: frame) - flight.releaseTime
    guard time >= 0, flight.releaseTime + time <= flight.landingTime else { return nil }
    let place = flight.start + flight.velocity * time + SIMD3(0, 0, -4.905 * time * time)
    guard let seen = FilmCamera(camera).project(place) else { return nil }
    let isInside =
      seen.x >= 0 && seen.y >= 0 && seen.x < Double(camera.width)
      && seen.y < Double(camera.height)
    return FlightFilm.Sight(
      x: seen.x, y: seen.y, radius: Self.bagRadius * camera.focalLength / seen.depth,
      isVisible: isInside)
  }
}
