# SPDX-License-Identifier: MIT
"""Stands in the place of `continuo serve --stdio`: whatever it reads goes to the test, and the other way round."""

import os
import select
import socket
import sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
ends = {0: connection.fileno(), connection.fileno(): 1}
while True:
    for end in select.select(list(ends), [], [])[0]:
        found = os.read(end, 65536)
        if not found:
            sys.exit(0)
        while found:
            found = found[os.write(ends[end], found):]
