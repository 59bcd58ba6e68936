// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import UserActivities

// Of what type a file is: by its name, else by what the desktop's rules say of its content.
extension DocumentController {
  var declaredTypes: [AppManifest.DocumentType] { Application.current?.manifest.documentTypes ?? [] }

  func declaredType(of url: URL) throws(ContinuityError) -> String {
    let path = FilePath(url)
    let told = prepared.flatMap { $0.url == url ? $0.contentTypes : nil } ?? ContentTypes()
    guard let path, let manifest = Application.current?.manifest,
      let type = manifest.documentType(forName: path.name, contentTypes: told.names)
    else {
      let shown = path?.shown ?? url.absoluteString
      let found = told.names.first.map { ", which is of the MIME type \($0)" } ?? ""
      let reason = told.failure.map { " \($0.description)" } ?? ""
      throw ContinuityError(
        .invalidRequest, subject: url.absoluteString,
        description: "No document type is declared for \(shown)\(found); add it to Info.plist.\(reason)")
    }
    return type.name
  }

  /// Asks about a file that no extension claims, where MIME types are declared; what is waited for then is at
  /// most 2 s, and without an agent nothing.
  func prepare(_ file: DocumentFile, at url: URL, _ path: FilePath) async -> PreparedFile {
    var prepared = PreparedFile(url: url, file: file)
    guard let application = Application.current, document(at: path) == nil,
      application.manifest.documentType(claiming: path.name) == nil,
      declaredTypes.contains(where: { !$0.mimeTypes.isEmpty })
    else { return prepared }
    prepared.contentTypes = await application.session.contentTypes(
      name: path.name, beginning: Array(file.data.prefix(AgentRequest.contentSampleLimit)))
    return prepared
  }
}
