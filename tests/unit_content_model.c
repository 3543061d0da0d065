/* SPDX-License-Identifier: MIT */
/*
 * Contents against a flat array, at random: several files that share what
 * they were cloned from, readers that hold what they have seen, and each
 * step with each of its allocations failing in turn.
 */
#include "config.h"

#include "content_model.h"

#define FILES 5
#define READERS 4

/* Somebody who holds a share or a buffer and whose bytes must not change. */
struct reader {
	bool active;
	struct mvfs__content share;
	struct model model;
};

struct world {
	uint64_t seed;
	struct mvfs__bin bin;
	struct mvfs__content file[FILES];
	struct model model[FILES];
	struct reader reader[READERS];
	uint8_t bytes[MODEL_BYTES];
};

enum op { WRITE, TRUNCATE, RESERVE, PUNCH, CLONE, SET, OPS };

struct step {
	enum op op;
	unsigned file, other; /* of CLONE */
	uint64_t offset, length, other_offset;
	struct mvfs__piece piece[4];
	struct mvfs__buffer *buffer; /* of SET */
	uint64_t start;
};

static void world_init(struct world *w, uint64_t seed, uint64_t base)
{
	memset(w, 0, sizeof(*w));
	w->seed = seed;
	for (unsigned i = 0; i < FILES; i++) {
		mvfs__content_init(&w->file[i]);
		w->file[i].size = base;
		w->model[i].base = base;
		w->model[i].size = base;
	}
}

static void world_end(struct world *w)
{
	for (unsigned i = 0; i < FILES; i++)
		mvfs__content_clear(&w->file[i], &w->bin);
	for (unsigned i = 0; i < READERS; i++)
		if (w->reader[i].active)
			mvfs__content_clear(&w->reader[i].share, &w->bin);
	mvfs__bin_empty(&w->bin);
}

/* Often at blocks, often short, never behind what 63 bits can name. */
static void pick_range(struct world *w, uint64_t base, uint64_t *offset,
		       uint64_t *length)
{
	uint64_t at = below(&w->seed, MODEL_BYTES), end, room;

	if (below(&w->seed, 3) == 0)
		at -= at % MVFS__BLOCK;
	room = MODEL_BYTES - (base ? 1 : 0) - at;
	switch (below(&w->seed, 4)) {
	case 0:
		end = below(&w->seed, 64);
		break;
	case 1:
		end = below(&w->seed, 3 * MVFS__BLOCK);
		break;
	default:
		end = below(&w->seed, MODEL_BYTES);
	}
	if (below(&w->seed, 3) == 0)
		end = (at + end) / MVFS__BLOCK * MVFS__BLOCK - at;
	*offset = base + at;
	*length = (int64_t)end < 0 ? 0 : end < room ? end : room;
}

static void pick_pieces(struct world *w, struct step *s)
{
	uint64_t left = s->length;
	size_t part = 0;

	for (uint64_t i = 0; i < s->length; i++)
		w->bytes[i] = (uint8_t)rng(&w->seed);
	for (unsigned i = 0; i < 4; i++) {
		part = i < 3 ? (size_t)below(&w->seed, left + 1)
			     : (size_t)left;
		s->piece[i].bytes = w->bytes + (s->length - left);
		s->piece[i].length = part;
		left -= part;
	}
	/* more than is to be written is not written */
	s->piece[3].length += 7;
}

static struct mvfs__buffer *pick_buffer(struct world *w, struct step *s)
{
	struct mvfs__buffer *b;

	if (below(&w->seed, 2))
		return mvfs__buffer_adopt(w->bytes, (size_t)s->length, NULL,
					  NULL);
	b = mvfs__buffer_new((size_t)s->length);
	ck_assert_ptr_nonnull(b);
	memcpy(mvfs__buffer_bytes(b), w->bytes, (size_t)s->length);
	mvfs__buffer_set_used(b, s->length);
	return b;
}

static struct step pick_step(struct world *w)
{
	struct step s = { .op = (enum op)below(&w->seed, OPS) };

