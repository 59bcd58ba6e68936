// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import Embedding
import LinuxSystem

// Continuation streams, as chunks that the editor asks for.
extension StdioServer {
  func opened(_ name: RequestID, _ socket: Descriptor) {
    guard let id = streams.take(name) else { return }
    streams.open(name, over: socket)
    handle(.answer(id, .success(["streams": .text(name.description)])))
  }

  /// The editor hears why before it can read the end.
  func ended(_ name: RequestID, _ error: ContinuityError?) {
    if let error, let id = streams.take(name) { return handle(.answer(id, .failure(RPCError(error)))) }
    guard streams.isOpen(name) else { return }
    answer(streams.end(name, because: error))
    notify(
      .didEndStreams, ["streams": .text(name.description), "reason": error.map { .text($0.description) }])
  }

  func close(_ name: RequestID, _ directions: StreamDirections) throws(RPCError) {
    answer(try streams.close(name, directions))
  }

  /// Sockets that requests wait for may be ready.
  func moveStreams() { answer(streams.move()) }

  func endStreams() { answer(streams.endAll()) }

  private func answer(_ answers: [ServedStreams.Answer]) {
    for answer in answers { handle(.answer(answer.id, answer.result)) }
  }
}
