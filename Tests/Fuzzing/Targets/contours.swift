import DiceFields
import DiceGeometry
import DiceImaging

/// Contours of small pictures against what their parts say, and shapes of points of any bit pattern.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    switch reader.byte() % 5 {
    case 0: trace(&reader)
    case 1: measure(&reader)
    case 2: map(&reader)
    case 3: binarize(&reader)
    default: detect(&reader)
    }
  }

  /// A likely number, or one of any bit pattern.
  private static func number(_ reader: inout InputReader) -> Double {
    let kind = reader.byte()
    if kind < 8 { return reader.double() }
    let special: [Double] = [
      0, -0.0, 1, 0.5, -1, 1e-50, 1e300, -1e300, 1e-300, .infinity, -.infinity, .nan,
    ]
    if kind < 24 { return special[Int(kind) % special.count] }
    if kind < 128 { return Double(reader.byte()) }
    return Double(Int(reader.word(2)) - 32_768) / 16
  }

  private static func point(_ reader: inout InputReader) -> PixelPoint {
    PixelPoint(x: number(&reader), y: number(&reader))
  }

  private static func points(_ reader: inout InputReader) -> [PixelPoint] {
    var points: [PixelPoint] = []
    while !reader.isAtEnd, points.count < 80 { points.append(point(&reader)) }
    return points
  }

  // MARK: - Borders

  private static func picture(_ reader: inout InputReader) -> BinaryImage {
    let (width, height) = (1 + Int(reader.byte()) % 140, 1 + Int(reader.byte()) % 20)
    var image = BinaryImage(width: width, height: height)
    var word: UInt8 = 0
    for index in 0..<width * height {
      if index & 7 == 0 { word = reader.byte() }
      image[column: index % width, row: index / width] = word >> UInt8(index & 7) & 1 == 1
    }
    return image
  }

  private static func trace(_ reader: inout InputReader) {
    var tracer = ContourTracer()
    var tree = ContourTree()
    var components = ConnectedComponents()
    // Twice with the same memory.
    for _ in 0..<2 {
      let image = picture(&reader)
      tracer.trace(image, chain: .everyPixel, into: &tree)
      components.find(in: image)
      var outerCount = 0
      for index in tree.indices {
        let contour = tree[index]
        let walk = Array(contour.points)
        require(!walk.isEmpty, "a contour has points")
        for (point, next) in zip(walk, walk.dropFirst() + walk.prefix(1)) {
          require(image[column: point.column, row: point.row], "borders lie on foreground")
          require(
            abs(point.column - next.column) <= 1 && abs(point.row - next.row) <= 1,
            "points are neighbours")
        }
        if !contour.isHole { outerCount += 1 }
        require(contour.isHole == (contour.depth % 2 == 1), "kinds take turns")
        if let parent = contour.parent {
          require(parent.index < index, "parents come first")
          require(parent.childContours.contains { $0.index == index }, "and know their children")
        }
      }
      require(outerCount == components.components.count, "an outer border for each part")
      require(
        tree.contourCount - outerCount == holeCount(of: image), "a border for each hole")
      let area = components.components.reduce(0) { $0 + $1.area }
      require(area == image.foregroundCount, "all pixels belong to a part")
      let lengths = tree.indices.map { Polygon(tree[$0].path).perimeter }
      tracer.trace(image, chain: .corners, into: &tree)
      for index in tree.indices {
        let length = Polygon(tree[index].path).perimeter
        require(abs(length - lengths[index]) <= 1e-9 * length, "corners leave the length")
      }
    }
  }

  /// The parts of the ground, in a picture with an edge of ground, but the one outside.
  private static func holeCount(of image: BinaryImage) -> Int {
    var ground = BinaryImage(width: image.width + 2, height: image.height + 2)
    for row in -1...image.height {
      for column in -1...image.width where !image[column: column, row: row] {
        ground[column: column + 1, row: row + 1] = true
      }
    }
    var components = ConnectedComponents()
    components.find(in: ground, connectivity: .four)
    return components.components.count - 1
  }

  // MARK: - Shapes

  private static func measure(_ reader: inout InputReader) {
    let epsilon = number(&reader)
    let probe = point(&reader)
    let polygon = Polygon(points(&reader))
    let isFinite = polygon.points.allSatisfy { $0.isFinite }
    let extent = polygon.points.reduce(1) { max($0, abs($1.x), abs($1.y)) }
    _ = (polygon.area, polygon.perimeter, polygon.boundingBox, polygon.isConvex)
    _ = (polygon.contains(probe), polygon.moments.centroid)
    for isClosed in [false, true] {
      let approximated = polygon.approximated(epsilon: epsilon, isClosed: isClosed)
      require(approximated.points.count <= max(polygon.points.count, 2), "no more corners")
      require(approximated.points.isEmpty == polygon.points.isEmpty, "some stay")
    }
    let overlap = polygon.intersectionOverUnion(with: Polygon(Array(polygon.points.dropFirst(3))))
    require(overlap >= 0 && overlap <= 1, "an overlap is a share")
    let hull = polygon.convexHull
    require(hull.points.allSatisfy { $0.isFinite }, "hulls are finite")
    if isFinite, extent < 1e6, let rectangle = polygon.minimumAreaRectangle {
      require(rectangle.area <= 4 * extent * extent * 1.001, "a rectangle not above the box")
      if let circle = polygon.minimumEnclosingCircle {
        for point in polygon.points {
          let distance = point.squaredDistance(to: circle.center).squareRoot()
          require(distance <= circle.radius + 1e-6 * extent, "a circle around all")
        }
      }
    } else {
      _ = (polygon.minimumAreaRectangle?.corners, polygon.minimumEnclosingCircle)
    }
    for isDirect in [false, true] {
      do throws(ShapeFittingError) {
        let ellipse =
          isDirect
          ? try Ellipse(directlyFitting: polygon.points) : try Ellipse(fitting: polygon.points)
        require(ellipse.semiMinorAxis <= ellipse.semiMajorAxis, "the long axis is the longer")
        require(ellipse.angle.magnitude <= 90, "angles of half a turn")
        _ = ellipse.rootMeanSquareDistance(of: polygon.points)
      } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
    }
  }

  // MARK: - Planes

  private static func map(_ reader: inout InputReader) {
    func quadrilateral() -> Quadrilateral {
      Quadrilateral(
        upperLeft: point(&reader), upperRight: point(&reader), lowerRight: point(&reader),
        lowerLeft: point(&reader))
    }
    let (first, second) = (quadrilateral(), quadrilateral())
    let overlap = first.intersectionOverUnion(with: second)
    require(overlap >= 0 && overlap <= 1, "an overlap is a share")
    let ordered = first.clockwiseFromUpperLeft()
    require(!first.isFinite || Set(ordered.corners) == Set(first.corners), "the same corners")
    require(!first.isConvex || ordered.signedArea >= 0, "clockwise")
    if let map = Homography(from: first, to: second) {
      require(map.isFinite, "a map is finite")
      _ = (map.inverse, map.normalized, map.map(first))
    }
    let (threshold, focalLength) = (number(&reader), number(&reader))
    let center = point(&reader)
    var correspondences: [PointCorrespondence] = []
    while !reader.isAtEnd, correspondences.count < 24 {
      let (source, target) = (point(&reader), point(&reader))
      correspondences.append(
        PointCorrespondence(
          source: source, target: target, weight: reader.byte() < 240 ? 1 : number(&reader)))
    }
    do throws(HomographyError) {
      let map = try Homography(fitting: correspondences)
      require(map.isFinite, "a map is finite")
      for correspondence in correspondences {
        require(map.weight(at: correspondence.source) > 0, "what is seen is in front")
      }
      _ = CameraPose.focalLength(of: map, principalPoint: center)
      let pose = try CameraPose(
        homography: map, focalLength: focalLength, principalPoint: center)
      let refined = pose.refined(with: correspondences)
      require(refined.isFinite, "a pose is finite")
      _ = (refined.tilt, refined.position, refined.height, refined.homography)
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
    do throws(HomographyError) {
      let consensus = try Homography.consensus(
        of: correspondences, threshold: threshold, maximumDrawCount: 20)
      require(consensus.inliers.count >= 4, "four agree")
      require(consensus.rootMeanSquareError <= threshold, "within the threshold")
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
  }

  // MARK: - Pictures

  private static func binarization(_ reader: inout InputReader) -> Binarization {
    let (size, offset) = (Int(reader.byte()) - 2, Int(reader.word(2)) - 32_768)
    return switch reader.byte() % 5 {
    case 0: .fixed(threshold: offset)
    case 1: .otsu
    case 2: .adaptiveMean(blockSize: size, offset: offset >> 8)
    case 3: .adaptiveMean(blockSize: .max, offset: .min)
    default: .adaptiveGaussian(blockSize: size & 15, offset: offset >> 8)
    }
  }

  private static func binarize(_ reader: inout InputReader) {
    var binarizer = Binarizer()
    var (dark, light) = (BinaryImage(width: 1, height: 1), BinaryImage(width: 1, height: 1))
    for _ in 0..<2 {
      let (width, height) = (1 + Int(reader.byte()) % 140, 1 + Int(reader.byte()) % 12)
      let binarization = binarization(&reader)
      var image = GrayImage(width: width, height: height)
      for row in 0..<height {
        for column in 0..<width { image[column: column, row: row] = reader.byte() }
      }
      binarizer.binarize(image, binarization, polarity: .darkOnLight, into: &dark)
      binarizer.binarize(image, binarization, polarity: .lightOnDark, into: &light)
      require(
        dark.foregroundCount + light.foregroundCount == width * height, "each pixel is one of two")
    }
  }

  private static func detect(_ reader: inout InputReader) {
    var options = ContourDetector.Options()
    let flags = reader.byte()
    if flags & 1 == 1 { options.contrastAdjustment = number(&reader) }
    if flags & 2 == 2 { options.contrastPivot = number(&reader) }
    if flags & 4 == 4 { options.maximumDimension = Int(reader.byte()) }
    if flags & 8 == 8 { options.maximumDimension = nil }
    if flags & 16 == 16 {
      options.regionOfInterest = NormalizedRect(
        x: number(&reader) / 255, y: number(&reader) / 255, width: number(&reader) / 255,
        height: number(&reader) / 255)
    }
    if flags & 32 == 32 { options.threshold = .adaptiveMean(blockSize: 5, offset: 3) }
    options.detectsDarkOnLight = flags & 64 == 0
    let (width, height) = (1 + Int(reader.byte()), 1 + Int(reader.byte()) % 40)
    let orientation = ImageOrientation.allCases[Int(reader.byte() % 8)]
    let formats: [PixelImage.Format] = [.gray, .rgb, .rgba]
    let format = formats[Int(reader.byte() % 3)]
    var samples = reader.rest()
    let count = width * height * format.channelCount
    samples.append(contentsOf: repeatElement(200, count: max(0, count - samples.count)))
    let image = PixelImage(
      width: width, height: height, format: format, samples: Array(samples.prefix(count)),
      orientation: orientation)
    var detector = ContourDetector(options)
    do throws(ContourError) {
      let tree = try detector.detect(in: image)
      for contour in tree.topLevelContours.prefix(5) {
        for point in contour.normalizedPath {
          require(
            point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1,
            "contours lie in the picture")
        }
      }
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 7)
    return (0..<40).map { (index) in
      let random = (0..<300).map { (_) in UInt8.random(in: 0...255, using: &generator) }
      return [UInt8(index % 5)] + random
    }
  }
}
