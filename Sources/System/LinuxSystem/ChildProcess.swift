// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// A program that this process started. It gets no descriptor but its standard ones, and no signal is blocked
/// or ignored in it. Owned by one thread.
public final class ChildProcess {
  /// What a program is started with.
  public struct Start {
    /// Its path; a name without `/` is looked for in `PATH`.
    public var program: String
    /// The words after its name.
    public var arguments: [String]
    /// Its environment variables; nil for those of this process.
    public var environment: [String: String]?
    /// Variables that differ from those: a value, or nil for one that is left out.
    public var changes: [String: String?] = [:]
    /// Words after `arguments` that need not be UTF-8, such as paths.
    public var paths: [FilePath] = []
    /// The same for variables that hold paths, beside `changes`.
    public var pathVariables: [String: FilePath] = [:]
    /// The descriptors 0, 1 and 2 of the program, or nil for this process's own.
    public var standard: [CInt?] = [nil, nil, nil]
    /// Whether signals reach it, and what it starts, as a group of its own.
    public var hasOwnGroup = false

    /// `program` with `arguments`, and all else as this process has it.
    public init(_ program: String, arguments: [String] = [], environment: [String: String]? = nil) {
      self.program = program
      self.arguments = arguments
      self.environment = environment
    }
  }

  /// How a process ended.
  public enum Exit: Hashable, Sendable, CustomStringConvertible {
    /// By itself, with that code.
    case code(CInt)
    /// By a signal with that number.
    case signal(CInt)
    /// Somebody else has taken what became of it.
    case unknown

    /// In words: “exit code 1”.
    public var description: String {
      switch self {
      case .code(let code): "exit code \(code)"
      case .signal(let number): "signal \(number)"
      case .unknown: "unknown"
      }
    }

    init(status: CInt) {
      let signal = status & 0x7f
      self = signal == 0 ? .code(status >> 8 & 0xff) : .signal(signal)
    }
  }

  /// Its number.
  public let process: CInt
  /// How it ended; nil while it runs, as far as it was asked.
  public private(set) var exit: Exit?
  private let hasOwnGroup: Bool

  /// Starts it. Throws what posix_spawn(3) fails with.
  public init(_ start: Start) throws(Errno) {
    process = try Self.spawn(start)
    hasOwnGroup = start.hasOwnGroup
  }

  /// Nobody asks for it any more: it is killed, with its group, and leaves no zombie.
  deinit {
    guard exit == nil else { return }
    signal(.kill)
    // One that waits for a file system that does not answer ends when that does: not before the caller's
    // eyes.
    guard waitpid(process, nil, WNOHANG) == 0 else { return }
    // Where there can be no more threads, it stays a zombie until this process ends.
    try? DetachedThread.start { [process] in waitpid(process, nil, 0) }
  }

  /// A descriptor that becomes readable when it ends. Throws what pidfd_open(2) fails with.
  public func endDescriptor() throws(Errno) -> Descriptor {
    try OtherProcess.endDescriptor(of: process)
  }

  /// Sends a signal, to its group where it has one of its own. Nothing happens once its end was taken.
  public func signal(_ signal: Signal) {
    guard exit == nil else { return }
    Glibc.kill(hasOwnGroup ? -process : process, signal.rawValue)
  }

  /// How it ended, if it has. Does not wait.
  @discardableResult
  public func poll() -> Exit? {
    if exit == nil { collect(flags: WNOHANG) }
    return exit
  }

  /// How it ended. Waits until it has.
  @discardableResult
  public func wait() -> Exit {
    if exit == nil { collect(flags: 0) }
    return exit ?? .unknown
  }

  /// How it ended. Waits until it has, and kills it when that takes longer. Throws what pidfd_open(2) fails
  /// with.
  public func wait(atMost longest: Duration) throws(Errno) -> Exit {
    let end = try endDescriptor()
    let deadline = Instant.now + longest
    var entries = [Poll.Entry(end.number)]
    // A signal that comes to this process is no reason to end the other one.
    while !Poll.wait(for: &entries, atMost: max(.zero, deadline - .now)) {
      guard Instant.now < deadline else { return kill() }
    }
    return wait()
  }

  /// Kills it, if it has not ended. How it ended.
  @discardableResult
  public func kill() -> Exit {
    if poll() == nil { signal(.kill) }
    return wait()
  }

  private func collect(flags: CInt) {
    var status: CInt = 0
    var taken: pid_t = -1
    repeat { taken = waitpid(process, &status, flags) } while taken < 0 && errno == EINTR
    if taken == process { exit = Exit(status: status) } else if taken < 0 { exit = .unknown }
  }

  // MARK: Starting

  private static func spawn(_ start: Start) throws(Errno) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, source) in start.standard.enumerated() {
      guard let source else { continue }
      posix_spawn_file_actions_adddup2(&actions, source, CInt(target))
    }
    _ = continuo_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(of: &attributes, hasOwnGroup: start.hasOwnGroup)
    let paths = start.paths.map { path in withCString(path.bytes) { strdup($0) } }
    var words = ([start.program] + start.arguments).map { strdup($0) } + paths + [nil]
    var variables = start.variables.map { entry in withCString(entry) { strdup($0) } } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, start.program, &actions, &attributes, &words, &variables)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return process
  }

  /// Worker threads of libdispatch block every signal, and a child would inherit that.
  private static func setSignals(of attributes: inout posix_spawnattr_t, hasOwnGroup: Bool) {
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  }

  /// Starts a program in a session of its own, at `/`, without this process's descriptors and signal
  /// settings. It is no child of this process and outlives it. Errors go to the end of the file `log`;
  /// `report` is its descriptor 3. Throws what posix_spawn(3) fails with.
  public static func startDetached(_ start: Start, log: String, report: Descriptor?) throws(Errno) {
    var words = ([start.program] + start.arguments).map { strdup($0) } + [nil]
    var variables = start.variables.map { entry in withCString(entry) { strdup($0) } } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let failure = continuo_spawn_detached(start.program, &words, &variables, log, report?.number ?? -1)
    guard failure == 0 else { throw Errno(rawValue: failure) }
  }
}

extension ChildProcess.Start {
  /// The entries `NAME=value` that the program gets. Those of this process are passed on byte by byte: a
  /// value need not be UTF-8.
  var variables: [[UInt8]] {
    let changed = changes.merging(pathVariables.mapValues { _ in nil }) { $1 }
    let entries = Self.entries(
      environment.map(Self.entries) ?? CurrentProcess.environmentEntries, changed: changed)
    return entries + pathVariables.map { Array("\($0.key)=".utf8) + $0.value.bytes }
  }

  static func entries(_ entries: [[UInt8]], changed: [String: String?]) -> [[UInt8]] {
    guard !changed.isEmpty else { return entries }
    let names = Set(changed.keys.map { Array($0.utf8) })
    let kept = entries.filter { !names.contains(Array($0.prefix { $0 != UInt8(ascii: "=") })) }
    return kept + Self.entries(changed.compactMapValues { $0 })
  }

  private static func entries(_ variables: [String: String]) -> [[UInt8]] {
    variables.map { Array("\($0.key)=\($0.value)".utf8) }
  }
}
