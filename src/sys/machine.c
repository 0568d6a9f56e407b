/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the facts. */
#include "sys/machine.h"

#include <string.h>
#include <sys/utsname.h>

#include "sys/file.h"

static const char *cpuinfo(const char *text, const char *name, struct lt_arena *arena)
{
	const char *value = sys_field(text, name);
	if (!value)
		return NULL;
	value += *value == ' ';
	return lt_arena_strndup(arena, value, strcspn(value, "\n"));
}

static const char *cpu_model(int root_fd, struct lt_arena *arena, bool *ret_guest)
{
	static const char *const names[] = { "model name", "Model", "cpu model", "Processor",
		"cpu" };
	char text[8192]; /* the first processor is enough */
	const char *model = NULL;
	*ret_guest = false;
	if (sys_read_at(root_fd, "proc/cpuinfo", text, sizeof(text)) >= 0) {
		*ret_guest = strstr(text, " hypervisor") != NULL;
		for (size_t i = 0; i < LT_COUNT(names) && !model; i++)
			model = cpuinfo(text, names[i], arena);
	}
	return model && *model ? model : "unknown";
}

int sys_cpus_online(int root_fd, struct lt_cpuset *ret)
{
	char list[1024];
	int r = sys_read_line_at(root_fd, "sys/devices/system/cpu/online", list, sizeof(list));
	return r < 0 ? r : lt_cpuset_parse(ret, list, NULL);
}

static unsigned count_online(int root_fd)
{
	struct lt_cpuset set;
	if (sys_cpus_online(root_fd, &set) == 0)
		return lt_cpuset_count(&set);
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

int sys_machine(int root_fd, struct lt_arena *arena, struct sys_machine *ret, struct lt_err *err)
{
	struct utsname un;
	if (uname(&un) < 0)
		return lt_fail_sys(err, "LT-MACHINE", "cannot name the kernel");
	bool guest;
	char vendor[128];
	struct sys_machine m = { .cpu = cpu_model(root_fd, arena, &guest),
		.arch = lt_arena_strdup(arena, un.machine),
		.kernel = lt_arena_strdup(arena, un.release),
		.cpus_online = count_online(root_fd) };
	if (guest)
		m.virt = "yes";
	if (guest &&
		sys_read_line_at(root_fd, "sys/class/dmi/id/sys_vendor", vendor, sizeof(vendor)) ==
			0)
		m.virt = lt_arena_strdup(arena, vendor);
	if (!m.arch || !m.kernel)
		return lt_fail_mem(err);
	*ret = m;
	return 0;
}
