#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates

  #if hasFeature(Extern)
    /// Fetches into the second cache: a line of output later the bytes would have left the first.
    enum FetchingIntoSecondCache: FetchingAhead {
      @inline(__always)
      static func fetch(_ byte: UnsafeRawPointer) { unsafe prefetch(byte, 0, 2, 1) }
    }

    /// The compiler's own instruction: `0` to be read, `2` into the second cache, `1` data.
    @_extern(c, "llvm.prefetch.p0")
    private func prefetch(_ byte: UnsafeRawPointer, _: Int32, _: Int32, _: Int32)
  #else
    typealias FetchingIntoSecondCache = NotFetchingAhead
  #endif
#endif