	/* writing is what is done most */
	if (below(&w->seed, 3) == 0)
		s.op = WRITE;
	s.file = (unsigned)below(&w->seed, FILES);
	s.other = (s.file + 1 + (unsigned)below(&w->seed, FILES - 1)) % FILES;
	pick_range(w, w->model[0].base, &s.offset, &s.length);
	if (s.op == SET && (w->model[0].base || below(&w->seed, 4)))
		s.op = WRITE;
	if (s.op == WRITE && below(&w->seed, 4) == 0) {
		/* at the end */
		s.offset = w->model[s.file].size;
		s.length %= MODEL_BYTES + 1 - (s.offset - w->model[0].base);
		if (s.length > MVFS__SIZE_MAX - s.offset)
			s.length = MVFS__SIZE_MAX - s.offset;
	}
	if (s.op == CLONE) {
		uint64_t unused, room;

		pick_range(w, w->model[0].base, &s.other_offset, &unused);
		if (below(&w->seed, 8) == 0)
			s.offset = s.other_offset = w->model[0].base;
		room = w->model[0].base + MODEL_BYTES - 1 - s.other_offset;
		if (s.length > room)
			s.length = room;
		/* up to the end of the source, as copying a file does */
		room = w->model[s.other].size;
		if (below(&w->seed, 3) == 0 && room > s.other_offset &&
		    room - s.other_offset < MODEL_BYTES - 1 -
					    (s.offset - w->model[0].base))
			s.length = room - s.other_offset;
	}
	if (s.op == WRITE || s.op == SET)
		pick_pieces(w, &s);
	if (s.op == SET) {
		s.start = below(&w->seed, 2) ? below(&w->seed, s.length + 1)
					     : 0;
		s.buffer = pick_buffer(w, &s);
	}
	return s;
}

/* Takes the step; the model is not told yet. Cost and blocks must agree. */
static int try_step(struct world *w, const struct step *s)
{
	struct mvfs__content *c = &w->file[s->file];
	const struct mvfs__content *other = &w->file[s->other];
	uint64_t blocks = mvfs__content_blocks(c), cost = UINT64_MAX;
	int status = 0;

	switch (s->op) {
	case WRITE:
		cost = mvfs__content_cost(c, s->offset, s->length);
		status = mvfs__content_write(c, s->offset, s->piece, 4,
					     s->length, &w->bin);
		break;
	case TRUNCATE:
		status = mvfs__content_truncate(c, s->offset, &w->bin);
		break;
	case RESERVE:
		cost = mvfs__content_cost(c, s->offset, s->length);
		status = mvfs__content_reserve(c, s->offset, s->length,
					       &w->bin);
		break;
	case PUNCH:
		status = mvfs__content_punch(c, s->offset, s->length, &w->bin);
		break;
	case CLONE:
		cost = mvfs__content_clone_cost(c, s->offset, other,
						s->other_offset, s->length);
		status = mvfs__content_clone_range(c, s->offset, other,
						   s->other_offset, s->length,
						   &w->bin);
		break;
	default:
		status = mvfs__content_set(c, s->buffer, s->start,
					   s->length - s->start, &w->bin);
	}
	if (!status && cost && cost != UINT64_MAX)
		ck_assert_uint_eq(mvfs__content_blocks(c), blocks + cost);
	if (!status && !cost)
		ck_assert_uint_le(mvfs__content_blocks(c), blocks);
	return status;
}

static void tell_model(struct world *w, const struct step *s)
{
	struct model *m = &w->model[s->file];

	switch (s->op) {
	case WRITE:
		model_write(m, s->offset, w->bytes, s->length);
		break;
	case TRUNCATE:
		model_truncate(m, s->offset);
		break;
	case RESERVE:
		model_reserve(m, s->offset, s->length);
		break;
	case PUNCH:
		model_punch(m, s->offset, s->length);
		break;
	case CLONE:
		model_clone(m, s->offset, &w->model[s->other],
			    s->other_offset, s->length, &w->file[s->file]);
		break;
	default:
		model_truncate(m, 0);
		model_write(m, 0, w->bytes + s->start, s->length - s->start);
	}
}

