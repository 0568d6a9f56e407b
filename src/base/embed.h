/* SPDX-License-Identifier: MIT */
/* A file of the build as bytes of the program. */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

/* Gives the arrays NAME, which ends in a NUL, and NAME_end, which begins at it. */
#define LT_EMBED(name, file)                                    \
	__asm__(".section .rodata\n"                            \
		".globl " #name ", " #name "_end\n" #name ":\n" \
		".incbin \"" file "\"\n" #name "_end:\n"        \
		".byte 0\n"                                     \
		".previous\n");                                 \
	extern const char name[], name##_end[]

#endif
