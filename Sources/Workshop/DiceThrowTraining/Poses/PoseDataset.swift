public import DiceCodecs
public import DiceFiles
public import DiceGeometry
public import DiceImaging
internal import DicePoses
internal import DiceNumerics
internal import ThrowVisionKit

/// Photos of people whose joints are labelled.
///
/// A data set is a folder with the pictures in `images` and the labels in `annotations.json`:
///
///     {"joints": [names], "images": [{"image", "people": [{"joints": [[x, y, v], ...]}]}]}
///
/// Places are pixels from the top left. `v` is 2 for a joint that is seen and labelled; others are passed
/// over. Names are those of ``DicePoses/Joint`` and `topOfHead`; others are passed over, too.
public struct PoseDataset: Sendable {
  /// A person in one of the pictures.
  public struct Person: Hashable, Sendable {
    /// The path of the picture's file.
    public var path: String
    /// The name of the picture in the labels.
    public var image: String
    /// Where each joint is: places in the order of ``labels``, nil for those that are not labelled.
    public var places: [PixelPoint?]
    /// How many rows of the picture are shown, from the top; nil for all.
    public var rowCount: Int?
    /// The labelled joints that lie below the rows that are shown, by index of ``labels``.
    public var cutOff: [Int] = []

    /// A person.
    public init(path: String, image: String, places: [PixelPoint?]) {
      self.path = path
      self.image = image
      self.places = places
    }

    /// The person with the picture cut off below the hips, as somebody at a table is seen; nil where the person
    /// is not upright, or fewer than four joints are left.
    public var cutBelowHips: Person? {
      guard let neck = places[PoseHead.neck], let left = places[PoseHead.leftHip],
        let right = places[PoseHead.rightHip]
      else { return nil }
      let (across, up) = (neck.x - (left.x + right.x) / 2, (left.y + right.y) / 2 - neck.y)
      guard up > abs(across), let last = Int(exactly: (max(left.y, right.y) + 0.1 * up).rounded()),
        last >= 1
      else { return nil }
      var cut = self
      cut.rowCount = last
      for (joint, place) in places.enumerated() where place.map({ $0.y >= Double(last) }) == true {
        cut.places[joint] = nil
        cut.cutOff.append(joint)
      }
      guard cut.places.count(where: { $0 != nil }) >= 4, cut.jointBox != nil else { return nil }
      return cut
    }

    /// The box around the labelled joints; nil where it has no area.
    public var jointBox: BoundingBox? {
      let known = places.compactMap { $0 }
      guard let first = known.first else { return nil }
      var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
      for place in known {
        (left, right) = (min(left, place.x), max(right, place.x))
        (top, bottom) = (min(top, place.y), max(bottom, place.y))
      }
      guard right > left, bottom > top else { return nil }
      return BoundingBox(x: left, y: top, width: right - left, height: bottom - top)
    }
  }

  /// What each place of a person is called, in order.
  public static let labels = PoseHead.labels

  private static func index(of name: String) -> Int? {
    labels.firstIndex(of: Joint(name: name)?.name ?? name)
  }

  /// The people who have a box.
  public private(set) var people: [Person]

  /// A set of people.
  public init(_ people: [Person]) { self.people = people.filter { $0.jointBox != nil } }

  /// Reads the labels of a folder, not its pictures.
  ///
  /// - Throws: the rule that the folder breaks.
  public init(folder: String) throws(PoseDatasetError) {
    let path = Paths.joined(folder, "annotations.json")
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: Self.fileByteLimit)
    } catch { throw .file(error) }
    let root: JSONValue
    do throws(JSONError) { root = try JSONReader.parse(bytes) } catch {
      throw .json(path: path, error)
    }
    guard let names = root["joints"]?.array?.map({ $0.string ?? "" }),
      let images = root["images"]?.array
    else { throw .field(path: path, image: nil) }
    let columns = names.map { Self.index(of: $0) }
    var people: [Person] = []
    for entry in images {
      guard let image = entry["image"]?.string, let persons = entry["people"]?.array else {
        throw .field(path: path, image: entry["image"]?.string)
      }
      for person in persons {
        guard let joints = person["joints"]?.array, joints.count == names.count else {
          throw .field(path: path, image: image)
        }
        var places = [PixelPoint?](repeating: nil, count: Self.labels.count)
        for (column, joint) in zip(columns, joints) {
          guard let numbers = joint.array, numbers.count == 3, let x = numbers[0].number,
            let y = numbers[1].number, let seen = numbers[2].number,
            x.magnitude <= Pose.greatestCoordinate, y.magnitude <= Pose.greatestCoordinate
          else { throw .field(path: path, image: image) }
          if let column, seen == 2 { places[column] = PixelPoint(x: x, y: y) }
        }
        people.append(
          Person(
            path: Paths.joined(folder, "images", image), image: image, places: places))
      }
    }
    self.init(people)
  }

  /// The most bytes of a file.
  public static let fileByteLimit = 1 << 28

  /// Those in every tenth picture, by a number made of its name, or all others.
  public func part(isLeftOut: Bool) -> PoseDataset {
    PoseDataset(
      people.filter { (XXHash64.hash(Array($0.image.utf8)) % 10 == 0) == isLeftOut })
  }

  /// Those people who are upright, with their pictures cut off below the hips.
  public var cutBelowHips: PoseDataset { PoseDataset(people.compactMap(\.cutBelowHips)) }

  /// The people of each picture, in the order in which pictures come first.
  var byPicture: [[Person]] {
    var order: [String: Int] = [:]
    var groups: [[Person]] = []
    for person in people {
      if let index = order[person.path] {
        groups[index].append(person)
      } else {
        order[person.path] = groups.count
        groups.append([person])
      }
    }
    return groups
  }

  /// The upright picture of a person, or the rows of it that are shown.
  public static func picture(of person: Person) throws(PoseDatasetError) -> PixelImage {
    let image = try picture(at: person.path)
    guard let rows = person.rowCount, rows > 0, rows < image.height else { return image }
    return image.cropped(columns: 0..<image.width, rows: 0..<rows)
  }

  /// An upright picture.
  public static func picture(at path: String) throws(PoseDatasetError) -> PixelImage {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: fileByteLimit)
    } catch { throw .file(error) }
    do throws(ImageDecodingError) { return try ImageDecoder.decode(bytes).oriented() } catch {
      throw .image(path: path, error)
    }
  }
}

/// Why photos of people cannot be learnt from.
public enum PoseDatasetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file cannot be read.
  case file(FileError)
  /// The labels are not JSON.
  case json(path: String, JSONError)
  /// A field of the labels is missing or of another kind; the picture it belongs to.
  case field(path: String, image: String?)
  /// A picture cannot be decoded.
  case image(path: String, ImageDecodingError)
  /// The network is not one that is shown a picture and proposes boxes; the rule that it breaks.
  case network(String)
  /// There is nobody to learn from.
  case empty

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .json(let path, let error): "\(path): \(error)"
    case .field(let path, let image):
      image.map {
        "\(path): The entry of \"\($0)\" must have people with [x, y, v] for each joint."
      } ?? "\(path): There must be \"joints\" and \"images\", each image with a name and people."
    case .image(let path, let error): "\(path): \(error)"
    case .network(let rule): rule
    case .empty: "No picture shows a person with labelled joints."
    }
  }
}
