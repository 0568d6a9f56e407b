/* SPDX-License-Identifier: MIT */
/* The statistics page: making it, slots, and what a thread writes about its sleep. */
#include "lib/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own.h"

enum {
	N_SLOTS = 512,
	RESERVE = 16384, /* bytes asked of a file system at once */
};

struct file {
	int fd;
	size_t sure; /* bytes that can be written without fear */
};

static struct {
	pthread_mutex_t lock; /* guards the rest, and kind of every slot */
	struct leat_stats_head *head;
	struct file file;
	bool tried, hooked;
	uint32_t next; /* where to look for a slot to use again */
} page = { .lock = PTHREAD_MUTEX_INITIALIZER, .file.fd = -1 };

static struct leat_stats_slot *slot_at(uint32_t i)
{
	return (struct leat_stats_slot *)(void *)((char *)page.head +
		sizeof(struct leat_stats_head) + i * sizeof(struct leat_stats_slot));
}

static size_t bytes_of(uint32_t n_slots)
{
	return sizeof(struct leat_stats_head) + n_slots * sizeof(struct leat_stats_slot);
}

static size_t page_bytes(void)
{
	return bytes_of(N_SLOTS);
}

/* Writing to a mapped file of a full file system would end the program. */
static bool reserve(struct file *f, size_t bytes)
{
	if (bytes <= f->sure)
		return true;
	size_t want = (bytes + RESERVE - 1) / RESERVE * RESERVE;
	size_t len = (want < page_bytes() ? want : page_bytes()) - f->sure;
	if (fallocate(f->fd, 0, (off_t)f->sure, (off_t)len) < 0 && errno != EOPNOTSUPP)
		return false;
	f->sure += len;
	return true;
}

/* A file of an earlier process of this number goes; who has it mapped keeps it. */
static bool open_named(const char *dir, size_t bytes, struct file *f)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/leat-stats.%ld", dir, (long)getpid());
	if (n < 0 || (size_t)n >= sizeof(path))
		return false;
	unlink(path);
	f->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	f->sure = 0;
	if (f->fd < 0)
		return false;
	if (ftruncate(f->fd, (off_t)page_bytes()) == 0 && reserve(f, bytes))
		return true;
	unlink(path);
	close(f->fd);
	return false;
}

/* Where the named directory does not serve, the program must not suffer for it. */
static bool open_file(size_t bytes, struct file *f)
{
	const char *dir = secure_getenv("LEAT_STATS_DIR");
	if (dir && *dir && open_named(dir, bytes, f))
		return true;
	f->fd = memfd_create(LEAT_STATS_MEMFD, MFD_CLOEXEC);
	f->sure = page_bytes();
	if (f->fd < 0)
		return false;
	if (ftruncate(f->fd, (off_t)page_bytes()) == 0)
		return true;
	close(f->fd);
	return false;
}

/* Maps a new file at `at` (NULL: anywhere), of which `bytes` are written now. */
static struct leat_stats_head *map_file(void *at, size_t bytes, struct file *ret_file)
{
	struct file f;
	if (!open_file(bytes, &f))
		return NULL;
	struct leat_stats_head *head = mmap(at, page_bytes(), PROT_READ | PROT_WRITE,
		MAP_SHARED | (at ? MAP_FIXED : 0), f.fd, 0);
	if (head == MAP_FAILED) {
		close(f.fd);
		return NULL;
	}
	*ret_file = f;
	return head;
}

static void copy_name(char *to, const char *from)
{
	snprintf(to, LEAT_STATS_NAME, "%s", from ? from : "");
}

static void fill_head(struct leat_stats_head *head, uint32_t used)
{
	head->version = LEAT_STATS_VERSION;
	head->head_size = sizeof(*head);
	head->slot_size = sizeof(struct leat_stats_slot);
	head->n_slots = N_SLOTS;
	head->pid = (uint32_t)getpid();
	head->start_ns = (uint64_t)lt_now_ns();
	copy_name(head->name, program_invocation_short_name);
	__atomic_store_n(&head->used, used, __ATOMIC_RELEASE);
	__atomic_store_n(&head->magic, LEAT_STATS_MAGIC, __ATOMIC_RELEASE);
}

static void before_fork(void)
{
	pthread_mutex_lock(&page.lock);
}

static void after_fork_parent(void)
{
	pthread_mutex_unlock(&page.lock);
}

/* The child must not count into its parent's page: the same slots, on memory of its own, at the
 * same address. Its work starts at zero, and it has none of the parent's threads. */
