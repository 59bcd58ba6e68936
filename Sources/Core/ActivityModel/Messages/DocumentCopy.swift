// SPDX-License-Identifier: MIT

/// A document that is open, or was, in a private copy: its folder did not have the version yet.
public struct DocumentCopy: Hashable, Sendable {
  /// The copy, as an absolute path.
  public var path: [UInt8]
  /// Where the document belongs, as an absolute path; nil while its folder is not registered.
  public var document: [UInt8]?
  /// What this device calls that folder.
  public var folderName: String
  /// Whether it holds a text that the folder does not have.
  public var isChanged: Bool
  /// Whether an app has it open.
  public var isOpen: Bool
  /// Why it could not be written into the folder; a clause, to follow a colon.
  public var problem: String?

  /// A copy of the document at that path.
  public init(
    path: [UInt8], document: [UInt8]?, folderName: String, isChanged: Bool, isOpen: Bool,
    problem: String? = nil
  ) {
    (self.path, self.document, self.folderName) = (path, document, folderName)
    (self.isChanged, self.isOpen, self.problem) = (isChanged, isOpen, problem)
  }
}
