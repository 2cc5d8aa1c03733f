/* Says which process of the pool comes first. */
#include "gateway_rank.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct flock lock_of(short type, int rank, int ranks_count)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = rank, .l_len = ranks_count };
}

/* 0, or what went wrong. */
static int set_lock(int descriptor, short type, int rank)
{
	struct flock lock = lock_of(type, rank, 1);

	return fcntl(descriptor, F_SETLK, &lock) == 0 ? 0 : errno;
}

int gateway_rank_improve(int descriptor, int rank)
{
	for (int lower = 0; lower < rank; lower++) {
		int error = set_lock(descriptor, F_WRLCK, lower);

		if (error == EAGAIN || error == EACCES)
			continue;
		if (error != 0)
			return rank < GATEWAY_RANK_LAST ? rank : 0;
		gateway_rank_give_back(descriptor, rank);
		return lower;
	}
	return rank;
}

bool gateway_rank_is_alone(int descriptor)
{
	struct flock lock = lock_of(F_WRLCK, 0, GATEWAY_RANK_LAST);

	return fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK;
}

void gateway_rank_give_back(int descriptor, int rank)
{
	set_lock(descriptor, F_UNLCK, rank);
}
