#if canImport(DiceSystem)
  internal import DiceSystem

  /// Threads that nobody waits for.
  package enum DetachedThread {
    /// The bytes of a thread's stack.
    ///
    /// As many as Linux gives a program's first thread; musl would give 128 KiB. Only what is used
    /// takes memory.
    private static let stackByteCount = 8 << 20

    private final class Work {
      let body: @Sendable () -> Void

      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Carries out a closure on a thread of its own.
    ///
    /// - Returns: false where the system has no thread left; the closure is then not called.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
      let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
      defer { unsafe attributes.deallocate() }
      unsafe pthread_attr_init(attributes)
      defer { unsafe pthread_attr_destroy(attributes) }
      unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      unsafe pthread_attr_setstacksize(attributes, stackByteCount)
      let retained = unsafe Unmanaged.passRetained(Work(body))
      // A pointer there, and a number elsewhere.
      #if canImport(Darwin) || canImport(Musl)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let status = unsafe pthread_create(
        &thread, attributes,
        { argument in
          // Optional or not, by the platform.
          let work = unsafe (argument as UnsafeMutableRawPointer?)!
          unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
          return nil
        }, retained.toOpaque())
      guard status == 0 else {
        unsafe retained.release()
        return false
      }
      return true
    }
  }
#endif
