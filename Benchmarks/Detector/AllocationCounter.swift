#if canImport(Glibc)
  import Glibc

  // The C library's functions under their other names.
  @_silgen_name("__libc_malloc") private func libraryMalloc(_ size: Int) -> UnsafeMutableRawPointer?
  @_silgen_name("__libc_calloc") private func libraryCalloc(
    _ count: Int, _ size: Int
  ) -> UnsafeMutableRawPointer?
  @_silgen_name("__libc_realloc") private func libraryRealloc(
    _ pointer: UnsafeMutableRawPointer?, _ size: Int
  ) -> UnsafeMutableRawPointer?
  @_silgen_name("__libc_memalign") private func libraryAlign(
    _ alignment: Int, _ size: Int
  ) -> UnsafeMutableRawPointer?

  // Plain numbers that need no initialization at run time, which would allocate. Threads that
  // allocate at the same time may be counted as one: counts are exact while one thread works.
  nonisolated(unsafe) private var count = 0
  nonisolated(unsafe) private var byteCount = 0

  // The manifest has the linker give these functions the names of the C library's, so that they take
  // their place for all of the process. They are public to be seen by the libraries in it.

  /// Stands for `malloc`.
  @_cdecl("countedMalloc")
  public func countedMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
    note(size)
    return unsafe libraryMalloc(size)
  }

  /// Stands for `calloc`.
  @_cdecl("countedCalloc")
  public func countedCalloc(_ elementCount: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    note(elementCount &* size)
    return unsafe libraryCalloc(elementCount, size)
  }

  /// Stands for `realloc`.
  @_cdecl("countedRealloc")
  public func countedRealloc(
    _ pointer: UnsafeMutableRawPointer?, _ size: Int
  ) -> UnsafeMutableRawPointer? {
    note(size)
    return unsafe libraryRealloc(pointer, size)
  }

  /// Stands for `aligned_alloc`.
  @_cdecl("countedAlignedAlloc")
  public func countedAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    note(size)
    return unsafe libraryAlign(alignment, size)
  }

  /// Stands for `posix_memalign`.
  @_cdecl("countedAlign")
  public func countedAlign(
    _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ alignment: Int, _ size: Int
  ) -> Int32 {
    note(size)
    guard let memory = unsafe libraryAlign(alignment, size) else { return ENOMEM }
    unsafe result?.pointee = memory
    return 0
  }

  @inline(__always)
  private func note(_ size: Int) {
    unsafe count &+= 1
    unsafe byteCount &+= size
  }
#endif

/// Counts what is allocated in this process.
enum AllocationCounter {
  /// How often memory was asked for since the start, and for how many bytes; nil where they are
  /// not counted.
  ///
  /// Not optimized: the compiler believes that making an array changes no number.
  @_optimize(none)
  static func current() -> (count: Int, byteCount: Int)? {
    #if canImport(Glibc)
      unsafe (count, byteCount)
    #else
      nil
    #endif
  }
}
