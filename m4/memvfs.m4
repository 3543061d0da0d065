# SPDX-License-Identifier: MIT

# MVFS_CC_FLAGS(VARIABLE, FLAGS): append each flag that the compiler knows.
# -Werror first: clang only warns of a flag that it does not know.
AC_DEFUN([MVFS_CC_FLAGS], [
	AC_LANG_ASSERT([C])
	for mvfs_flag in m4_normalize([$2]); do
		AC_MSG_CHECKING([whether $CC knows $mvfs_flag])
		mvfs_save_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS -Werror $mvfs_flag"
		AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int mvfs_probe;]])],
			[AC_MSG_RESULT([yes])
			 $1="$$1 $mvfs_flag"],
			[AC_MSG_RESULT([no])])
		CFLAGS=$mvfs_save_CFLAGS
	done
	AC_SUBST([$1])
])

# MVFS_LD_VERSION_SCRIPT: the conditional HAVE_VERSION_SCRIPT.
AC_DEFUN([MVFS_LD_VERSION_SCRIPT], [
	AC_CACHE_CHECK([whether the linker takes a version script],
		[mvfs_cv_version_script],
		[printf 'MEMVFS_PROBE { global: mvfs_probe; local: *; };\n' \
			>conftest.map
		 mvfs_save_LDFLAGS=$LDFLAGS
		 LDFLAGS="$LDFLAGS -shared -fPIC"
		 LDFLAGS="$LDFLAGS -Wl,--version-script=conftest.map"
		 mvfs_save_CFLAGS=$CFLAGS
		 CFLAGS="$CFLAGS -fPIC"
		 AC_LINK_IFELSE(
			[AC_LANG_SOURCE([[int mvfs_probe(void);
				int mvfs_probe(void) { return 0; }]])],
			[mvfs_cv_version_script=yes],
			[mvfs_cv_version_script=no])
		 CFLAGS=$mvfs_save_CFLAGS
		 LDFLAGS=$mvfs_save_LDFLAGS
		 rm -f conftest.map])
	AM_CONDITIONAL([HAVE_VERSION_SCRIPT],
		[test "x$mvfs_cv_version_script" = xyes])
])

# MVFS_LD_DEFS: no undefined symbols in shared libraries, in MVFS_SHLIB_LDFLAGS;
# nor are they unloaded, for threads that end call into them.
AC_DEFUN([MVFS_LD_DEFS], [
	AC_CACHE_CHECK([whether the linker knows -z defs],
		[mvfs_cv_z_defs],
		[mvfs_save_LDFLAGS=$LDFLAGS
		 LDFLAGS="$LDFLAGS -Wl,-z,defs -Wl,-z,nodelete"
		 AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
			[mvfs_cv_z_defs=yes], [mvfs_cv_z_defs=no])
		 LDFLAGS=$mvfs_save_LDFLAGS])
	AS_IF([test "x$mvfs_cv_z_defs" = xyes],
		[MVFS_SHLIB_LDFLAGS="-Wl,-z,defs -Wl,-z,nodelete"])
	AC_SUBST([MVFS_SHLIB_LDFLAGS])
])

# MVFS_SEARCH_ATOMICS: add -latomic where 64-bit atomics need it.
AC_DEFUN([MVFS_SEARCH_ATOMICS], [
	AC_CACHE_CHECK([for the library of 64-bit atomics],
		[mvfs_cv_lib_atomic],
		[mvfs_cv_lib_atomic=missing
		 mvfs_save_LIBS=$LIBS
		 for mvfs_lib in "" -latomic; do
			LIBS="$mvfs_save_LIBS $mvfs_lib"
			AC_LINK_IFELSE(
				[AC_LANG_PROGRAM([[#include <stdint.h>
					#include <stdatomic.h>
					static _Atomic uint64_t n;]],
					[[uint64_t old = 0;
					atomic_fetch_add(&n, 1);
					return !atomic_compare_exchange_strong(
						&n, &old, 2);]])],
				[mvfs_cv_lib_atomic=${mvfs_lib:-none needed}
				 break])
		 done
		 LIBS=$mvfs_save_LIBS])
	AS_CASE([$mvfs_cv_lib_atomic],
		[-l*], [LIBS="$LIBS $mvfs_cv_lib_atomic"],
		[missing], [AC_MSG_ERROR([no 64-bit atomics])])
])

# MVFS_VECTOR
# Which vector kernels can be built: sets the conditionals VECTOR_X86,
# VECTOR_ARM and VECTOR_NONE, one of which is true.
AC_DEFUN([MVFS_VECTOR], [
AC_CACHE_CHECK([for vector kernels], [mvfs_cv_vector], [
	mvfs_save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $VECTOR_AVX512_CFLAGS"
	mvfs_cv_vector=none
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#ifndef __x86_64__
#error another processor
#endif
#include <immintrin.h>]], [[
__m512i v = _mm512_maskz_compress_epi8(5, _mm512_set1_epi8(1));
return !__builtin_cpu_supports("avx512vbmi2") +
       (int)_pext_u64((unsigned long long)_mm512_movepi8_mask(v), 7);]])],
		[mvfs_cv_vector=x86])
	CFLAGS=$mvfs_save_CFLAGS
	AS_IF([test $mvfs_cv_vector = none],
		[AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if !defined(__aarch64__) || defined(__AARCH64EB__)
#error another processor
#endif
#include <arm_neon.h>]], [[return vaddvq_u8(vdupq_n_u8(1));]])],
			[mvfs_cv_vector=arm])])
])
AM_CONDITIONAL([VECTOR_X86], [test $mvfs_cv_vector = x86])
AM_CONDITIONAL([VECTOR_ARM], [test $mvfs_cv_vector = arm])
AM_CONDITIONAL([VECTOR_NONE], [test $mvfs_cv_vector = none])
])
