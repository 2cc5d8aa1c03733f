/* The handlers that router.c knows, for tests that have handlers of their own. */
#ifndef HANDLERS_H
#define HANDLERS_H

#define EACH_HANDLER(H) \
	H(home) H(style) H(hello) H(healthz) H(readyz) H(shorten) H(redirect) H(openapi) H(links_list) H(links_add) H(link_show) \
	H(link_edit) H(link_delete) H(link_visits)

#endif
