/// Where the program of translated tests starts.
@_cdecl("main")
func main(_ argumentCount: Int32, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
  runAllTests()
  finish()
}
