# shellcheck shell=sh
# A small disk for a part of PostgreSQL's data. Sourced behind postgres.sh.
#
#   make_disk               makes it; skips all tests where that is not allowed
#   start_with_disk FOLDER  a PostgreSQL that has this folder of its data there
#   fill_disk               leaves no room on it
#   empty_disk              gives it back

# shellcheck disable=SC2034,SC2154 # what the libraries set and use

disk=$stack_folder/disk

# PostgreSQL has to end before its disk goes.
stop_others() {
	[ -z "$stack_has_postgres" ] || stop_postgres immediate
	! mountpoint -q "$disk" || try 10 umount "$disk" || stack_failed=1
}

# It is PostgreSQL's own.
make_disk() {
	mkdir "$disk"
	[ "$(id -u)" = 0 ] || skip_all 'only root can mount a disk'
	mount -t tmpfs -o "size=64m,mode=0700,uid=$(id -u postgres),gid=$(id -g postgres)" tmpfs "$disk" \
		2>"$stack_folder/mount.out" || skip_all "no disk can be mounted: $(head -n 1 "$stack_folder/mount.out")"
}

# The log stays small, so that there is always room to be lacking.
start_on_disk() {
	start_postgres max_wal_size=32MB min_wal_size=32MB
}

start_with_disk() {
	start_on_disk
	disk_for=$postgres_folder/data/$1
	[ ! -h "$disk_for" ] || return 0
	stop_postgres
	mv "$disk_for/"* "$disk/"
	rmdir "$disk_for"
	ln -s "$disk" "$disk_for"
	start_on_disk
}

fill_disk() {
	dd if=/dev/zero of="$disk/filler" bs=4k 2>"$stack_folder/filled"
}

empty_disk() {
	rm "$disk/filler"
}
