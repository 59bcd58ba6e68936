// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// What this process is, and was started with.
public enum CurrentProcess {
  /// As the kernel counts processes.
  public static var number: CInt { getpid() }

  /// The user it runs as.
  public static var user: UInt32 { geteuid() }

  /// The group it runs as.
  public static var group: UInt32 { getegid() }

  /// The value of an environment variable as text; nil when it is not set.
  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Takes a variable away from this process and those that it starts.
  public static func removeVariable(_ name: String) { unsetenv(name) }

  /// All variables that are text, by name.
  public static var environment: [String: String] {
    var variables: [String: String] = [:]
    for entry in environmentEntries {
      let text = String(decoding: entry, as: UTF8.self)
      let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
    }
    return variables
  }

  /// The entries `NAME=value` of the environment as they are.
  static var environmentEntries: [[UInt8]] {
    var entries: [[UInt8]] = []
    var entry = environ
    while let text = entry.pointee {
      entries.append(bytes(of: text))
      entry += 1
    }
    return entries
  }

  /// The words of the command line as they are, the program's own name first.
  public static var arguments: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { bytes(of: $0) } }
  }

  /// The file it runs.
  public static var program: FilePath? { FilePath("/proc/self/exe").linkTarget }

  /// The name of this computer, as gethostname(2) gives it.
  public static var hostName: String {
    var room = [CChar](repeating: 0, count: 256)
    gethostname(&room, room.count - 1)
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Opens `/dev/null` for the standard streams that whoever started this process had closed: the next file
  /// that is opened would be one of them, and take what is printed.
  public static func fillClosedStreams() {
    var descriptor: CInt
    repeat { descriptor = open("/dev/null", O_RDWR) } while (0...STDERR_FILENO).contains(descriptor)
    if descriptor >= 0 { close(descriptor) }
  }

  /// What the kernel calls itself, such as “6.13.2-arch1”; empty when it does not say.
  public static var kernelRelease: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "" }
    return withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// How many processors there are.
  public static var processors: Int { sysconf(CInt(_SC_NPROCESSORS_ONLN)) }

  /// Leaves the session and the terminal that this process was started in. For a child before it becomes
  /// another program.
  public static func beginSession() { _ = setsid() }

  /// Keeps the memory of this process, which holds keys, from other processes and from core files.
  public static func forbidDumps() { _ = continuo_forbid_dumps() }

  /// Gives the memory that was freed back to the system: the C library keeps what lies between blocks in use.
  public static func returnFreeMemory() { continuo_return_free_memory() }

  /// Ends this process after what is to be done at its end, such as writing what was printed.
  public static func exit(_ code: CInt) -> Never { Glibc.exit(code) }

  /// Ends this process at once: what other threads do, and what is to be done at an end, is left out.
  public static func exitAtOnce(_ code: CInt) -> Never { _exit(code) }

  /// Becomes another program, with the same process, descriptors and environment. Returns only on failure.
  public static func become(_ program: FilePath, arguments: [[UInt8]]) -> Errno {
    var words = arguments.map { word in withCString(word) { strdup($0) } } + [nil]
    defer { for word in words { free(word) } }
    _ = withCString(program.bytes) { execv($0, &words) }
    return .current
  }
}

/// A process that this one need not have started.
public enum OtherProcess {
  /// A descriptor that becomes readable when it ends. Throws what pidfd_open(2) fails with.
  public static func endDescriptor(of process: CInt) throws(Errno) -> Descriptor {
    Descriptor(owning: try calling { continuo_pidfd_open(process) })
  }
}

/// Where the programs of this installation lie.
public enum InstalledProgram {
  /// Beside the running one, else the first in `PATH`.
  public static func path(of name: String) -> String? {
    ([beside(name)].compactMap { $0 } + inSearchPath(name)).first { FilePath($0).allows(.execute) }
  }

  /// Where `name` would lie beside the running program.
  public static func beside(_ name: String) -> String? {
    CurrentProcess.program.map { own in
      let text = String(decoding: own.bytes, as: UTF8.self)
      return text.prefix(through: text.lastIndex(of: "/") ?? text.startIndex) + name
    }
  }

  /// Where `name` would lie in the folders of `PATH`, in their order.
  public static func inSearchPath(_ name: String) -> [String] {
    (CurrentProcess.variable("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
  }

  /// The file that this code was loaded from: a library's, where it is in one.
  public static var libraryPath: String? {
    guard let found = continuo_file_of_code() else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}

/// A thread that ends with its work.
public enum DetachedThread {
  /// Runs `work` on a thread of its own. Throws when there can be no more threads.
  public static func start(_ work: @escaping @Sendable () -> Void) throws(Errno) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard failure != 0 else { return }
    box.release()
    throw Errno(rawValue: failure)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
