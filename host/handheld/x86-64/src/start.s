// Start of the image, as PVH asks for it: 32 bits, flat segments, no paging. The first 2 MiB are mapped as one page, and
// the processor goes to 64 bits.

.section .note.pvh, "a", @note
.long 4
.long 4
.long 18
.asciz "Xen"
.long start

.section .text.start, "ax"
.code32
.global start
start:
    cli
    mov esp, offset stack_top
    mov eax, offset directories
    or eax, 3
    mov [tables], eax
    mov eax, offset pages
    or eax, 3
    mov [directories], eax
    mov dword ptr [pages], 0x83
    mov eax, offset tables
    mov cr3, eax
    mov eax, cr4
    or eax, 0x20
    mov cr4, eax
    mov ecx, 0xC0000080
    rdmsr
    or eax, 0x100
    wrmsr
    mov eax, cr0
    or eax, 0x80000000
    mov cr0, eax
    lgdt [descriptor]
    ljmp 0x08, offset start64

.code64
start64:
    xor eax, eax
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov rsp, offset stack_top
    call main
halt:
    hlt
    jmp halt

.section .rodata.start, "a"
.align 8
segments:
    .quad 0
    .quad 0x00209A0000000000
descriptor:
    .word 15
    .long segments

.section .bss.start, "aw", @nobits
.align 4096
tables:
    .skip 4096
directories:
    .skip 4096
pages:
    .skip 4096
    .skip 98304
stack_top:
