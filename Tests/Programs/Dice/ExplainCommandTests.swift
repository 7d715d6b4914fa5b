import DiceFiles
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct ExplainCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()
  let scene = Fixtures.path("scenes/scene-15.jpg")

  init() throws { folder = try TemporaryFolder() }

  @Test func textSaysWhatWasSeenProposedAndDecided() throws {
    expectEqual(call.run("explain", "--threads", "1", scene), .success)
    #expect(
      call.output.hasPrefix(
        "\(scene): 6 1, sum 7\n\nPasses\n  1  first: 640 x 480 at 0, 0, in 416 x 416"))
    #expect(call.output.contains("\nProposals\n"))
    #expect(call.output.contains("kept: die 1 of the result"))
    #expect(call.output.contains("kept: die 2 of the result"))
    #expect(call.errors.isEmpty)
  }

  @Test func jsonHoldsEveryProposal() throws {
    expectEqual(call.run("explain", "--json", "--threads", "1", scene), .success)
    let json = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(json["values"]?.array?.map(\.integer), [6, 1])
    let proposals = try #require(json["proposals"]?.array)
    #expect(!proposals.isEmpty)
    for proposal in proposals {
      #expect(proposal["fate"]?["outcome"]?.string != nil)
      expectEqual(proposal["scores"]?["probabilities"]?.array?.count, 6)
    }
    let readings = try #require(json["classifications"]?.array)
    #expect(readings.contains { $0["fate"]?["die"]?.integer == 0 })
    let plain = ToolCall()
    expectEqual(
      plain.run("explain", "--json", "--second-stage", "none", "--threads", "1", scene), .success)
    let other = try JSONReader.parse([UInt8](plain.output.utf8))
    expectEqual(other["classifications"]?.array?.isEmpty, true)
  }

  @Test func thePageIsOneFileThatFetchesAndRunsNothing() throws {
    let hostile = try folder.write(
      try FileSystem.readFile(at: scene, byteLimit: 1 << 20), to: "<img src=x onerror=alert(1)>.jpg"
    )
    expectEqual(
      call.run("explain", "--threads", "1", "--output", folder.file("page"), hostile), .success)
    let page = try folder.text("page/index.html")
    #expect(isInert(page))
    #expect(!page.contains("<img src=x"))
    #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;.jpg"))
    #expect(page.contains("What the second stage saw"))
  }

  @Test func whatCannotBeReadIsNamed() throws {
    expectEqual(call.run("explain", folder.file("missing.png")), .failure)
    expectEqual(call.run("explain", "--output", folder.file("no/page.html"), scene), .failure)
    #expect(call.errors.contains("\(folder.path)/no"))
    expectEqual(call.run("explain"), .usage)
  }
}
