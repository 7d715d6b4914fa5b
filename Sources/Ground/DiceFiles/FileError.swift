/// Why a file or folder could not be used: the case is what stood in the way.
///
/// Paths are given back as the caller wrote them.
public enum FileError: Error, Hashable, Sendable {
  /// The path is empty or holds a NUL, which no file system can name.
  case unusablePath(path: String)
  /// The URL is not that of a file on this computer.
  case notAFileURL(url: String)
  /// Nothing is there, or a folder on the way is missing.
  case notFound(path: String)
  /// A file was wanted and a folder is there.
  case isFolder(path: String)
  /// A folder was wanted, at the end of the path or on the way, and something else is there.
  case isNotFolder(path: String)
  /// The user may not do this with the file or folder.
  case noPermission(path: String)
  /// The file system is mounted for reading only.
  case readOnly(path: String)
  /// The device is full, or the user's share of it is used up.
  case diskFull(path: String)
  /// The file holds more bytes than the caller allowed.
  ///
  /// `found` is the file's size; for a pipe, or a file that grew meanwhile, the bytes seen so far.
  case tooLarge(path: String, found: Int, limit: Int)
  /// A folder holds more entries, its subfolders' included, than the caller allowed.
  case tooManyEntries(path: String, limit: Int)
  /// Nobody reads the other end of the pipe any more.
  case closedPipe(path: String)
  /// The system refused for another reason: its error number and that number's text.
  case failed(operation: FileOperation, path: String, code: Int32, reason: String)
}

/// What was being done when the system refused.
public enum FileOperation: String, Hashable, Sendable {
  /// Opening a file.
  case open
  /// Asking for size and kind.
  case examine
  /// Reading bytes.
  case read
  /// Writing bytes, or making them durable.
  case write
  /// Putting a finished file in its place.
  case rename
  /// Removing a file.
  case remove
  /// Making a folder.
  case createFolder = "create the folder"
  /// Listing a folder's entries.
  case list
}

extension FileError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .unusablePath(let path):
      path.isEmpty
        ? "The path is empty." : "The path \"\(FileError.printable(path))\" holds a NUL character."
    case .notAFileURL(let url):
      "\(FileError.quoted(url)) is not the URL of a file on this computer."
    case .notFound(let path):
      "\(FileError.quoted(path)) does not exist."
    case .isFolder(let path):
      "\(FileError.quoted(path)) is a folder, and a file is needed."
    case .isNotFolder(let path):
      "\(FileError.quoted(path)), or a part of it, is not a folder."
    case .noPermission(let path):
      "No permission for \(FileError.quoted(path))."
    case .readOnly(let path):
      "\(FileError.quoted(path)) is on a file system that cannot be written to."
    case .diskFull(let path):
      "No room is left to write \(FileError.quoted(path))."
    case .tooLarge(let path, let found, let limit):
      "\(FileError.quoted(path)) has \(found) bytes or more; at most \(limit) are read."
    case .tooManyEntries(let path, let limit):
      "\(FileError.quoted(path)) holds more than \(limit) entries."
    case .closedPipe(let path):
      "Nobody reads \(FileError.quoted(path)) any more."
    case .failed(let operation, let path, let code, let reason):
      "Could not \(operation.rawValue) \(FileError.quoted(path)): \(reason) (error \(code))."
    }
  }

  /// A path between quotes, with control characters made visible.
  static func quoted(_ path: String) -> String {
    "\"\(printable(path))\""
  }

  /// The text with control characters and bytes that are no UTF-8 replaced by U+FFFD, so that a hostile
  /// name cannot steer a terminal.
  static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isControl =
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || FileName.isStandIn(scalar)
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return result
  }
}
