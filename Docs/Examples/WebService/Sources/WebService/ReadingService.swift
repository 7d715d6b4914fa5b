import DiceServer
import DiceVisionKit
import Foundation
import ServiceSupport

/// Answers requests: what is the service's own, whatever server carries it.
///
///     GET  /        a page to try it with
///     GET  /health  "ok"
///     POST /read    the body is a picture (PNG, JPEG, PPM, PGM); the answer is JSON
///
/// `POST /read?confidence=0.5` says how sure a reading must be.
struct ReadingService: Sendable {
  /// One detector for all requests: it is `Sendable`, and copies share its network.
  private let detector: DiceDetector
  private let limits: Limits
  private let gate: Gate

  /// - Throws: `DetectorError`.
  init(limits: Limits = Limits()) throws {
    self.limits = limits
    gate = Gate(places: limits.readingCount)
    // As many threads for a picture as are left when `readingCount` pictures are read at once.
    let processors = ProcessInfo.processInfo.activeProcessorCount
    detector = try DiceDetector(
      configuration: .init(threadCount: max(1, processors / limits.readingCount)))
  }

  /// The response to a request, computed on the caller's thread.
  func respond(to request: HTTPRequest) -> HTTPResponse {
    do {
      switch (request.method, request.path) {
      case ("GET", "/"):
        return HTTPResponse(
          status: 200, contentType: "text/html; charset=utf-8", body: Array(Self.page.utf8))
      case ("GET", "/health"):
        return HTTPResponse(status: 200, contentType: "text/plain", body: Array("ok\n".utf8))
      case ("POST", "/read"):
        return try Self.json(Answer(try read(request)), status: 200)
      case (_, "/"), (_, "/health"), (_, "/read"):
        throw HTTPError(405, "\(request.method) is not for \(request.path).")
      default:
        throw HTTPError(404, "There is nothing at this path.")
      }
    } catch let error as HTTPError {
      return HTTPResponse.refusal(error)
    } catch {
      return HTTPResponse.refusal(HTTPError(500, "The picture could not be read."))
    }
  }

  // MARK: - Reading

  private func read(_ request: HTTPRequest) throws -> DetectionResult {
    var thresholds = Thresholds()
    if let text = request.query["confidence"] {
      guard let confidence = Float(text), (0...1).contains(confidence) else {
        throw HTTPError(400, "confidence must be a number from 0 to 1.")
      }
      thresholds.confidenceThreshold = confidence
    }
    guard gate.enter(within: limits.waitingTime) else {
      throw HTTPError(503, "Too many pictures at once: please come again.")
    }
    defer { gate.leave() }
    do {
      return try detector.detect(
        inImageFile: request.body, limits: DecodingLimits(pixelCount: limits.pixelCount),
        thresholds: thresholds)
    } catch .image(let error) {
      // The sender's mistake, in a sentence that names the broken rule.
      throw HTTPError(422, error.description)
    }
  }

  // MARK: - JSON

  /// What a client gets; a part of the service's own contract, so it is spelled out here.
  struct Answer: Codable, Hashable {
    struct Die: Codable, Hashable {
      var value: Int
      var confidence: Double
      /// Pixels of the upright picture, from its upper left corner.
      var x, y, width, height: Double
    }

    var values: [Int]
    var sum: Int
    var width: Int
    var height: Int
    var dice: [Die]
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return encoder
  }

  private static func json(_ answer: Answer, status: Int) throws -> HTTPResponse {
    HTTPResponse(status: status, body: Array(try encoder.encode(answer)) + [10])
  }

  private static let page = """
    <!doctype html><meta name="viewport" content="width=device-width">
    <title>Dice</title>
    <h1>Which values do the dice show?</h1>
    <input type="file" accept="image/*" capture="environment">
    <p id="answer"></p>
    <script>
      document.querySelector("input").onchange = async (event) => {
        const answer = document.getElementById("answer");
        const response = await fetch("/read", { method: "POST", body: event.target.files[0] });
        const found = await response.json();
        answer.textContent = found.error ?? found.values.join(" ") + ", sum " + found.sum;
      };
    </script>

    """
}

extension ReadingService.Answer {
  /// What was found, with numbers short enough to read.
  init(_ result: DetectionResult) {
    func rounded(_ number: Double, to places: Double) -> Double {
      (number * places).rounded() / places
    }
    values = result.values
    sum = result.sum
    width = result.uprightWidth
    height = result.uprightHeight
    dice = result.observations.map { die in
      Die(
        value: die.value, confidence: rounded(Double(die.confidence), to: 1000),
        x: rounded(die.boundingBox.x, to: 10), y: rounded(die.boundingBox.y, to: 10),
        width: rounded(die.boundingBox.width, to: 10),
        height: rounded(die.boundingBox.height, to: 10))
    }
  }
}
