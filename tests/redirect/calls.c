/* SPDX-License-Identifier: MIT */
/*
 * Calls as a program has them, in a directory that is given; all that they
 * tell goes into a text. Compiled twice: plain, and with memvfs/redirect.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

#include "tests/redirect/calls.h"

static char *text;
static size_t room;

__attribute__((__format__(__printf__, 1, 2)))
static void tell(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, room, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= room)
		abort();
	text += n;
	room -= (size_t)n;
}

#define RUN(call) \
	do { \
		long long result_; \
		\
		errno = 0; \
		result_ = (long long)(call); \
		tell("%s = %lld %s\n", #call, result_, \
		     result_ < 0 ? strerror(errno) : ""); \
	} while (0)

static void tell_stat(const struct stat *st)
{
	tell("mode %o nlink %d size %lld mtime %lld.%ld\n",
	     (unsigned)st->st_mode,
	     S_ISDIR(st->st_mode) ? 0 : (int)st->st_nlink,
	     S_ISDIR(st->st_mode) ? 0 : (long long)st->st_size,
	     st->st_mtime > 2000 ? -1LL : (long long)st->st_mtime,
	     st->st_mtime > 2000 ? 0L : st->st_mtim.tv_nsec);
}

static void data(void)
{
	char bytes[100] = "";
	const struct iovec iov[2] = { { bytes, 3 }, { bytes + 3, 4 } };
	struct stat st;
	int fd = open("file", O_RDWR | O_CREAT | O_EXCL, 0640), other;

	RUN(open("file", O_RDWR | O_CREAT | O_EXCL, 0640));
	RUN(open("missing", O_RDONLY));
	RUN(write(fd, "one two three", 13));
	RUN(lseek(fd, 4, SEEK_SET));
	RUN(read(fd, bytes, 3));
	RUN(pwrite(fd, "TWO", 3, 4));
	RUN(pread(fd, bytes, 99, 0));
	tell("%s\n", bytes);
	RUN(writev(fd, iov, 2));
	RUN(lseek(fd, 0, SEEK_SET));
	RUN(readv(fd, iov, 2));
	other = dup(fd);
	RUN(lseek(other, 0, SEEK_CUR));
	RUN(fcntl(other, F_GETFL) & (O_ACCMODE | O_APPEND));
	RUN(fcntl(other, F_SETFL, O_APPEND));
	RUN(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND));
	RUN(dup2(fd, other) == other);
	RUN(flock(fd, LOCK_EX | LOCK_NB));
	RUN(fsync(fd));
	RUN(fdatasync(other));
	RUN(ftruncate(fd, 9));
	RUN(posix_fallocate(fd, 0, 20));
	RUN(posix_fallocate(fd, -1, 20));
	RUN(fstat(fd, &st));
	tell_stat(&st);
	RUN(isatty(fd));
	RUN(close(other));
	RUN(close(other));
	RUN(fchmod(fd, 0600));
	RUN(dprintf(fd, "%d\n", 42));
	RUN(close(fd));
	RUN(truncate("file", 5));
	RUN(close(creat("second", 0600)));
}

static void locks(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open("file", O_RDWR);

	RUN(fcntl(fd, F_SETLK, &lock));
	lock.l_start = 10;
	RUN(fcntl(fd, F_GETLK, &lock));
	tell("type %d start %lld\n", lock.l_type, (long long)lock.l_start);
	RUN(fcntl(fd, 12345));
	RUN(close(fd));
}

static void names(void)
{
	struct timespec times[2] = { { 5, 6 }, { 7, 8 } };
	struct timeval old[2] = { { 11, 12 }, { 13, 14 } };
	struct utimbuf older = { 21, 23 };
	char bytes[100] = "";
	struct stat st;
	int dir;

	RUN(mkdir("dir", 0755));
	RUN(mkdir("dir", 0755));
	RUN(link("file", "dir/second"));
	RUN(symlink("dir/second", "link"));
	RUN(readlink("link", bytes, sizeof(bytes)));
	RUN(lstat("link", &st));
	RUN(stat("link", &st));
	tell_stat(&st);
	RUN(access("link", R_OK));
	RUN(access("none", F_OK));
	RUN(chmod("link", 0644));
	RUN(utimensat(AT_FDCWD, "file", times, 0));
	RUN(stat("file", &st));
	tell_stat(&st);
	RUN(utimes("file", old));
	RUN(utime("file", &older));
	RUN(stat("file", &st));
	tell_stat(&st);
	RUN(rename("file", "dir/third"));
	RUN(rename("file", "dir/third"));
	RUN(rename("dir", "dir/sub"));
	dir = open("dir", O_RDONLY | O_DIRECTORY);
	RUN(mkdirat(dir, "sub", 0700));
	RUN(fstatat(dir, "third", &st, 0));
	RUN(fstatat(dir, "", &st, AT_EMPTY_PATH));
	RUN(faccessat(dir, "third", W_OK, 0));
	RUN(renameat(dir, "third", AT_FDCWD, "back"));
	RUN(linkat(dir, "second", dir, "fourth", 0));
	RUN(symlinkat("x", dir, "five"));
	RUN(readlinkat(dir, "five", bytes, 10));
	RUN(unlinkat(dir, "five", 0));
	RUN(unlinkat(dir, "sub", AT_REMOVEDIR));
	RUN(close(openat(dir, "six", O_CREAT | O_WRONLY, 0600)));
	RUN(close(dir));
	RUN(mkfifo("fifo", 0600));
	RUN(remove("fifo"));
	RUN(remove("none"));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void list(const char *path)
{
	char found[20][300];
	const struct dirent *d;
	size_t i, n = 0;
	DIR *dir = opendir(path);

	if (!dir) {
		tell("opendir: %s\n", strerror(errno));
		return;
	}
	while ((d = readdir(dir)))
		snprintf(found[n++], 300, "%s %d", d->d_name, d->d_type);
	qsort(found, n, sizeof(found[0]), by_name);
	for (i = 0; i < n; i++)
		tell("%s\n", found[i]);
	rewinddir(dir);
	RUN(!!readdir(dir));
	RUN(close(dup(dirfd(dir))));
	RUN(closedir(dir));
}

static void streams(void)
{
	char line[100], name[] = "tempXXXXXX", sub[] = "dirXXXXXX";
	FILE *file = fopen("stream", "w+");
	int fd;

	RUN(fprintf(file, "line %d\n", 1));
	RUN(fflush(file));
	RUN(fsync(fileno(file)));
	rewind(file);
	tell("%s", fgets(line, sizeof(line), file));
	RUN(fclose(file));
	RUN(!fopen("none", "r"));
	file = fdopen(open("stream", O_RDONLY), "r");
	RUN(fgetc(file));
	RUN(fclose(file));
	fd = mkstemp(name);
	RUN(fd >= 0 && strlen(name) == 10);
	RUN(close(fd));
	RUN(unlink(name));
	RUN(mkdtemp(sub) == sub);
	RUN(rmdir(sub));
	RUN(umask(077));
	RUN(close(open("private", O_CREAT | O_WRONLY, 0666)));
	RUN(umask(022));
}

/* Where one is, seen from the directory that was given. */
static void places(const char *base)
{
	char path[5000];
	struct stat st;
	char *real;
	int dir;

	tell("%s\n", getcwd(path, sizeof(path)) + strlen(base));
	RUN(chdir("dir"));
	tell("%s\n", getcwd(path, sizeof(path)) + strlen(base));
	RUN(stat("../private", &st));
	tell_stat(&st);
	real = realpath("./../dir//second", NULL);
	tell("%s\n", real ? real + strlen(base) : "none");
	free(real);
	dir = open("..", O_RDONLY | O_DIRECTORY);
	RUN(fchdir(dir));
	tell("%s\n", getcwd(path, sizeof(path)) + strlen(base));
	RUN(close(dir));
	RUN(chdir("private"));
	RUN(access("/proc/self/status", R_OK));
	RUN(access("../../../../../../../../../../../../proc/self", X_OK));
	RUN(chdir("/"));
	tell("%s\n", getcwd(path, sizeof(path)));
}

static void clear(void)
{
	static const char *const all[] = {
		"dir/second", "dir/fourth", "dir/six", "second", "link",
		"back", "stream", "private"
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		RUN(unlink(all[i]));
	RUN(rmdir("dir"));
	list(".");
}

void CALLS(const char *base, char *to, size_t len)
{
	text = to;
	room = len;
	RUN(chdir(base));
	data();
	locks();
	names();
	list("dir");
	list("none");
	list("link");
	streams();
	places(base);
	RUN(chdir(base));
	clear();
	RUN(chdir("/"));
}
