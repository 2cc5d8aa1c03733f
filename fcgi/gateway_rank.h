#ifndef GATEWAY_RANK_H
#define GATEWAY_RANK_H

#include <stdbool.h>

/* The processes that share a listening socket have ranks: 0, 1 and so on, each its own. A rank is a record lock
 * on that byte of the socket (fcntl(2)): nobody has to hand it out, and it is free again when its process ends.
 * Linux gives such locks on any descriptor; where they are refused, all are the first. Part of gateway_listener;
 * nobody else includes this. */

/* The rank of all who came too late for one of their own, and of who has none yet. */
#define GATEWAY_RANK_LAST 8

/* Takes the lowest rank below `rank` that is free, and gives back `rank`; where none is, keeps it. Returns what
 * this process has now. Closing any descriptor of the socket gives it back, too. */
int gateway_rank_improve(int descriptor, int rank);

/* Whether no other process has a rank. */
bool gateway_rank_is_alone(int descriptor);

/* Nothing happens to GATEWAY_RANK_LAST. */
void gateway_rank_give_back(int descriptor, int rank);

#endif
