public import DiceImaging
internal import DiceGeometry
internal import DicePoses

/// Draws the frames of a figure's film: somebody by chance, in light from anywhere, before any picture.
public struct FigureFilmRenderer: Sendable {
  /// The film.
  public let film: FigureFilm
  /// Who looks.
  public let camera: FigureCamera
  private let view: FilmCamera
  private let outfit: Outfit
  private let light: SIMD3<Double>
  private let bagColor: SIMD3<Double>?
  private let background: [UInt8]

  /// A renderer.
  ///
  /// - Parameters:
  ///   - film: the film.
  ///   - camera: who looks; nil for the film's camera.
  ///   - background: what is behind the figure, as large as the camera's picture, red, green and blue; nil for a
  ///     floor before a wall.
  ///   - random: what decides clothes, light and the thing in the hand.
  /// - Precondition: a background has the camera's size and three channels.
  public init(
    _ film: FigureFilm, camera: FigureCamera? = nil, over background: PixelImage? = nil,
    using random: inout some RandomNumberGenerator
  ) {
    self.film = film
    let camera = camera ?? film.camera
    self.camera = camera
    view = FilmCamera(camera)
    outfit = Outfit(using: &random)
    light = SIMD3(
      random.between(-1, 1), random.between(-1, 1), random.between(0.1, 1.2))
    let color = SIMD3(
      random.between(20, 240), random.between(20, 240), random.between(20, 240))
    bagColor = random.next() % 2 == 0 ? color : nil
    if let background {
      precondition(
        background.format == .rgb && background.width == camera.width
          && background.height == camera.height,
        "a background has the camera's size and three channels")
      self.background = background.samples
    } else {
      self.background = Self.room(view, using: &random)
    }
  }

  /// A frame.
  ///
  /// - Complexity: O(pixels).
  public func frame(_ index: Int) -> PixelImage {
    let skeleton = film.skeleton(frame: index)
    var canvas = FilmCanvas(view, samples: background, light: light)
    if let bagColor, let release = film.releaseFrame, Double(index) < release,
      let hand = film.motion.hand
    {
      canvas.drawBag(at: ThrowFilm.grip(skeleton, hand: hand), isDown: false, color: bagColor)
    }
    canvas.draw(BodyParts.limbs(of: skeleton, in: outfit))
    return PixelImage(
      width: camera.width, height: camera.height, format: .rgb, samples: canvas.samples)
  }

  /// A floor before a wall, both spotted.
  private static func room(
    _ view: FilmCamera, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let texture = FilmTexture(seed: random.next())
    let colors = (0..<2).map { (_) in
      SIMD3(random.between(40, 230), random.between(40, 230), random.between(40, 230))
    }
    let spots = (0..<2).map { (_) in (random.between(0.05, 0.6), random.between(0.1, 0.5)) }
    // How far behind the middle of the picture the wall is, in metres.
    let wall = random.between(0.8, 5)
    var samples: [UInt8] = []
    samples.reserveCapacity(3 * view.camera.width * view.camera.height)
    for row in 0..<view.camera.height {
      for column in 0..<view.camera.width {
        let ray = view.ray(x: Double(column) + 0.5, y: Double(row) + 0.5)
        let down = ray.z < 0 ? -view.position.z / ray.z : .infinity
        let back = view.camera.distance + wall
        let isFloor = down < back
        let place = view.position + ray * (isFloor ? max(0, down) : back)
        let (size, contrast) = spots[isFloor ? 0 : 1]
        let spot = texture.value(
          place.x + 0.3 * place.y, isFloor ? place.y : place.z + 0.3 * place.y, size)
        let color = colors[isFloor ? 0 : 1] * (1 + contrast * (spot - 0.5))
        for channel in 0..<3 { samples.append(UInt8(min(max(color[channel], 0), 255))) }
      }
    }
    return samples
  }
}
