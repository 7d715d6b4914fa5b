import DiceSystem

/// The sanitizers that the tests, and the programs built along with them, were built with.
public enum Sanitizers {
  /// Whether it is the address sanitizer.
  public static let hasAddress = isLinked("__asan_init")
  /// Whether it is the thread sanitizer.
  public static let hasThread = isLinked("__tsan_init")

  private static func isLinked(_ name: String) -> Bool {
    unsafe dlsym(dlopen(nil, RTLD_NOW), name) != nil
  }
}
