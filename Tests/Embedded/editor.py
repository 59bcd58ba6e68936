# SPDX-License-Identifier: MIT
"""An editor without a screen, in Python: `editor.py take-up` continues the first offer and prints where it is,
`editor.py leave FILE` leaves a document, in columns of Unicode scalars."""
import select
import sys
from ctypes import CDLL, CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint32
from ctypes import c_uint64, c_void_p, sizeof, string_at

continuo = CDLL("libcontinuo.so.0")
SCALARS = 2


class Text(Structure):
    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return string_at(self.bytes, self.length).decode()


class App(Structure):
    _fields_ = [("size", c_size_t), ("identifier", c_char_p), ("identifier_length", c_size_t), ("name", Text),
                ("program", Text), ("columns", c_int32), ("padding", c_int32)]


class Place(Structure):
    _fields_ = [("size", c_size_t), ("parts", c_uint32), ("certainty", c_int32), ("line", c_int64),
                ("column", c_int64)]


class Offer(Structure):
    _fields_ = [("size", c_size_t), ("offer", c_uint64), ("device", Text)]


class Delivery(Structure):
    _fields_ = [("size", c_size_t), ("continuation", c_uint64), ("activity", c_uint64), ("document", c_uint64),
                ("device", Text), ("path", Text), ("descriptor", c_int32), ("is_read_only", c_int32),
                ("arrival", c_void_p), ("place", POINTER(Place))]


UPDATE = CFUNCTYPE(c_int32, c_void_p, c_uint64, c_uint64, c_uint64)
RESTORE = CFUNCTYPE(c_int32, c_void_p, c_uint64, POINTER(Delivery))
OFFERS = CFUNCTYPE(None, c_void_p, c_uint64)


class Callbacks(Structure):  # The first ones only: the size says so.
    _fields_ = [("size", c_size_t), ("context", c_void_p), ("needs_update", UPDATE),
                ("restore_document", RESTORE), ("offers_changed", OFFERS)]


accepted, over = [], []


def check(status):
    if status:
        sentence = Text()
        continuo.continuo_last_error(byref(sentence))
        sys.exit(str(sentence))


@UPDATE
def needs_update(context, session, activity, document):
    place = Place(size=sizeof(Place), line=1, column=3)
    check(continuo.continuo_document_set_place(c_uint64(session), c_uint64(document), byref(place)))
    over.append("left")
    return 0


@RESTORE
def restore(context, session, delivery):
    told, place = delivery.contents, delivery.contents.place.contents
    print(f"{told.device}: line {place.line} column {place.column}")
    over.append("restored")
    return 0


@OFFERS
def offers_changed(context, session):
    count, offer = c_size_t(), Offer(size=sizeof(Offer))
    check(continuo.continuo_offer_count(c_uint64(session), byref(count)))
    if count.value and not accepted:
        accepted.append(True)
        check(continuo.continuo_offer_at(c_uint64(session), c_size_t(0), byref(offer)))
        check(continuo.continuo_offer_accept(c_uint64(session), c_uint64(offer.offer), None))


name = b"org.example.editor-in-python"
app = App(size=sizeof(App), identifier=name, identifier_length=len(name), columns=SCALARS)
takes = sys.argv[1] == "take-up"
callbacks = Callbacks(sizeof(Callbacks), None, needs_update, restore if takes else RESTORE(),
                      offers_changed if takes else OFFERS())
session = c_uint64()
check(continuo.continuo_session_create(byref(app), byref(callbacks), byref(session)))
check(continuo.continuo_connect(session))
if not takes:
    document, path = c_uint64(), sys.argv[2].encode()
    check(continuo.continuo_document_open(session, path, c_size_t(len(path)), byref(document)))
    check(continuo.continuo_document_become_current(session, document))
    check(continuo.continuo_document_changed(session, document, c_int32(0)))
while not over:
    if not select.select([continuo.continuo_descriptor(session)], [], [], 60)[0]:
        sys.exit("nothing came")
    check(continuo.continuo_dispatch(session))
check(continuo.continuo_session_destroy(session, c_uint32(2000)))
