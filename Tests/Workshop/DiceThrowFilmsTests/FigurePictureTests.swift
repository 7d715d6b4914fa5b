import DiceNumerics
import DiceThrowFilms
import DiceImaging
import DicePoses
import TestSupport
import Testing

@testable import DiceThrowFilms

@Suite struct FigurePictureTests {
  private static let background = PixelImage(
    width: 120, height: 100, format: .rgb,
    samples: (0..<120 * 100).flatMap { (_) -> [UInt8] in [255, 0, 255] })

  private static func isDrawn(_ image: PixelImage, _ x: Double, _ y: Double) -> Bool {
    let (column, row) = (Int(x), Int(y))
    guard (0..<image.width).contains(column), (0..<image.height).contains(row) else { return false }
    let pixel = 3 * (row * image.width + column)
    return Array(image.samples[pixel..<pixel + 3]) != [255, 0, 255]
  }

  @Test func jointsLieInTheFigureAndTheRestIsTheBackground() throws {
    var random = SplitMix64(seed: 4)
    var (joints, drawn, heads) = (0, 0, 0)
    var shares: [Double] = []
    for _ in 0..<60 {
      let picture = FigurePicture(over: Self.background, using: &random)
      #expect(picture.image.width == 120 && picture.image.height == 100)
      for joint in Joint.allCases {
        guard let place = picture.pose[joint]?.location else { continue }
        joints += 1
        if Self.isDrawn(picture.image, place.x, place.y) { drawn += 1 }
      }
      let head = try #require(picture.pose[.head]).location
      let top = try #require(picture.topOfHead)
      let neck = try #require(picture.pose[.neck]).location
      // The top is beyond the head's middle, as seen from the neck, wherever the camera is.
      let way = (x: head.x - neck.x, y: head.y - neck.y)
      let (across, along): (Double, Double) = (
        (top.x - head.x) * way.x, (top.y - head.y) * way.y
      )
      if across + along > 0 { heads += 1 }
      let pixels = (0..<12_000).count { (pixel: Int) -> Bool in
        Self.isDrawn(picture.image, Double(pixel % 120), Double(pixel / 120))
      }
      shares.append(Double(pixels) / (120 * 100))
    }
    expectEqual(joints, 60 * Joint.allCases.count)
    // A magenta shirt would be none.
    #expect(Double(drawn) > 0.97 * Double(joints), "\(drawn) of \(joints)")
    expectEqual(heads, 60)
    #expect(shares.allSatisfy { (0.02...0.35).contains($0) }, "\(shares)")
  }

  @Test func theSameChanceDrawsTheSamePeopleAndOtherChanceOthers() {
    func picture(_ seed: UInt64) -> FigurePicture {
      var random = SplitMix64(seed: seed)
      return FigurePicture(over: Self.background, using: &random)
    }
    #expect(picture(9).image == picture(9).image && picture(9).pose == picture(9).pose)
    #expect(picture(9).image != picture(10).image && picture(9).pose != picture(10).pose)
  }

  @Test func aFilmMovesBeforeAStillRoom() throws {
    var random = SplitMix64(seed: 12)
    let film = FigureFilm(.underleg, using: &random)
    let renderer = FigureFilmRenderer(film, using: &random)
    let (first, later) = (renderer.frame(0), renderer.frame(film.frameCount / 2))
    #expect(first == renderer.frame(0) && first != later)
    let pixelCount = first.width * first.height
    let changed = (0..<pixelCount).count { (pixel: Int) -> Bool in
      let samples = 3 * pixel..<3 * pixel + 3
      return first.samples[samples] != later.samples[samples]
    }
    #expect(changed > 0 && changed < pixelCount / 4)
  }

  @Test func clothesCoverAsMuchOfLimbsAsTheyReach() {
    var random = SplitMix64(seed: 3)
    let skeleton = FigureFilm(.none, using: &random).skeleton(frame: 0)
    var outfit = Outfit()
    func colors() -> [SIMD3<Double>] { BodyParts.limbs(of: skeleton, in: outfit).map(\.color) }
    let usual = colors()
    expectEqual(usual, BodyParts.limbs(of: skeleton).map(\.color))
    (outfit.sleeves, outfit.trouserLegs) = (0, 0)
    let bare = colors()
    (outfit.sleeves, outfit.trouserLegs) = (2, 2)
    let covered = colors()
    func count(_ colors: [SIMD3<Double>], _ color: SIMD3<Double>) -> Int {
      colors.count { $0 == color }
    }
    // Two bones of each limb, in one piece or two.
    #expect(count(bare, outfit.shirt) == 4 && count(covered, outfit.shirt) == 8)
    expectEqual(count(usual, outfit.shirt), 6)
    #expect(count(bare, outfit.trousers) == 1 && count(covered, outfit.trousers) == 5)
    expectEqual(count(bare, outfit.skin) - count(covered, outfit.skin), 8)
  }
}
