// SPDX-License-Identifier: MIT

import ActivityModel

// Putting one version in its place, step by step, with time between the steps.
extension SyncEngine {
  /// One file under way.
  struct Job {
    var path: Path
    var version: Version
    var device: Int
    var life: UInt32
    /// What was there when the job began: a careful engine looks again before it takes it away.
    var before: Content?
    var temporary: Path
    var inode = -1
    var old = Content.empty
    var written: UInt32 = 0
  }

  func put(_ path: Path, _ version: Version, on device: Int) {
    let folder = world.devices[device].folder
    let before = folder.content(at: path)
    guard before != version.content else {
      index[device][path] = version
      return
    }
    guard let content = version.content else { return remove(path, version, on: device) }
    // What the sender had torn is carried torn.
    guard content.size > 0 || profile.writing == .temporary || before != nil else { return }
    busy[device][path] = true
    let temporary = path.dropLast() + [profile.temporaryName(of: path.last ?? [], &world.random)]
    let job = Job(
      path: path, version: version, device: device, life: lives[device], before: before,
      temporary: Array(temporary))
    next(job, after: world.random.between(.milliseconds(1), .milliseconds(30)), begin)
  }

  private func remove(_ path: Path, _ version: Version, on device: Int) {
    try? world.devices[device].folder.unlink(path)
    index[device][path] = version
  }

  private func next(_ job: Job, after delay: UInt64, _ step: @escaping (Job) throws(FileError) -> Void) {
    world.schedule(.engine, job.device, after: delay) { [self] in
      guard lives[job.device] == job.life else { return }
      guard pausedUntil[job.device] <= world.time else {
        // It may be let go on earlier than it was to.
        return next(job, after: min(pausedUntil[job.device] - world.time + 1, 10_000_000_000), step)
      }
      do {
        try step(job)
      } catch {
        abandon(job)
      }
    }
  }

  /// It did not work: what is half done goes away where that is possible, and it is tried again.
  private func abandon(_ job: Job) {
    busy[job.device][job.path] = nil
    if job.inode >= 0 { world.devices[job.device].folder.close(job.inode) }
    if profile.writing == .temporary { try? world.devices[job.device].folder.unlink(job.temporary) }
    deliver(job.path, job.version, to: job.device, after: 10_000_000_000)
  }

  private func begin(_ job: Job) throws(FileError) {
    let folder = world.devices[job.device].folder
    var job = job
    if let parent = job.path.dropLast().last, folder.find(job.path.dropLast()) == nil {
      try folder.make(Array(job.path.dropLast().dropLast()) + [parent], isFolder: true)
    }
    switch profile.writing {
    case .temporary:
      try? folder.unlink(job.temporary)
      job.inode = try folder.make(job.temporary)
      // Its mode is set at once.
      if profile.kind == .rsync { try setTimes(job) }
    case .removeThenWrite:
      if folder.find(job.path) != nil { try folder.unlink(job.path) }
      return next(job, after: world.random.between(.zero, .milliseconds(5))) {
        [self] (job) throws(FileError) in
        var job = job
        job.inode = try folder.make(job.path)
        write(job)
      }
    case .inPlace, .overOld:
      if let known = folder.find(job.path) {
        job.inode = known
        if profile.writing == .inPlace { try folder.cut(known, to: 0) }
        job.old = folder.inodes[known].content
      } else {
        job.inode = try folder.make(job.path)
      }
    }
    write(job)
  }

  private func write(_ job: Job) {
    let pause: UInt64 = job.version.content.map { $0.size > 1 << 20 ? 40 : 4 } ?? 1
    next(job, after: world.random.between(.zero, .milliseconds(pause)), piece)
  }

  private func piece(_ job: Job) throws(FileError) {
    guard let content = job.version.content else { return }
    var job = job
    let folder = world.devices[job.device].folder
    let isWhole = world.contents.wholeText(content) != nil
    let size = isWhole ? content.size : content.written
    let left = size - job.written
    let isLast = left < 2 || world.random.chance(60)
    job.written = isLast ? size : job.written + UInt32(world.random.below(Int(left)))
    try folder.write(content.text, job.written, to: job.inode, from: job.old)
    guard isLast else { return write(job) }
    // Torn bytes travel as they are.
    if isWhole {
      if job.old.size > content.size { try folder.cut(job.inode, to: content.size) }
    } else {
      try folder.fill(job.inode, with: content)
    }
    folder.close(job.inode)
    if profile.writing == .temporary {
      if !profile.setsTimesLast || profile.kind == .syncthing { try setTimes(job) }
      next(job, after: world.random.between(.zero, .milliseconds(10)), replace)
    } else {
      next(job, after: world.random.between(.zero, .milliseconds(3)), finish)
    }
  }

  private func setTimes(_ job: Job) throws(FileError) {
    let folder = world.devices[job.device].folder
    guard profile.times != .notKept || profile.kind == .unison else { return }
    try folder.setTimes(job.inode, modified: profile.kept(job.version.modified, now: folder.fileTime))
  }

  private func replace(_ job: Job) throws(FileError) {
    let folder = world.devices[job.device].folder
    let isCareful = profile.kind != .rsync && profile.kind != .copy
    if isCareful, folder.content(at: job.path) != job.before {
      // Somebody saved meanwhile: a conflict, looked at anew.
      busy[job.device][job.path] = nil
      try folder.unlink(job.temporary)
      return deliver(job.path, job.version, to: job.device, after: 200_000_000)
    }
    guard profile.removesFirst, folder.find(job.path) != nil else {
      try folder.rename(job.temporary, job.path)
      return try finish(job)
    }
    try folder.unlink(job.path)
    next(job, after: world.random.between(.microseconds(300), .milliseconds(15))) {
      [self] (job) throws(FileError) in
      try folder.rename(job.temporary, job.path)
      try finish(job)
    }
  }

  private func finish(_ job: Job) throws(FileError) {
    let folder = world.devices[job.device].folder
    busy[job.device][job.path] = nil
    var version = job.version
    // What lies there now is what the engine believes to have written, whatever else wrote meanwhile.
    if folder.content(at: job.path) != version.content { version.content = folder.content(at: job.path) }
    let isTorn = version.content != job.version.content
    index[job.device][job.path] = isTorn ? index[job.device][job.path] : version
    if profile.setsTimesLast { try setTimes(job) }
    if isTorn { noticed(job.device) }
  }

  /// The engine dies where it is; what it had begun stays, and is begun anew after its restart.
  func kill(_ device: Int) {
    lives[device] += 1
    busy[device] = SortedTable()
    let delay = world.random.between(.seconds(1), .seconds(20))
    world.schedule(.engine, device, after: delay) { [self] in
      scan(device)
      compareAll(with: device)
    }
  }
}
