/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one place that talks to libpfm4. It is loaded when an event is named, not when leat
 * starts: its tables take the dynamic linker longer than all the rest of leat. */
#include "sys/pmu.h"

#include <dirent.h>
#include <dlfcn.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

#include "sys/file.h"

bool sys_pmu_present(int root_fd)
{
	SYS_AUTO_DIR DIR *dir = sys_open_dir_at(root_fd, "sys/bus/event_source/devices");
	if (!dir)
		return false;
	/* "cpu", "cpu_core", "cpum_cf" (s390), "armv8_pmuv3_0", "armv8_cortex_a72" */
	for (struct dirent *e; (e = readdir(dir));)
		if (!strncmp(e->d_name, "cpu", 3) || !strncmp(e->d_name, "armv", 4))
			return true;
	return false;
}

struct pfm {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_strerror) *text_of;
	__typeof__(pfm_get_os_event_encoding) *encode;
};

static int load_pfm(struct pfm *ret, struct lt_err *err)
{
	void *lib = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL); /* stays: it keeps its state */
	if (!lib) {
		lt_err_set(err, -ENOTSUP, "LT-PMU-LIBRARY", "libpfm4 is not here: %s", dlerror());
		return lt_hint(err, "install it: it knows the names of hardware events");
	}
	ret->initialize = (__typeof__(pfm_initialize) *)dlsym(lib, "pfm_initialize");
	ret->text_of = (__typeof__(pfm_strerror) *)dlsym(lib, "pfm_strerror");
	ret->encode =
		(__typeof__(pfm_get_os_event_encoding) *)dlsym(lib, "pfm_get_os_event_encoding");
	if (!ret->initialize || !ret->text_of || !ret->encode)
		return lt_fail(
			err, -ENOTSUP, "LT-PMU-LIBRARY", "libpfm4 lacks what leat needs of it");
	return 0;
}

int sys_pmu_encode(const char *name, struct sys_perf_code *ret, struct lt_err *err)
{
	struct pfm pfm;
	int loaded = load_pfm(&pfm, err);
	if (loaded < 0)
		return loaded;
	pfm_err_t r = pfm.initialize();
	if (r != PFM_SUCCESS)
		return lt_fail(err, -EINVAL, "LT-PMU-NAME", "cannot look up event '%.80s': %s",
			name, pfm.text_of(r));
	struct perf_event_attr attr = { 0 };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	r = pfm.encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (r != PFM_SUCCESS) {
		lt_err_set(err, -EINVAL, "LT-PMU-NAME", "event '%.80s': %s", name, pfm.text_of(r));
		return lt_hint(err,
			"names are those of libpfm4: cycles, branch-misses, "
			"page-faults, ...; several are joined by '+'");
	}
	*ret = (struct sys_perf_code){
		.type = attr.type,
		.config = attr.config,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.exclude_user = attr.exclude_user,
		.exclude_kernel = attr.exclude_kernel,
		.exclude_hv = attr.exclude_hv,
		.exclude_guest = attr.exclude_guest,
		.exclude_host = attr.exclude_host,
	};
	return 0;
}
