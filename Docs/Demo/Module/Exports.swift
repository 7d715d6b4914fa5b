import DiceVisionKit

// What the page calls. Pictures and weights are written into memory that `reserve` gives, numbers are
// read from where `results` says. Calls that can fail return −1 then, and `message` says why.
// `Docs/Demo/README.md` has the layout of the numbers.

@safe nonisolated(unsafe) private let session = Session()

/// Memory for bytes from outside; what stood there before is lost.
///
/// - Parameter place: 0 for a picture, 1 for the detector's weights, 2 for the second stage's.
/// - Returns: Where to write, or nil where there is no such place or no memory left.
@_expose(wasm, "reserve") @_cdecl("diceReserve")
func reserve(_ place: Int32, _ byteCount: Int32) -> UnsafeMutableRawPointer? {
  guard let place = Session.Place(rawValue: place), byteCount >= 0 else { return nil }
  return unsafe session.reserve(place, byteCount: Int(byteCount))
}

/// Makes the detector from the weights in places 1 and 2, and forgets all frames.
///
/// - Parameters:
///   - usesSecondStage: 0 to do without the second stage, and without the weights in place 2.
///   - tiling: 0 to do without tiled inference: small dice may be missed.
/// - Returns: 0, or −1.
@_expose(wasm, "open") @_cdecl("diceOpen")
func open(_ usesSecondStage: Int32, _ tiling: Int32) -> Int32 {
  session.attempt { (session) throws(SessionError) in
    try session.open(usesSecondStage: usesSecondStage != 0, tiling: tiling != 0)
  }
}

/// Finds the dice in the picture in place 0: `width` times `height` pixels of 4 bytes, red, green, blue,
/// and one that is ignored.
///
/// - Returns: The count of the numbers in `results`, or −1.
@_expose(wasm, "detect") @_cdecl("diceDetect")
func detect(_ width: Int32, _ height: Int32) -> Int32 {
  session.attempt { (session) throws(SessionError) in
    try session.detect(width: Int(width), height: Int(height))
  }
}

/// Takes in the picture in place 0 as the next frame of a camera.
///
/// - Parameter seconds: When it was taken, on any clock that does not run backwards.
/// - Returns: The count of the numbers in `results`, or −1.
@_expose(wasm, "follow") @_cdecl("diceFollow")
func follow(_ width: Int32, _ height: Int32, _ seconds: Double) -> Int32 {
  session.attempt { (session) throws(SessionError) in
    try session.follow(width: Int(width), height: Int(height), seconds: seconds)
  }
}

/// Forgets all frames: the next one begins another camera or film.
@_expose(wasm, "forget") @_cdecl("diceForget")
func forget() { session.forget() }

/// Where the numbers of the latest call stand, each of 8 bytes.
@_expose(wasm, "results") @_cdecl("diceResults")
func results() -> UnsafePointer<Double>? { unsafe UnsafePointer(session.results.base) }

/// Why the latest call failed: where the sentence stands, in UTF-8.
@_expose(wasm, "message") @_cdecl("diceMessage")
func message() -> UnsafePointer<UInt8>? { unsafe UnsafePointer(session.message.base) }

/// How many bytes the sentence has.
@_expose(wasm, "messageByteCount") @_cdecl("diceMessageByteCount")
func messageByteCount() -> Int32 { Int32(session.message.count) }
