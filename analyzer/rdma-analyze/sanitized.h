/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RDA_SANITIZED: the program is built to be watched as it runs. Its memory is then the sanitizer's,
 * and all of it is to be freed.
 */
#ifndef RDA_SANITIZED_H
#define RDA_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RDA_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
	__has_feature(thread_sanitizer)
#define RDA_SANITIZED 1
#endif
#endif

#ifndef RDA_SANITIZED
#define RDA_SANITIZED 0
#endif

#endif
