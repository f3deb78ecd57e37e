/* Records the calls that touch files of one folder, and lets one of them fail.

   The library is preloaded (LD_PRELOAD), so that it also sees the calls of SQLite. It reads:

   COOKMAS_CALLS_FOLDER   the folder, as an absolute path without links
   COOKMAS_CALLS_LOG      the file to which it appends a record of each call that has succeeded
   COOKMAS_CALLS_FAULT    KIND TAB PATTERN TAB NUMBER TAB ACTION: what happens to the call with this
                          number (from 1 on) of those of a kind on files that match a pattern
   COOKMAS_CALLS_COUNT    a file of 8 bytes, in which all processes count those calls

   A record is a line of kind, path, second path, offset and number of bytes, separated by tabs,
   and then the bytes. Paths are relative to the folder. The actions are in `points.py`. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Seconds of a pause, after which deadlines of workers are over. */
#define PAUSE 3

#define REAL(name) ((__typeof__(&name))find(#name))

static void *find(const char *name) { return dlsym(RTLD_NEXT, name); }

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Write the path within the folder to `within`; return whether `path` is there. */
static int is_within(const char *path, char *within)
{
    const char *folder = getenv("COOKMAS_CALLS_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    if (!length || strncmp(path, folder, length) || (path[length] && path[length] != '/'))
        return 0;
    snprintf(within, PATH_MAX, "%s", path[length] ? path + length + 1 : ".");
    return 1;
}

static int of_file(int file, char *within)
{
    char link[64], path[PATH_MAX];
    if (file < 0 || !getenv("COOKMAS_CALLS_FOLDER"))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return !strstr(path, " (deleted)") && is_within(path, within);
}

/* As `is_within`, for a path relative to an open folder or to the current one. */
static int of_path(int folder, const char *path, char *within)
{
    char start[PATH_MAX], whole[2 * PATH_MAX], part[PATH_MAX];
    if (!getenv("COOKMAS_CALLS_FOLDER") || !path)
        return 0;
    if (path[0] == '/')
        return is_within(path, within);
    if (folder == AT_FDCWD ? !getcwd(start, sizeof start) : !of_file(folder, part))
        return 0;
    if (folder != AT_FDCWD)
        snprintf(start, sizeof start, "%s%s%s", getenv("COOKMAS_CALLS_FOLDER"),
                 strcmp(part, ".") ? "/" : "", strcmp(part, ".") ? part : "");
    while (!strncmp(path, "./", 2))
        path += 2;
    snprintf(whole, sizeof whole, strcmp(path, ".") ? "%s/%s" : "%s", start, path);
    return is_within(whole, within);
}

/* Stop this process, which a child continues after PAUSE seconds. */
static void stand_still(void)
{
    pid_t process = getpid();
    if (!fork()) {
        sleep(PAUSE);
        kill(process, SIGCONT);
        _exit(0);
    }
    syscall(SYS_kill, process, SIGSTOP);
}

/* Count a call, and return the action that is asked for it, or "". */
static const char *action_of(const char *kind, const char *within)
{
    static __thread char fields[4 * PATH_MAX];
    const char *fault = getenv("COOKMAS_CALLS_FAULT");
    char *rest = fields;
    if (!fault)
        return "";
    snprintf(fields, sizeof fields, "%s", fault);
    const char *wanted = strsep(&rest, "\t"), *pattern = strsep(&rest, "\t");
    long number = atol(strsep(&rest, "\t"));
    const char *action = rest;
    int full = !strcmp(action, "full") && strcmp(wanted, kind) &&
               (!strcmp(kind, "write") || !strcmp(kind, "create") || !strcmp(kind, "mkdir"));
    if (!full && (strcmp(wanted, kind) || fnmatch(pattern, within, 0)))
        return "";
    int file = syscall(SYS_openat, AT_FDCWD, getenv("COOKMAS_CALLS_COUNT"), O_RDWR);
    if (file < 0)
        return "";
    int64_t *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (count == MAP_FAILED)
        return "";
    long before = full ? __atomic_load_n(count, __ATOMIC_SEQ_CST)
                       : __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    munmap(count, sizeof *count);
    if (before == number && !strcmp(action, "pause")) {
        stand_still();
        return "";
    }
    /* A disk that is full stays full. */
    return before == number || (!strcmp(action, "full") && before > number) ? action : "";
}

static void die(void) { syscall(SYS_kill, getpid(), SIGKILL); }

/* Let a call fail if that is asked for; return whether it failed. */
static int fails(const char *kind, const char *within)
{
    const char *action = action_of(kind, within);
    if (!*action || !strcmp(action, "short"))
        return 0;
    if (!strcmp(action, "kill") || !strcmp(action, "torn"))
        die();
    errno = !strcmp(action, "io") ? EIO : !strcmp(action, "full") ? ENOSPC : EINTR;
    return 1;
}

static void write_all(int file, const char *data, size_t size)
{
    while (size) {
        ssize_t written = syscall(SYS_write, file, data, size);
        if (written <= 0)
            die();
        data += written;
        size -= written;
    }
}

static void record(const char *kind, const char *one, const char *other, off_t offset,
                   const void *data, size_t size)
{
    const char *log = getenv("COOKMAS_CALLS_LOG");
    int before = errno;
    char line[3 * PATH_MAX];
    if (!log)
        return;
    int file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND);
    int length = snprintf(line, sizeof line, "%s\t%s\t%s\t%lld\t%zu\n", kind, one, other,
                          (long long)offset, data ? size : 0);
    syscall(SYS_flock, file, LOCK_EX);
    write_all(file, line, length);
    if (data)
        write_all(file, data, size);
    syscall(SYS_close, file);
    errno = before;
}

