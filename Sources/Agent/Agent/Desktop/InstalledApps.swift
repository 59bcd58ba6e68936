// SPDX-License-Identifier: MIT

package import ActivityModel
import LinuxSystem

/// The manifests in `<data directory>/continuo/apps/<app-id>/Info.plist`. Any thread; calls read the disk.
package struct InstalledApps {
  /// What a person does who finds none.
  package static let place =
    "put its Info.plist at ~/.local/share/continuo/apps/<identifier>/Info.plist, or beside its program."

  private let directories: [String]

  /// One manifest, or why it cannot be used.
  package struct App {
    /// Where it lies.
    package var file: String
    /// What it declares; fails with `invalidManifest`.
    package var checked: Result<CheckedManifest, ContinuityError>
  }

  /// Those of the XDG directories that the environment names.
  package init(environment: [String: String]) {
    directories = (try? AgentPlaces(environment: environment).manifestDirectories) ?? []
  }

  /// By directory, then by name; of one name the first counts. A manifest whose folder has another name
  /// than its identifier is a fault: its app would not find it.
  package var all: [App] {
    var seen: Set<String> = []
    return directories.flatMap { directory in
      let names = (try? FilePath(directory).names()) ?? []
      return names.compactMap { String(validating: $0, as: UTF8.self) }.sorted()
        .filter { !$0.hasPrefix(".") && seen.insert($0).inserted }
        .map { read(directory, $0) }
    }
  }

  /// The manifests that can be used and say how their app is started.
  var startable: [AppManifest] {
    all.compactMap { try? $0.checked.get().manifest }.filter { $0.start != nil }
  }

  /// What the app of that identifier declares; nil where none is installed that can be used.
  func manifest(of appID: String) -> AppManifest? {
    guard AppManifest.isIdentifier(appID) else { return nil }
    let file = directories.first { (try? FilePath("\($0)/\(appID)/Info.plist").status()) != nil }
    return file.flatMap { try? read($0, appID).checked.get().manifest }
  }

  private func read(_ directory: String, _ name: String) -> App {
    let file = "\(directory)/\(name)/Info.plist"
    do throws(ContinuityError) {
      let checked = try ManifestFile(path: file).check()
      guard checked.manifest.appID == name else {
        throw ContinuityError(
          .invalidManifest, subject: file,
          description: "\(file) is of \(checked.manifest.appID); its folder must have that name.")
      }
      return App(file: file, checked: .success(checked))
    } catch {
      return App(file: file, checked: .failure(error))
    }
  }
}
