// SPDX-License-Identifier: MIT
#include <config.h>

#include "bench/peers/peers.h"

#include <dlfcn.h>
#include <string.h>

/* A function of a library, as whatever pointer it goes into. */
static int find(void *library, const char *name, void *function)
{
	void *address = dlsym(library, name);

	memcpy(function, &address, sizeof(address));
	return address != NULL;
}

static void *load(struct peers *p, const char *what, const char *file,
		  const char *package)
{
	/* private: its malloc, say, is nobody else's */
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		bench_report_leave_out(p->report, what,
				       "%s is not there (Debian: apt install "
				       "%s)",
				       file, package);
	return library;
}

const struct peers_glib *peers_load_glib(struct peers *p)
{
	static struct peers_glib glib;
	unsigned *major, *minor, *micro;
	void *library;

	if (p == NULL)
		return glib.release != NULL ? &glib : NULL;
	library = load(p, "GLib", "libglib-2.0.so.0", "libglib2.0-0");
	if (library == NULL)
		return NULL;
	if (!find(library, "g_utf8_validate", &glib.validate) ||
	    !find(library, "g_file_get_contents", &glib.get_contents) ||
	    !find(library, "g_free", &glib.release)) {
		bench_report_leave_out(p->report, "GLib",
				       "it lacks what is measured");
		return NULL;
	}
	major = dlsym(library, "glib_major_version");
	minor = dlsym(library, "glib_minor_version");
	micro = dlsym(library, "glib_micro_version");
	if (major != NULL && minor != NULL && micro != NULL)
		bench_report_head(p->report, "GLib", "%u.%u.%u", *major,
				  *minor, *micro);
	return &glib;
}

/* Its functions have its version in their names. */
static int find_icu(void *library, const char *name, int version,
		    void *function)
{
	char full[64];

	snprintf(full, sizeof(full), "%s_%d", name, version);
	return find(library, full, function);
}

const struct peers_icu *peers_load_icu(struct peers *p)
{
	static struct peers_icu icu;
	void *library = NULL;
	int version;

	for (version = 90; version >= 60 && library == NULL; version--) {
		char file[32];

		snprintf(file, sizeof(file), "libicuuc.so.%d", version);
		library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	}
	version++;
	if (library == NULL) {
		bench_report_leave_out(p->report, "ICU",
				       "libicuuc is not there (Debian: apt "
				       "install libicu72, or libicu76)");
		return NULL;
	}
	if (!find_icu(library, "ucnv_open", version, &icu.open) ||
	    !find_icu(library, "ucnv_toUChars", version, &icu.to_uchars) ||
	    !find_icu(library, "u_strToUTF8", version, &icu.to_utf8) ||
	    !find_icu(library, "ucnv_close", version, &icu.close)) {
		bench_report_leave_out(p->report, "ICU",
				       "it lacks what is measured");
		return NULL;
	}
	bench_report_head(p->report, "ICU", "%d", version);
	return &icu;
}

const struct peers_mimalloc *peers_load_mimalloc(struct peers *p)
{
	static struct peers_mimalloc mimalloc;
	static const char *const files[] = {"libmimalloc.so.3",
					    "libmimalloc.so.2",
					    "libmimalloc.so.2.0"};
	int (*version)(void);
	void *library = NULL;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) &&
			   library == NULL;
	     i++)
		library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		bench_report_leave_out(p->report, "mimalloc",
				       "libmimalloc is not there (Debian: apt "
				       "install libmimalloc2.0, or "
				       "libmimalloc3)");
		return NULL;
	}
	if (!find(library, "mi_zalloc", &mimalloc.zalloc) ||
	    !find(library, "mi_free", &mimalloc.release)) {
		bench_report_leave_out(p->report, "mimalloc",
				       "it lacks what is measured");
		return NULL;
	}
	if (find(library, "mi_version", &version))
		bench_report_head(p->report, "mimalloc", "%d", version());
	return &mimalloc;
}
