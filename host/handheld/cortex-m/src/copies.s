// Copies and zeros by eight registers at a time, in place of those of compiler_builtins, which move a word in four or five
// instructions: an eighth of a search is copies of boards and zeros of tables. Bytes that are not aligned to words are moved
// by single loads and stores, which this processor allows at any address.

.syntax unified
.thumb

.section .text.copies, "ax"

.macro function name
.global \name
.type \name, %function
.thumb_func
\name:
.endm

// Destination r0, source r1, both aligned to words, r2 bytes.
function __aeabi_memcpy8
function __aeabi_memcpy4
    subs r2, #32
    blo 2f
    push {r4-r10}
1:  ldmia r1!, {r3-r10}
    stmia r0!, {r3-r10}
    subs r2, #32
    bhs 1b
    pop {r4-r10}
2:  // The last five bits of r2 are those of what is left: 16 in the carry, 8 in the sign.
    lsls r3, r2, #28
    itttt cs
    ldmiacs r1!, {r3, r12}
    stmiacs r0!, {r3, r12}
    ldmiacs r1!, {r3, r12}
    stmiacs r0!, {r3, r12}
    itt mi
    ldmiami r1!, {r3, r12}
    stmiami r0!, {r3, r12}
    b last_bytes

// Destination r0, source r1, r2 bytes.
function __aeabi_memcpy
    orr r3, r0, r1
    lsls r3, r3, #30
    beq __aeabi_memcpy4
    subs r2, #8
    blo 2f
1:  ldr r3, [r1], #4
    ldr r12, [r1], #4
    str r3, [r0], #4
    str r12, [r0], #4
    subs r2, #8
    bhs 1b
2:  b last_bytes

// Destination r0, source r1, the last three bits of r2 bytes, of which the first was 4 or none.
function last_bytes
    lsls r2, r2, #30
    itt cs
    ldrcs r3, [r1], #4
    strcs r3, [r0], #4
    itt mi
    ldrhmi r3, [r1], #2
    strhmi r3, [r0], #2
    lsls r2, r2, #1
    itt mi
    ldrbmi r3, [r1]
    strbmi r3, [r0]
    bx lr

// As before, and the destination is also the result.
function memcpy
    push {r0, lr}
    bl __aeabi_memcpy
    pop {r0, pc}

// As before, and what is copied may overlap: from the end if the destination begins within the source.
function __aeabi_memmove
function __aeabi_memmove4
function __aeabi_memmove8
    subs r3, r0, r1
    cmp r3, r2
    bhs __aeabi_memcpy
    add r0, r2
    add r1, r2
    subs r2, #4
    blo 2f
1:  ldr r3, [r1, #-4]!
    str r3, [r0, #-4]!
    subs r2, #4
    bhs 1b
2:  adds r2, #4
    beq 4f
3:  ldrb r3, [r1, #-1]!
    strb r3, [r0, #-1]!
    subs r2, #1
    bne 3b
4:  bx lr

function memmove
    push {r0, lr}
    bl __aeabi_memmove
    pop {r0, pc}

// Destination r0, r1 bytes.
function __aeabi_memclr
    mov r2, #0
    b __aeabi_memset
function __aeabi_memclr8
function __aeabi_memclr4
    mov r2, #0
    b fill

// Destination r0, r1 bytes of the value r2.
function __aeabi_memset
function __aeabi_memset4
function __aeabi_memset8
    and r2, r2, #255
    orr r2, r2, r2, lsl #8
    orr r2, r2, r2, lsl #16
    // To an address of a word.
1:  tst r0, #3
    beq fill
    subs r1, #1
    it lo
    bxlo lr
    strb r2, [r0], #1
    b 1b

// Destination r0, aligned to words, r1 bytes of a word r2 of four equal ones.
function fill
    mov r3, r2
    subs r1, #32
    blo 2f
    push {r4-r8}
    mov r4, r2
    mov r5, r2
    mov r6, r2
    mov r7, r2
    mov r8, r2
    mov r12, r2
1:  stmia r0!, {r2-r8, r12}
    subs r1, #32
    bhs 1b
    pop {r4-r8}
2:  lsls r12, r1, #28
    itt cs
    stmiacs r0!, {r2, r3}
    stmiacs r0!, {r2, r3}
    it mi
    stmiami r0!, {r2, r3}
    lsls r1, r1, #30
    it cs
    strcs r2, [r0], #4
    it mi
    strhmi r2, [r0], #2
    lsls r1, r1, #1
    it mi
    strbmi r2, [r0]
    bx lr

// Destination r0, which is also the result, value r1, r2 bytes.
function memset
    mov r3, r1
    mov r1, r2
    mov r2, r3
    push {r0, lr}
    bl __aeabi_memset
    pop {r0, pc}
