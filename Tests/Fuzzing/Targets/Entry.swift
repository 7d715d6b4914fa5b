#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// What libFuzzer calls. Each executable is built from this file, `Support.swift` and the file of one
// target, which declares `Target.run` and `Target.seeds`.

/// Gives one input to the target.
///
/// Any trap, sanitizer report or time-out is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Target.run(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

/// With `DICEVISION_SEEDS=FOLDER`, writes the target's own seeds there and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ values: UnsafeMutableRawPointer?)
  -> CInt
{
  guard let folder = getenv("DICEVISION_SEEDS") else { return 0 }
  for (index, seed) in Target.seeds().enumerated() {
    let path = String(cString: folder) + "/seed-\(index)"
    guard let file = fopen(path, "wb") else { fatalError("cannot write \(path)") }
    fwrite(seed, 1, seed.count, file)
    fclose(file)
  }
  exit(0)
}
