// Start of the image, as Multiboot asks for it: 32 bits, flat segments, no paging. The loader copies the image when the BIOS
// is done, so that nothing of it is overwritten. Memory that starts with zeros gets them here; the first 2 MiB are mapped as
// one page, and the processor goes to 64 bits.

.equ MAGIC, 0x1BADB002
// Addresses are in the header: the file is one of 64 bits, which loaders do not read.
.equ ADDRESSES, 0x10000

.section .multiboot, "a"
.align 4
header:
.long MAGIC
.long ADDRESSES
.long -(MAGIC + ADDRESSES)
.long header
.long header
.long image_end
// No zeroed memory behind the image.
.long 0
.long start

.section .text.start, "ax"
.code32
.global start
start:
    cli
    cld
    xor eax, eax
    mov edi, offset bss_start
    mov ecx, offset bss_end
    sub ecx, edi
    shr ecx, 2
    rep stosd
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

// Below everything else that is zeroed: a stack that is too deep meets memory that nothing uses.
.section .bss.stack, "aw", @nobits
.align 16
    .skip 98304
stack_top:
