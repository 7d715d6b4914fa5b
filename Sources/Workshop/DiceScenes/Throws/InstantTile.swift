/// A tile of the picture at one instant of a throw.
final class InstantTile {
  private let tracer: PictureTracer
  private let candidates: Candidates
  private let left: Int
  private let top: Int
  private var lights: TileLights

  init(
    _ tracer: PictureTracer, _ columns: Range<Int>, _ rows: Range<Int>, _ candidates: Candidates
  ) {
    self.tracer = tracer
    self.candidates = candidates
    left = columns.lowerBound
    top = rows.lowerBound
    lights = TileLights(tracer.stage, left: left, top: top, candidates: candidates)
  }

  /// Looks at a pixel's centre: the light from there, or nil where the ground is seen, which is added
  /// to the sum.
  func look(_ x: Int, _ y: Int, _ ground: inout GroundSum) -> Vector3? {
    let stage = tracer.stage
    let ray = stage.camera.ray(Float(x) + 0.5, Float(y) + 0.5)
    let hit = stage.trace(ray, among: candidates.visible)
    guard hit.target == .ground else { return tracer.shaded(ray, hit, candidates).colour }
    let point =
      ground.point ?? stage.groundPoint(ray, distance: hit.distance, candidates: candidates)
    ground.point = point
    let light = lights.light(column: x - left, row: y - top, at: point.place)
    // What the ground mirrors moves.
    if point.isMirror && !candidates.near.isEmpty {
      return tracer.tamed(stage.shade(point, light, candidates))
    }
    ground.light += light
    ground.count += 1
    return nil
  }

  /// The sum of the light that comes from the ground.
  func colour(of ground: GroundSum) -> Vector3 {
    guard let point = ground.point, ground.count > 0 else { return .zero }
    let mean = tracer.tamed(
      tracer.stage.shade(point, ground.light * (1 / ground.count), candidates))
    return Vector3(min(mean.x, 4), min(mean.y, 4), min(mean.z, 4)) * ground.count
  }
}

/// The ground at a pixel at several instants: its look, which stays, and the sum of the light on it.
struct GroundSum {
  fileprivate var point: GroundPoint?
  fileprivate var light = GroundLight.dark
  /// At how many instants the ground was seen.
  fileprivate(set) var count: Float = 0

  init() {}
}
