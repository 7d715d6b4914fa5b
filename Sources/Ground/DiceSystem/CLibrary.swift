// The C library has another name on every platform. A module that imports this one has it, whatever its
// name; `#if canImport(DiceSystem)` asks whether there is one.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Bionic)
  @_exported public import Bionic
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Glibc)
  @_exported public import Glibc
#endif
