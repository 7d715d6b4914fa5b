public import DiceGeometry
public import DiceImaging
public import DicePoses

/// A picture of a drawn person whose joints are known: a frame of a figure's film, near and from any side.
public struct FigurePicture: Sendable {
  /// The picture, red, green and blue.
  public let image: PixelImage
  /// Where the joints are, hidden or not, in pixels.
  public let pose: Pose
  /// Where the top of the head is, in pixels.
  public let topOfHead: PixelPoint?

  /// Draws somebody by chance.
  ///
  /// - Parameters:
  ///   - background: what is behind the person, red, green and blue; the picture has its size.
  ///   - random: what decides who it is, what is done, and who looks.
  /// - Complexity: O(pixels).
  public init(over background: PixelImage, using random: inout some RandomNumberGenerator) {
    let actions = FigureAction.allCases
    let film = FigureFilm(actions[Int(random.next() % UInt64(actions.count))], using: &random)
    let frame = Int(random.next() % UInt64(film.frameCount))
    let skeleton = film.skeleton(frame: frame)
    var camera = film.camera
    (camera.width, camera.height) = (background.width, background.height)
    camera.elevation = random.between(-8, 35)
    camera.target = (skeleton[.root] + skeleton[.neck]) / 2 - SIMD3(0, 0, 0.15)
    // A person of two metres fits with raised arms.
    camera.focalLength =
      random.between(0.3, 0.42) * Double(min(background.width, background.height)) * camera.distance
    image = FigureFilmRenderer(film, camera: camera, over: background, using: &random).frame(frame)
    pose = camera.pose(of: skeleton)
    let (head, neck) = (skeleton[.head], skeleton[.neck])
    topOfHead = camera.project(head + (head - neck).unit * 0.13)
  }
}
