// SPDX-License-Identifier: MIT
#include "FileFacts.h"

#include <QCryptographicHash>
#include <QFile>

#include <sys/stat.h>

#include <cstring>

namespace Continuo {

namespace {

// Larger ones are not saved by the plugin.
const qint64 largest = 256 * 1024 * 1024;

}  // namespace

std::optional<Stamp> Stamp::of(const QByteArray &path) {
  struct stat found;
  if (stat(path.constData(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return Stamp{found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

bool Stamp::operator==(const Stamp &other) const {
  return isSameFile(other) && size == other.size && seconds == other.seconds && nanoseconds == other.nanoseconds;
}

LineEnds lineEnds(const char *bytes, qint64 count) {
  bool hasAlone = false, hasPair = false;
  const char *end = bytes + count;
  for (const char *at = bytes; at < end; ++at) {
    if (*at == '\n') {
      (at > bytes && at[-1] == '\r' ? hasPair : hasAlone) = true;
    } else if (*at == '\r' && (at + 1 == end || at[1] != '\n')) {
      return LineEnds::Foreign;
    } else if (*at == '\xE2' && end - at > 2 && std::memcmp(at, "\xE2\x80\xA8", 3) == 0) {
      return LineEnds::Foreign;
    }
  }
  return hasAlone && hasPair ? LineEnds::Mixed : LineEnds::Uniform;
}

std::optional<FileFacts> FileFacts::read(const QByteArray &path) {
  const auto before = Stamp::of(path);
  if (!before) return std::nullopt;
  FileFacts found{*before, QByteArray(), LineEnds::Mixed};
  if (before->size > largest) return found;
  QFile file(QFile::decodeName(path));
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QByteArray contents = file.readAll();
  const auto after = Stamp::of(path);
  if (!after || !(*after == *before) || contents.size() != before->size) return std::nullopt;
  QCryptographicHash digest(QCryptographicHash::Sha1);
  const QByteArray head = "blob " + QByteArray::number(contents.size());
  // With the zero byte behind it.
  digest.addData(QByteArray(head.constData(), head.size() + 1));
  digest.addData(contents);
  found.digest = digest.result();
  found.lineEnds = Continuo::lineEnds(contents.constData(), contents.size());
  return found;
}

}  // namespace Continuo
