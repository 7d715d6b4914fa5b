/// The files under `Fixtures/`; programs run in the checkout's root.
enum Fixtures {
  static func bytes(_ name: String) -> [UInt8] { readBytes(ofFile: "Fixtures/" + name) }
}
