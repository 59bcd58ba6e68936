// SPDX-License-Identifier: MIT
//
// Which file a document was read from: what stat(2) says of it, and what its bytes are.
#pragma once

#include <QByteArray>

#include <optional>

namespace Continuo {

struct Stamp {
  quint64 device, file;
  qint64 size, seconds, nanoseconds;

  // Of the regular file at `path`; none for anything else.
  static std::optional<Stamp> of(const QByteArray &path);
  bool operator==(const Stamp &other) const;
  // Another name of one file.
  bool isSameFile(const Stamp &other) const { return device == other.device && file == other.file; }
};

// How Kate stands to the line ends of a file: it ends lines where others do not, and writes them all alike.
enum class LineEnds {
  // All LF, or all CR LF.
  Uniform,
  // Of both kinds: places are right, but saving changes lines that nobody touched.
  Mixed,
  // CR alone, or U+2028: Kate's lines are not those of the file.
  Foreign
};

struct FileFacts {
  Stamp stamp;
  // As git calls its contents, and Kate what it has read; empty for what is too large.
  QByteArray digest;
  LineEnds lineEnds;

  // Reads the file; none where that fails, or it changes meanwhile.
  static std::optional<FileFacts> read(const QByteArray &path);
};

LineEnds lineEnds(const char *bytes, qint64 count);

}  // namespace Continuo
