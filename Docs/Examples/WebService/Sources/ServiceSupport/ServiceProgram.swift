import DiceServer
import Foundation

/// What a program does that serves and nothing else.
package enum ServiceProgram {
  /// Opens a port, prints the address on standard output, and answers until the process ends.
  ///
  /// - Parameters:
  ///   - port: the port; 0 takes any free one.
  ///   - limits: what is read of a request.
  ///   - respond: gives the answer to a request; several threads call it at once.
  package static func serve(
    port: UInt16, limits: ServerLimits,
    _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(ServerError) {
    var access = ServerAccess(port: port)
    // A proxy in front has a name of its own.
    access.allowsAnyHost = true
    let server = try Server(access, limits: limits)
    FileHandle.standardOutput.write(Data("http://127.0.0.1:\(server.port)/\n".utf8))
    server.run(respond)
  }

  /// Tells the person at the terminal what is wrong.
  package static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }
}