/* With each allocation failing in turn, until none is left to fail. */
static void take_step(struct world *w)
{
	struct step s = pick_step(w);
	int status;

	for (uint64_t n = 1;; n++) {
		mvfs__mem_fail_at(n);
		status = try_step(w, &s);
		mvfs__mem_fail_at(0);
		if (!status)
			break;
		ck_assert_int_eq(status, -ENOMEM);
		ck_assert_uint_lt(n, 10000);
		compare(&w->file[s.file], &w->model[s.file], &w->seed);
	}
	tell_model(w, &s);
	compare(&w->file[s.file], &w->model[s.file], &w->seed);
	/* adopted memory is the world's, and about to be used again */
	if (s.op == SET) {
		mvfs__content_truncate(&w->file[s.file], 0, &w->bin);
		model_truncate(&w->model[s.file], 0);
	}
}

/* Readers come and go; what they hold is what it was. */
static void change_reader(struct world *w)
{
	struct reader *r = &w->reader[below(&w->seed, READERS)];
	unsigned file = (unsigned)below(&w->seed, FILES);

	if (r->active) {
		compare(&r->share, &r->model, &w->seed);
		mvfs__content_clear(&r->share, &w->bin);
	}
	r->active = below(&w->seed, 3) > 0;
	if (!r->active)
		return;
	mvfs__content_share(&w->file[file], &r->share);
	r->model = w->model[file];
}

/* A file becomes a clone of another. */
static void replace_file(struct world *w)
{
	unsigned to = (unsigned)below(&w->seed, FILES);
	unsigned from = (to + 1) % FILES;

	mvfs__content_clear(&w->file[to], &w->bin);
	mvfs__content_share(&w->file[from], &w->file[to]);
	w->model[to] = w->model[from];
}

/* A reader of the whole file, who gathers it and puts it in its place. */
static void gather_file(struct world *w)
{
	unsigned file = (unsigned)below(&w->seed, FILES);
	struct mvfs__content *c = &w->file[file];
	const struct model *m = &w->model[file];
	struct mvfs__content share;
	struct mvfs__buffer *gathered;
	bool dense = m->size > 0, installed;

	if (m->base)
		return;
	for (unsigned b = 0; b < model_up(m->size); b++)
		dense &= m->state[b] == DATA;
	dense &= model_blocks(m) == model_up(m->size);
	mvfs__content_share(c, &share);
	gathered = mvfs__content_gather(&share);
	ck_assert_ptr_nonnull(gathered);
	ck_assert_uint_eq(gathered->used, m->size);
	ck_assert_mem_eq(mvfs__buffer_bytes(gathered), m->bytes, m->size);
	installed = mvfs__content_install(c, &share, gathered, &w->bin);
	ck_assert_int_eq(installed, dense);
	mvfs__content_clear(&share, &w->bin);
	mvfs__obj_drop(&gathered->obj, &w->bin);
	compare(c, m, &w->seed);
}

static void play(uint64_t base, unsigned steps)
{
	static struct world w;

	world_init(&w, seed_of_run(), base);
	for (unsigned i = 0; i < steps; i++) {
		take_step(&w);
		if (below(&w.seed, 4) == 0)
			change_reader(&w);
		if (below(&w.seed, 16) == 0)
			replace_file(&w);
		if (below(&w.seed, 16) == 0)
			gather_file(&w);
		if (below(&w.seed, 4) == 0)
			mvfs__bin_empty(&w.bin);
	}
	for (unsigned i = 0; i < FILES; i++)
		compare(&w.file[i], &w.model[i], &w.seed);
	world_end(&w);
}

START_TEST(test_a_content_is_the_bytes_and_blocks_that_it_stands_for)
{
	play(0, 3000 * long_factor());
}
END_TEST

START_TEST(test_so_is_one_at_the_end_of_what_63_bits_can_name)
{
	play((UINT64_C(1) << 63) - MODEL_BYTES, 3000 * long_factor());
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("content_model");
	TCase *tc = tcase_create("random");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc,
		test_a_content_is_the_bytes_and_blocks_that_it_stands_for);
	tcase_add_test(tc, test_so_is_one_at_the_end_of_what_63_bits_can_name);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