static void after_fork_child(void)
{
	struct leat_stats_head *old = page.head;
	uint32_t used = old ? old->used : 0;
	size_t bytes = bytes_of(used);
	LT_AUTO_FREE struct leat_stats_head *copy = old ? malloc(bytes) : NULL;
	struct file file = { .fd = -1, .sure = page_bytes() };
	if (copy) {
		memcpy(copy, old, bytes);
		if (!map_file(old, bytes, &file) &&
			mmap(old, page_bytes(), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			abort(); /* better than counting into the parent's page */
		memcpy(old, copy, bytes);
		for (uint32_t i = 0; i < used; i++) {
			struct leat_stats_slot *slot = slot_at(i);
			bool named =
				slot->kind == LEAT_STATS_WORK || slot->kind == LEAT_STATS_REGION;
			memset(slot->v, 0, sizeof(slot->v));
			slot->kind = named ? slot->kind : LEAT_STATS_FREE;
			slot->seq = 0;
			slot->ended = !named;
		}
		fill_head(old, used);
		if (page.file.fd >= 0)
			close(page.file.fd);
		page.file = file;
	}
	pthread_mutex_unlock(&page.lock);
}

static void close_threads(void);

/* Under the lock. */
static struct leat_stats_head *get_page(void)
{
	if (page.tried)
		return page.head;
	page.tried = true;
	page.head = map_file(NULL, bytes_of(0), &page.file);
	if (page.head)
		fill_head(page.head, 0);
	if (!page.hooked)
		page.hooked =
			pthread_atfork(before_fork, after_fork_parent, after_fork_child) == 0 &&
			atexit(close_threads) == 0;
	return page.head;
}

const struct leat_stats_head *leat_stats_self(void)
{
	pthread_mutex_lock(&page.lock);
	const struct leat_stats_head *head = get_page();
	pthread_mutex_unlock(&page.lock);
	return head;
}

void stats_set_wake_ns(int64_t ns)
{
	pthread_mutex_lock(&page.lock);
	struct leat_stats_head *head = get_page();
	if (head)
		__atomic_store_n(&head->wake_ns, (uint64_t)ns, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&page.lock);
}

/* Under the lock: a slot never used, else the one that ended longest ago or so. */
static struct leat_stats_slot *pick_slot(void)
{
	struct leat_stats_head *head = get_page();
	if (!head)
		return NULL;
	if (head->used < N_SLOTS && reserve(&page.file, bytes_of(head->used + 1))) {
		struct leat_stats_slot *slot = slot_at(head->used);
		__atomic_store_n(&head->used, head->used + 1, __ATOMIC_RELEASE);
		return slot;
	}
	for (uint32_t i = 0; i < head->used; i++) {
		struct leat_stats_slot *slot = slot_at(page.next++ % head->used);
		if (slot->ended)
			return slot;
	}
	return NULL;
}

struct leat_stats_slot *stats_slot_new(
	enum leat_stats_kind kind, const char *name, const char *unit, uint32_t parent)
{
	pthread_mutex_lock(&page.lock);
	struct leat_stats_slot *slot = pick_slot();
	if (!slot)
		slot = calloc(1, sizeof(*slot));
	if (slot) {
		__atomic_store_n(&slot->kind, LEAT_STATS_FREE, __ATOMIC_RELEASE);
		stats_begin(slot);
		for (unsigned i = 0; i < LEAT_STATS_VALUES; i++)
			stats_set(slot, i, 0);
		copy_name(slot->name, name);
		copy_name(slot->unit, unit);
		slot->parent = parent;
		__atomic_store_n(&slot->tid, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&slot->ended, 0, __ATOMIC_RELAXED);
		stats_commit(slot);
		__atomic_store_n(&slot->kind, (uint32_t)kind, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&page.lock);
	return slot;
}

static bool in_page(const struct leat_stats_slot *slot)
{
	const char *p = (const char *)slot, *base = (const char *)page.head;
	return base && p >= base && p < base + page_bytes();
}

void stats_slot_end(struct leat_stats_slot *slot)
{
	if (!slot)
		return;
	pthread_mutex_lock(&page.lock);
	bool shared = in_page(slot);
	if (shared)
		__atomic_store_n(&slot->ended, 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&page.lock);
	if (!shared)
		free(slot);
}

uint32_t stats_slot_number(const struct leat_stats_slot *slot)
{
	if (!slot || !in_page(slot))
		return 0;
	return (uint32_t)(slot - slot_at(0)) + 1;
}

struct leat_stats_slot *stats_slot_find(enum leat_stats_kind kind, const char *name)
{
	pthread_mutex_lock(&page.lock);
	struct leat_stats_head *head = get_page();
	struct leat_stats_slot *found = NULL;
	for (uint32_t i = 0; head && i < head->used && !found; i++) {
		struct leat_stats_slot *slot = slot_at(i);
		if (slot->kind == kind && !slot->ended && strcmp(slot->name, name) == 0)
			found = slot;
	}
	pthread_mutex_unlock(&page.lock);
	return found;
}

/* The kernel's account of a thread at one moment. */
struct account {
	uint64_t now, cpu, runq;
	bool has; /* cpu and runq are known */
};

/* The calling thread's, or that of `tid`. The file's first number lags behind by up to a tick while
 * the thread runs; its clock says the same without. What is read in between would be missing from a
 * short life: the two clocks are read next to each other. */
static struct account read_account(pid_t tid)
{
	struct account a = { 0 };
	char path[48] = "/proc/thread-self/schedstat", text[96];
	clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
	if (tid) {
		snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", (long)tid);
		clock = (clockid_t)(~(unsigned)tid << 3 | 6); /* the kernel's, of a thread */
	}
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	struct timespec cpu;
	if (n > 0) {
		char *rest;
		text[n] = '\0';
		strtoull(text, &rest, 10);
		a.runq = strtoull(rest, NULL, 10);
		a.has = clock_gettime(clock, &cpu) == 0;
	}
	a.now = (uint64_t)lt_now_ns();
	if (a.has)
		a.cpu = (uint64_t)lt_timespec_ns(&cpu);
	return a;
}

/* At exit(): what a thread that goes on to the end cannot write itself. `seq` stays its own. */
static void close_threads(void)
{
	pthread_mutex_lock(&page.lock);
	for (uint32_t i = 0; page.head && i < page.head->used; i++) {
		struct leat_stats_slot *slot = slot_at(i);
		pid_t tid = (pid_t)__atomic_load_n(&slot->tid, __ATOMIC_RELAXED);
		if (slot->kind != LEAT_STATS_THREAD || stats_get(slot, LEAT_V_THREAD_END) || !tid)
			continue;
		struct account a = read_account(tid);
		if (!a.has)
			continue;
		stats_set(slot, LEAT_V_THREAD_CPU, a.cpu);
		stats_set(slot, LEAT_V_THREAD_RUNQ, a.runq);
		stats_set(slot, LEAT_V_THREAD_END, a.now);
	}
	pthread_mutex_unlock(&page.lock);
}

struct leat_stats_slot *stats_thread_begin(const char *name)
{
	struct leat_stats_slot *slot = stats_slot_new(LEAT_STATS_THREAD, name, NULL, 0);
	if (!slot)
		return NULL;
	struct account a = read_account(0);
	stats_begin(slot);
	__atomic_store_n(&slot->tid, (uint32_t)gettid(), __ATOMIC_RELAXED);
	stats_set(slot, LEAT_V_THREAD_START, a.now);
	stats_set(slot, LEAT_V_THREAD_CPU0, a.cpu);
	stats_set(slot, LEAT_V_THREAD_RUNQ0, a.runq);
	stats_set(slot, LEAT_V_THREAD_HAS_SCHEDSTAT, a.has);
	stats_commit(slot);
	return slot;
}

void stats_thread_end(struct leat_stats_slot *slot)
{
	if (!slot)
		return;
	struct account a = read_account(0);
	stats_begin(slot);
	stats_set(slot, LEAT_V_THREAD_CPU, a.cpu);
	stats_set(slot, LEAT_V_THREAD_RUNQ, a.runq);
	stats_set(slot, LEAT_V_THREAD_END, a.now);
	stats_commit(slot);
	stats_slot_end(slot);
}

static pthread_key_t self_key;
static pthread_once_t self_once = PTHREAD_ONCE_INIT;
static bool self_usable;

static void end_self(void *slot)
{
	stats_thread_end(slot);
}

static void make_self_key(void)
{
	self_usable = pthread_key_create(&self_key, end_self) == 0;
}

struct leat_stats_slot *stats_thread_self(const char *name)
{
	pthread_once(&self_once, make_self_key);
	if (!self_usable)
		return NULL;
	struct leat_stats_slot *slot = pthread_getspecific(self_key);
	if (slot && slot->tid != (uint32_t)gettid())
		slot = NULL; /* a child after fork() */
	if (!slot) {
		slot = stats_thread_begin(name);
		if (pthread_setspecific(self_key, slot) != 0) {
			stats_slot_end(slot);
			return NULL;
		}
	}
	return slot;
}

int64_t stats_sleep_begin(struct leat_stats_slot *slot, enum leat_cause cause)
{
	int64_t now = lt_now_ns();
	if (!slot)
		return now;
	stats_begin(slot);
	stats_set(slot, LEAT_V_THREAD_SINCE, (uint64_t)now);
	stats_set(slot, LEAT_V_THREAD_CAUSE, cause);
	stats_commit(slot);
	return now;
}

int64_t stats_sleep_end(
	struct leat_stats_slot *slot, enum leat_cause cause, int64_t since_ns, int64_t woken_ns)
{
	int64_t now = lt_now_ns();
	bool late = woken_ns > since_ns && woken_ns < now;
	int64_t asleep_until = late ? woken_ns : now;
	if (!slot)
		return asleep_until - since_ns;
	stats_begin(slot);
	stats_add(slot, LEAT_V_THREAD_SLEEP_NS + cause, (uint64_t)(asleep_until - since_ns));
	stats_add(slot, LEAT_V_THREAD_SLEEPS + cause, 1);
	stats_add(slot, LEAT_V_THREAD_LATE_NS + cause, (uint64_t)(now - asleep_until));
	stats_set(slot, LEAT_V_THREAD_CAUSE, LEAT_CAUSE_RUNNING);
	stats_commit(slot);
	return asleep_until - since_ns;
}
