/* SPDX-License-Identifier: BSD-3-Clause
 * The commands refused by a DMA engine, and the messages.
 * source of the rules: Cell Broadband Engine Architecture; Gaona, Fernandez, Acacio 2009, section 2. */
#include "sim/hw/spe/dma.h"
#include "sim/hw/board/ea.h"
#include "tests/bed.h"

static const char *check(struct dma_given command, struct fault *fault) {
  struct bus_end far;
  return dma_check(&blade_board(bed.blade)->spes[0].dma, &command, &far, fault);
}

static void accept(struct dma_given command) {
  struct fault fault = {.text = ""};
  ck_assert_msg(!check(command, &fault), "%u bytes at 0x%x and 0x%llx: %s", command.nbytes, command.ls,
                (unsigned long long)command.ea, fault.text);
}

/* Check that COMMAND is refused with a message that contains WHAT and "expected" (or no such place). */
static void refuse(struct dma_given command, const char *what) {
  struct fault fault = {.text = ""};
  ck_assert_msg(check(command, &fault) != NULL, "%u bytes at 0x%x and 0x%llx were accepted", command.nbytes,
                command.ls, (unsigned long long)command.ea);
  ck_assert_msg(strstr(fault.text, what) != NULL, "'%s', expected '%s' in it", fault.text, what);
}

static bool size_is_in_the_manual(uint32_t n) {
  return n == 0 || n == 1 || n == 2 || n == 4 || n == 8 || (n % 16 == 0 && n <= 16384);
}

TESTS(dma_check, .start = bed_begin_unwatched, .stop = bed_end);

TEST(sizes_are_those_of_the_manual) {
  for (uint32_t n = 0; n <= 16384 + 128; n++) {
    struct dma_given command = {.ls = 0x10000, .ea = ea_of_ls(1, 0), .nbytes = n};
    if (size_is_in_the_manual(n)) {
      accept(command);
    } else {
      refuse(command, "size of");
    }
  }
}

/* Below 16 bytes both addresses are multiples of the size and agree in the low 4 bits; from 16 bytes on both
 * are multiples of 16. */
TEST(small_transfers_are_naturally_aligned_and_congruent) {
  static const uint32_t sizes[] = {1, 2, 4, 8, 16, 32, 128};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint32_t n = sizes[i], unit = n < 16 ? n : 16;
    for (uint32_t ls = 0; ls < 32; ls++) {
      for (uint32_t ea = 0; ea < 32; ea++) {
        struct dma_given command = {.ls = 0x10000 + ls, .ea = ea_of_ls(3, ea), .nbytes = n};
        if (ls % unit == 0 && ea % unit == 0 && ls % 16 == ea % 16) {
          accept(command);
        } else {
          refuse(command, "aligned");
        }
      }
    }
  }
}

TEST(tags_are_below_32) {
  for (uint32_t tag = 0; tag < 40; tag++) {
    struct dma_given command = {.ls = 0, .ea = ea_of_ls(1, 0), .nbytes = 16, .tag = tag};
    if (tag < 32) {
      accept(command);
    } else {
      refuse(command, "tag");
    }
  }
}

TEST(the_own_local_store_ends_at_its_last_byte) {
  uint32_t end = bed.platform->ls.size;
  accept((struct dma_given){.ls = end - 128, .ea = ea_of_ls(1, 0), .nbytes = 128});
  refuse((struct dma_given){.ls = end - 112, .ea = ea_of_ls(1, 0), .nbytes = 128}, "local store bytes");
  refuse((struct dma_given){.ls = end, .ea = ea_of_ls(1, 0), .nbytes = 16}, "local store bytes");
}

TEST(effective_addresses_lie_in_some_local_store) {
  uint32_t end = bed.platform->ls.size;
  unsigned last = blade_nspes(bed.blade) - 1;
  accept((struct dma_given){.ea = ea_of_ls(last, end - 128), .nbytes = 128});
  refuse((struct dma_given){.ea = ea_of_ls(last, end - 112), .nbytes = 128},
         "a local store, register or memory");
  refuse((struct dma_given){.ea = ea_of_ls(last + 1, 0), .nbytes = 16}, "a local store, register or memory");
  refuse((struct dma_given){.ea = 0, .nbytes = 16}, "a local store, register or memory");
  refuse((struct dma_given){.ea = EA_SPE_BASE - 16, .nbytes = 16}, "a local store, register or memory");
  refuse((struct dma_given){.ea = UINT64_C(0xfffffffffffffff0), .nbytes = 16},
         "a local store, register or memory");
}

/* Registers are 4 bytes at addresses ending in 0xc; only a put of exactly 4 bytes may go there. */
TEST(signal_registers_take_puts_of_4_bytes_only) {
  for (unsigned which = 1; which <= 2; which++) {
    uint64_t ea = ea_of_signal(5, which);
    accept((struct dma_given){.direction = DMA_PUT, .ls = 0x1000c, .ea = ea, .nbytes = 4});
    refuse((struct dma_given){.direction = DMA_GET, .ls = 0x1000c, .ea = ea, .nbytes = 4}, "put of 4");
    refuse((struct dma_given){.direction = DMA_PUT, .ls = 0x1000c, .ea = ea, .nbytes = 2}, "put of 4");
    refuse((struct dma_given){.direction = DMA_PUT, .ls = 0x10008, .ea = ea, .nbytes = 4}, "aligned");
    refuse((struct dma_given){.direction = DMA_PUT, .ls = 0x10008, .ea = ea + 4, .nbytes = 4}, "aligned");
    refuse((struct dma_given){.direction = DMA_PUT, .ls = 0x10000, .ea = ea + 4, .nbytes = 4},
           "a local store, register or memory");
  }
}

TEST(messages_name_what_is_expected) {
  struct fault fault;
  check((struct dma_given){.ea = ea_of_ls(1, 0), .nbytes = 16, .tag = 32}, &fault);
  ck_assert_str_eq(fault.text, "tag 32, expected 0 to 31");
  check((struct dma_given){.ea = ea_of_ls(1, 0), .nbytes = 20}, &fault);
  ck_assert_str_eq(fault.text, "size of 20 bytes, expected 1, 2, 4, 8 or a multiple of 16 up to 16384");
}
