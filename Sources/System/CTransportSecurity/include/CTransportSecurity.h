// SPDX-License-Identifier: MIT
//
// OpenSSL's TLS 1.3 on sockets that do not block, with keys that both sides have and fresh ones of Diffie and
// Hellman, and without certificates. No logic: small functions on libssl, for `continuo-lan` alone.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// What two handshakes share: the settings. To be freed never.
typedef struct continuo_tls_context continuo_tls_context;

/// One end of a connection.
typedef struct continuo_tls continuo_tls;

/// Bytes of a key, of a code, and of what `continuo_tls_export` gives.
#define CONTINUO_TLS_KEY 32

/// Asked by the accepting end for the key of what the other end says it is: always writes one.
typedef void continuo_tls_keys(void *owner, const uint8_t *identity, size_t size, uint8_t *key);

/// Settings: version 1.3 and no other, keys with X25519 only, no certificate, ticket, resumption or early data.
/// Null on failure. Reads no configuration and no file.
continuo_tls_context *continuo_tls_context_new(void);

/// The accepting end on `socket`, which stays the caller's. `keys` is called with `owner`. Null on failure.
continuo_tls *continuo_tls_accept(continuo_tls_context *context, int socket, continuo_tls_keys *keys, void *owner);

/// The end that dials on `socket`: says `identity`, which is copied, and proves `key`. Null on failure.
continuo_tls *continuo_tls_dial(continuo_tls_context *context, int socket, const uint8_t *identity, size_t size,
                                const uint8_t *key);

void continuo_tls_free(continuo_tls *end);

/// What the calls below return beside a count: nothing before the socket is readable, or has room; the other end
/// has closed; or anything else went wrong, and the connection is of no use.
#define CONTINUO_TLS_ENDED 0
#define CONTINUO_TLS_WANTS_READ (-1)
#define CONTINUO_TLS_WANTS_WRITE (-2)
#define CONTINUO_TLS_FAILED (-3)

/// 1 when the handshake is done.
int continuo_tls_handshake(continuo_tls *end);

/// Whether the handshake used the key. One with a certificate did not.
int continuo_tls_used_key(continuo_tls *end);

/// How many bytes were read, of one record.
int continuo_tls_read(continuo_tls *end, uint8_t *bytes, int room);

/// `count` when all of `bytes`, one record, were taken. After "wants" to be called again with the same bytes.
int continuo_tls_write(continuo_tls *end, const uint8_t *bytes, int count);

/// Whether bytes lie in `end` that the socket will not tell of.
int continuo_tls_has_more(continuo_tls *end);

/// Keying material of this connection alone (RFC 8446, 7.5), equal at both ends; 1 on success.
int continuo_tls_export(continuo_tls *end, const char *label, uint8_t *bytes);

/// HMAC with SHA-256; 1 on success.
int continuo_tls_code(const uint8_t *key, size_t key_size, const uint8_t *message, size_t size, uint8_t *code);

/// Random bytes that nobody can guess; 1 on success.
int continuo_tls_random(uint8_t *bytes, int count);
