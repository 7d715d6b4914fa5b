import Foundation

// What a program does that serves and nothing else.
extension Server {
  /// Opens a port, prints the address on standard output, and answers until the process ends.
  ///
  /// - Parameters:
  ///   - port: the port; 0 takes any free one.
  ///   - limits: what is read of a request.
  ///   - respond: gives the answer to a request; several threads call it at once.
  package static func serve(
    port: UInt16, limits: Limits, _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(Failure) {
    let server = try Server(port: port, limits: limits)
    FileHandle.standardOutput.write(Data("http://127.0.0.1:\(server.port)/\n".utf8))
    server.run(respond)
  }

  /// Tells the person at the terminal what is wrong.
  package static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }
}
