// SPDX-License-Identifier: MIT
#include "CTransportSecurity.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

struct continuo_tls {
  SSL *ssl;
  continuo_tls_keys *keys;
  void *owner;
  uint8_t key[CONTINUO_TLS_KEY];
  uint8_t identity[64];
  size_t size;
};

static SSL_CTX *settings(continuo_tls_context *context) { return (SSL_CTX *)context; }

// A key as TLS 1.3 of OpenSSL takes it: as if it were left from an earlier session.
static SSL_SESSION *session_of(SSL *ssl, const uint8_t *key) {
  static const unsigned char aes_128_gcm_sha256[] = {0x13, 0x01};
  const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, aes_128_gcm_sha256);
  SSL_SESSION *session = SSL_SESSION_new();
  if (session && cipher && SSL_SESSION_set1_master_key(session, key, CONTINUO_TLS_KEY) &&
      SSL_SESSION_set_cipher(session, cipher) && SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION))
    return session;
  SSL_SESSION_free(session);
  return NULL;
}

static int find_key(SSL *ssl, const unsigned char *identity, size_t size, SSL_SESSION **session) {
  struct continuo_tls *end = SSL_get_app_data(ssl);
  uint8_t key[CONTINUO_TLS_KEY];
  end->keys(end->owner, identity, size, key);
  *session = session_of(ssl, key);
  OPENSSL_cleanse(key, sizeof key);
  return *session != NULL;
}

static int use_key(SSL *ssl, const EVP_MD *hash, const unsigned char **identity, size_t *size,
                   SSL_SESSION **session) {
  (void)hash;
  struct continuo_tls *end = SSL_get_app_data(ssl);
  *session = session_of(ssl, end->key);
  *identity = end->identity;
  *size = end->size;
  return *session != NULL;
}

continuo_tls_context *continuo_tls_context_new(void) {
  if (!OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL)) return NULL;
  SSL_CTX *context = SSL_CTX_new(TLS_method());
  if (!context) return NULL;
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_psk_find_session_callback(context, find_key);
  SSL_CTX_set_psk_use_session_callback(context, use_key);
  if (SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) && SSL_CTX_set_num_tickets(context, 0) &&
      SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") && SSL_CTX_set1_groups_list(context, "X25519"))
    return (continuo_tls_context *)context;
  SSL_CTX_free(context);
  return NULL;
}

static continuo_tls *end_on(continuo_tls_context *context, int socket) {
  continuo_tls *end = calloc(1, sizeof *end);
  if (!end) return NULL;
  end->ssl = SSL_new(settings(context));
  if (end->ssl && SSL_set_app_data(end->ssl, end) && SSL_set_fd(end->ssl, socket)) return end;
  continuo_tls_free(end);
  return NULL;
}

continuo_tls *continuo_tls_accept(continuo_tls_context *context, int socket, continuo_tls_keys *keys, void *owner) {
  continuo_tls *end = end_on(context, socket);
  if (!end) return NULL;
  end->keys = keys;
  end->owner = owner;
  SSL_set_accept_state(end->ssl);
  return end;
}

continuo_tls *continuo_tls_dial(continuo_tls_context *context, int socket, const uint8_t *identity, size_t size,
                                const uint8_t *key) {
  continuo_tls *end = size <= sizeof end->identity ? end_on(context, socket) : NULL;
  if (!end) return NULL;
  memcpy(end->identity, identity, size);
  memcpy(end->key, key, sizeof end->key);
  end->size = size;
  SSL_set_connect_state(end->ssl);
  // It takes no certificate: there is none that it would trust.
  SSL_set_verify(end->ssl, SSL_VERIFY_PEER, NULL);
  return end;
}

void continuo_tls_free(continuo_tls *end) {
  if (!end) return;
  SSL_free(end->ssl);
  OPENSSL_cleanse(end, sizeof *end);
  free(end);
}

static int result_of(continuo_tls *end, int result) {
  if (result > 0) return result;
  switch (SSL_get_error(end->ssl, result)) {
  case SSL_ERROR_WANT_READ: return CONTINUO_TLS_WANTS_READ;
  case SSL_ERROR_WANT_WRITE: return CONTINUO_TLS_WANTS_WRITE;
  case SSL_ERROR_ZERO_RETURN: return CONTINUO_TLS_ENDED;
  case SSL_ERROR_SSL: return CONTINUO_TLS_FAILED;
  default: return CONTINUO_TLS_ENDED;
  }
}

int continuo_tls_handshake(continuo_tls *end) {
  ERR_clear_error();
  return result_of(end, SSL_do_handshake(end->ssl));
}

int continuo_tls_used_key(continuo_tls *end) { return SSL_session_reused(end->ssl); }

int continuo_tls_read(continuo_tls *end, uint8_t *bytes, int room) {
  ERR_clear_error();
  return result_of(end, SSL_read(end->ssl, bytes, room));
}

int continuo_tls_write(continuo_tls *end, const uint8_t *bytes, int count) {
  ERR_clear_error();
  return result_of(end, SSL_write(end->ssl, bytes, count));
}

int continuo_tls_has_more(continuo_tls *end) { return SSL_pending(end->ssl) > 0; }

int continuo_tls_export(continuo_tls *end, const char *label, uint8_t *bytes) {
  return SSL_export_keying_material(end->ssl, bytes, CONTINUO_TLS_KEY, label, strlen(label), NULL, 0, 0) == 1;
}

int continuo_tls_code(const uint8_t *key, size_t key_size, const uint8_t *message, size_t size, uint8_t *code) {
  unsigned int written = 0;
  return HMAC(EVP_sha256(), key, (int)key_size, message, size, code, &written) != NULL;
}

int continuo_tls_random(uint8_t *bytes, int count) { return RAND_bytes(bytes, count) == 1; }
