/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzz target over the inputs in a folder, without libFuzzer, so that any compiler can.
 *
 *     replay_dissect tests/fuzz/corpus/fuzz_dissect
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/fuzz/must.h"

#include <dirent.h>

enum { INPUT_MAX = 1 << 20 };

static void replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *input = malloc(INPUT_MAX), *exact;
	size_t size;

	RDA_MUST(file && input);
	size = fread(input, 1, INPUT_MAX, file);
	RDA_MUST(!ferror(file) && size < INPUT_MAX);
	fclose(file);
	exact = realloc(input, size ? size : 1);
	RDA_MUST(exact);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	int count;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return EXIT_FAILURE;
	}
	count = scandir(argv[1], &entries, is_input, alphasort);
	if (count <= 0) {
		fprintf(stderr, "%s: no inputs\n", argv[1]);
		return EXIT_FAILURE;
	}
	for (int i = 0; i < count; i++) {
		char path[4096];

		RDA_MUST(snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name) <
			 (int)sizeof(path));
		printf("%s\n", entries[i]->d_name); /* the last one printed is the one that broke */
		fflush(stdout);
		replay(path);
		free(entries[i]);
	}
	free(entries);
	printf("%d inputs\n", count);
	return EXIT_SUCCESS;
}
