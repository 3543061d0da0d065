/* SPDX-License-Identifier: MIT */
/* Inputs for the fuzz targets, where no libFuzzer makes them. */
#ifndef FUZZ_INPUTS_H
#define FUZZ_INPUTS_H

#include "fuzz/fuzz.h"

/* Another input of at most FUZZ_MAX bytes; tells its length. */
size_t fuzz_next(uint64_t *state, uint8_t *to);

#endif
