#ifndef GATEWAY_RESERVE_H
#define GATEWAY_RESERVE_H

#include <stdbool.h>

#include "result.h"

/* Memory for libfcgi, which ends the process where it gets none (its Malloc asserts). Part of gateway; nobody else
 * includes this. */

/* To be called before libfcgi reads a request. False: it would have to do without, so it must not. Costs no system
 * call as a rule. */
bool gateway_reserve_is_there(void) MUST_CHECK;

#endif
