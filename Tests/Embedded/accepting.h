/* SPDX-License-Identifier: MIT */
/* Accepting one offer, in programs of one file. */
#include "check.h"

/* Accepts the first offer that is meant, once; `has_accepted` says so. */
static void accept_offer(
    continuo_session session, int *has_accepted, int (*is_meant)(const continuo_offer_info *offer)) {
  continuo_offer_info offer = {0};
  size_t count, index;
  offer.size = sizeof offer;
  check(continuo_offer_count(session, &count), CONTINUO_OK, "offer_count");
  for (index = 0; index < count && !*has_accepted; index++) {
    check(continuo_offer_at(session, index, &offer), CONTINUO_OK, "offer_at");
    if (!is_meant(&offer)) continue;
    *has_accepted = 1;
    check(continuo_offer_accept(session, offer.offer, NULL), CONTINUO_OK, "accept");
  }
}
