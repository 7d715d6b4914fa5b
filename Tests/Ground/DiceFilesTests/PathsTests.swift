import DiceFiles
import TestSupport
import Testing

struct PathsTests {
  @Test(arguments: [
    (["a", "b"], "a/b"), (["a/", "/b"], "a/b"), (["a", "/etc/passwd"], "a/etc/passwd"),
    (["/", "a"], "/a"), (["", "a", "", "b"], "a/b"), (["a", "/"], "a"), ([], ""), ([""], ""),
    (["..", "a"], "../a"), (["/a"], "/a"), (["ä", "é.png"], "ä/é.png"),
  ])
  func joinsWithOneSlash(_ parts: [String], _ expected: String) {
    expectEqual(Paths.joined(parts), expected)
  }

  @Test(arguments: [
    ("a/b/c.png", "a/b", "c.png"), ("a", ".", "a"), ("/a", "/", "a"), ("/", "/", "/"),
    ("//", "/", "/"), ("a/b/", "a", "b"), ("a//b", "a", "b"), ("", ".", ""), ("//a", "/", "a"),
    ("..", ".", ".."), ("./a", ".", "a"),
  ])
  func splitsParentAndLastComponent(_ path: String, _ parent: String, _ last: String) {
    expectEqual(Paths.parent(of: path), parent)
    expectEqual(Paths.lastComponent(of: path), last)
  }

  @Test(arguments: [
    ("a/b.PNG", "PNG", "a/b"), ("a.tar.gz", "gz", "a.tar"), (".gitignore", "", ".gitignore"),
    ("..", "", ".."), ("a.", "", "a."), ("a.b/c", "", "a.b/c"), ("", "", ""), ("/", "", "/"),
    ("x/.a.b", "b", "x/.a"), ("a.b/", "b", "a"), ("..b", "", "..b"), ("/a.b", "b", "/a"),
  ])
  func findsTheExtension(_ path: String, _ fileExtension: String, _ rest: String) {
    expectEqual(Paths.fileExtension(of: path), fileExtension)
    expectEqual(Paths.removingExtension(of: path), rest)
  }

  @Test func comparesExtensionsWithoutLetterCase() {
    #expect(Paths.hasExtension("jpg", path: "a/B.JPG"))
    #expect(Paths.hasExtension("JPG", path: "b.jpg"))
    #expect(!Paths.hasExtension("jpg", path: "b.jpeg"))
    #expect(!Paths.hasExtension("jpg", path: "jpg"))
    #expect(Paths.hasExtension("", path: "jpg"))
  }
}
