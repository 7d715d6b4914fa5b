#if canImport(DiceSystem)
  internal import DiceSystem

  /// Hands values from one thread to another, one at a time.
  ///
  /// Unchecked: `value` and `isClosed` are read and written with the mutex held.
  @safe package final class Mailbox<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value?
    private var isClosed = false

    /// An empty mailbox.
    package init() {
      unsafe pthread_mutex_init(mutex, nil)
      unsafe pthread_cond_init(changed, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe pthread_cond_destroy(changed)
      unsafe mutex.deallocate()
      unsafe changed.deallocate()
    }

    /// Puts a value in place of one that was not taken.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func replace(with newValue: Value) -> Bool {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      let wasFull = value != nil
      if !isClosed { value = newValue }
      unsafe pthread_cond_broadcast(changed)
      return wasFull
    }

    /// Puts a value as soon as the one before it has been taken.
    ///
    /// - Returns: false where the mailbox was closed instead.
    package func put(_ newValue: Value) -> Bool {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      while value != nil, !isClosed { unsafe pthread_cond_wait(changed, mutex) }
      if isClosed { return false }
      value = newValue
      unsafe pthread_cond_broadcast(changed)
      return true
    }

    /// Takes the value, and waits for one for some time.
    ///
    /// - Parameter milliseconds: how long to wait, at least 0.
    /// - Returns: nil where none came, or the mailbox was closed.
    package func take(waiting milliseconds: Int) -> Value? {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      if value == nil, !isClosed {
        var end = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &end)
        let nanoseconds = Int(end.tv_nsec) + milliseconds % 1000 * 1_000_000
        end.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while value == nil, !isClosed {
          if unsafe pthread_cond_timedwait(changed, mutex, &end) != 0 { break }
        }
      }
      defer {
        value = nil
        unsafe pthread_cond_broadcast(changed)
      }
      return value
    }

    /// Whether it was closed.
    package var isOver: Bool {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return isClosed
    }

    /// Ends all waiting; nothing can be put from now on.
    package func close() {
      unsafe pthread_mutex_lock(mutex)
      isClosed = true
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(mutex)
    }
  }
#endif