/* Run a call on `within` and record it; `result` is its result. */
#define TRACED(kind, within, other, offset, call)                                                 \
    ({                                                                                            \
        __typeof__(call) result = -1;                                                             \
        if (!fails(kind, within)) {                                                               \
            pthread_mutex_lock(&one_at_a_time);                                                   \
            result = call;                                                                        \
            if (result >= 0)                                                                      \
                record(kind, within, other, offset, NULL, 0);                                     \
            pthread_mutex_unlock(&one_at_a_time);                                                 \
        }                                                                                         \
        result;                                                                                   \
    })

/* --- opening --- */

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    char within[PATH_MAX];
    if (!of_path(folder, path, within))
        return syscall(SYS_openat, folder, path, flags, mode);
    int creates = flags & O_CREAT && syscall(SYS_faccessat, folder, path, F_OK);
    const char *kind = creates ? "create" : flags & O_TRUNC ? "empty" : "open";
    return TRACED(kind, within, "", 0, (int)syscall(SYS_openat, folder, path, flags, mode));
}

#define OPENS(name)                                                                               \
    int name(const char *path, int flags, ...)                                                    \
    {                                                                                             \
        va_list rest;                                                                             \
        va_start(rest, flags);                                                                    \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;                 \
        va_end(rest);                                                                             \
        return open_at(AT_FDCWD, path, flags, mode);                                              \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                                            \
    int name(int folder, const char *path, int flags, ...)                                        \
    {                                                                                             \
        va_list rest;                                                                             \
        va_start(rest, flags);                                                                    \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;                 \
        va_end(rest);                                                                             \
        return open_at(folder, path, flags, mode);                                                \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

/* --- reading and writing --- */

#define READS(call)                                                                               \
    char within[PATH_MAX];                                                                        \
    if (of_file(file, within)) {                                                                  \
        const char *action = action_of("read", within);                                           \
        if (!strcmp(action, "short") && size > 1)                                                 \
            size /= 2;                                                                            \
        else if (!strcmp(action, "kill"))                                                         \
            die();                                                                                \
        else if (*action && strcmp(action, "short")) {                                            \
            errno = !strcmp(action, "io") ? EIO : EINTR;                                          \
            return -1;                                                                            \
        }                                                                                         \
        record("read", within, "", 0, NULL, 0);                                                   \
    }                                                                                             \
    return call;

ssize_t read(int file, void *data, size_t size) { READS(syscall(SYS_read, file, data, size)) }
ssize_t pread(int file, void *data, size_t size, off_t at)
{
    READS(syscall(SYS_pread64, file, data, size, at))
}
ssize_t pread64(int file, void *data, size_t size, off64_t at)
{
    READS(syscall(SYS_pread64, file, data, size, at))
}

/* Write at an offset, or at the place of the file if that is -1. */
static ssize_t write_at(int file, const void *data, size_t size, off_t at)
{
    char within[PATH_MAX];
    int is_ours = of_file(file, within);
    const char *action = is_ours ? action_of("write", within) : "";
    if (!strcmp(action, "kill"))
        die();
    if (!strcmp(action, "io") || !strcmp(action, "full") || !strcmp(action, "interrupt")) {
        errno = !strcmp(action, "io") ? EIO : !strcmp(action, "full") ? ENOSPC : EINTR;
        return -1;
    }
    if (*action && size > 1)
        size /= 2;
    if (is_ours)
        pthread_mutex_lock(&one_at_a_time);
    ssize_t written = at < 0 ? syscall(SYS_write, file, data, size)
                             : syscall(SYS_pwrite64, file, data, size, at);
    if (!strcmp(action, "torn"))
        die();
    if (is_ours) {
        if (written > 0) {
            off_t end = at < 0 ? lseek(file, 0, SEEK_CUR) : at + written;
            record("write", within, "", end - written, data, written);
        }
        pthread_mutex_unlock(&one_at_a_time);
    }
    return written;
}

ssize_t write(int file, const void *data, size_t size) { return write_at(file, data, size, -1); }
ssize_t pwrite(int file, const void *data, size_t size, off_t at)
{
    return write_at(file, data, size, at);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at)
{
    return write_at(file, data, size, at);
}

/* Copies within the kernel are refused, so that their callers write. */
ssize_t sendfile(int to, int from, off_t *at, size_t size)
{
    char within[PATH_MAX];
    if (of_file(to, within)) {
        errno = ENOTSOCK;
        return -1;
    }
    return REAL(sendfile)(to, from, at, size);
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t size)
{
    char within[PATH_MAX];
    if (of_file(to, within)) {
        errno = ENOTSOCK;
        return -1;
    }
    return REAL(sendfile64)(to, from, at, size);
}

/* --- what changes files as a whole --- */

#define ON_FILE(kind, offset, call)                                                               \
    char within[PATH_MAX];                                                                        \
    if (!of_file(file, within))                                                                   \
        return call;                                                                              \
    return TRACED(kind, within, "", offset, call);

int fsync(int file) { ON_FILE("sync", 0, (int)syscall(SYS_fsync, file)) }
int fdatasync(int file) { ON_FILE("sync", 0, (int)syscall(SYS_fdatasync, file)) }
int ftruncate(int file, off_t size) { ON_FILE("truncate", size, (int)syscall(SYS_ftruncate, file, size)) }
int ftruncate64(int file, off64_t size)
{
    ON_FILE("truncate", size, (int)syscall(SYS_ftruncate, file, size))
}
int fchmod(int file, mode_t mode) { ON_FILE("chmod", 0, (int)syscall(SYS_fchmod, file, mode)) }

#define ON_PATH(kind, folder, path, call)                                                         \
    char within[PATH_MAX];                                                                        \
    if (!of_path(folder, path, within))                                                           \
        return call;                                                                              \
    return TRACED(kind, within, "", 0, call);

int unlink(const char *path) { ON_PATH("unlink", AT_FDCWD, path, REAL(unlink)(path)) }
int unlinkat(int folder, const char *path, int flags)
{
    ON_PATH(flags & AT_REMOVEDIR ? "rmdir" : "unlink", folder, path,
            REAL(unlinkat)(folder, path, flags))
}
int rmdir(const char *path) { ON_PATH("rmdir", AT_FDCWD, path, REAL(rmdir)(path)) }
int mkdir(const char *path, mode_t mode) { ON_PATH("mkdir", AT_FDCWD, path, REAL(mkdir)(path, mode)) }
int chmod(const char *path, mode_t mode) { ON_PATH("chmod", AT_FDCWD, path, REAL(chmod)(path, mode)) }
int mkfifo(const char *path, mode_t mode)
{
    ON_PATH("mkfifo", AT_FDCWD, path, REAL(mkfifo)(path, mode))
}

int rename(const char *from, const char *to)
{
    char one[PATH_MAX], other[PATH_MAX];
    if (!of_path(AT_FDCWD, from, one) || !of_path(AT_FDCWD, to, other))
        return REAL(rename)(from, to);
    return TRACED("rename", one, other, 0, REAL(rename)(from, to));
}

/* --- locks, which wait outside the mutex --- */

int flock(int file, int how)
{
    char within[PATH_MAX];
    if (of_file(file, within)) {
        if (fails("lock", within))
            return -1;
        record("lock", within, "", 0, NULL, 0);
    }
    return syscall(SYS_flock, file, how);
}

static int control(int file, int what, void *argument)
{
    char within[PATH_MAX];
    int locks = what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
    if (locks && ((struct flock *)argument)->l_type != F_UNLCK && of_file(file, within)) {
        if (fails("lock", within))
            return -1;
        record("lock", within, "", 0, NULL, 0);
    }
    return syscall(SYS_fcntl, file, what, argument);
}

#define CONTROLS(name)                                                                            \
    int name(int file, int what, ...)                                                             \
    {                                                                                             \
        va_list rest;                                                                             \
        va_start(rest, what);                                                                     \
        void *argument = va_arg(rest, void *);                                                    \
        va_end(rest);                                                                             \
        return control(file, what, argument);                                                     \
    }
CONTROLS(fcntl)
CONTROLS(fcntl64)
