/* Perft of Awélé, rule set `course`: the plain C floor that Palabre's compiled Python is measured against.
 *
 *     cc -O3 -march=native awele_perft.c -o awele_perft
 *     ./awele_perft DEPTH [REPEAT [bulk|make [POSITION]]]      prints: leaves N seconds S
 *
 * `bulk` (default) counts the moves of the last ply without making them, `make` makes every one. N is the sum over all
 * repeats, S is CPU time. POSITION is Palabre's text, by default "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0".
 * From the start: 6, 36, 190, 1014, 5219, 27332, 139157; depth 11: 91558687.
 *
 * A side is one word: pit i in sowing order (0..5) is byte i, the seeds it has taken are byte 6.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PITS = 6, SEEDS = 48, STORE = 8 * PITS, MAJORITY = 25, STOP = 6, STAGNATION = 1000 };

#define BOARD 0x0000ffffffffffffULL /* the six pits of a side, without its store */
#define HIGH 0x0000808080808080ULL  /* the top bit of each pit: a pit holds 48 at most, so it is free for flags */
#define FILLED 0x00007f7f7f7f7f7fULL /* pit + 127 reaches the top bit when the pit holds a seed */
#define FEEDS 0x00007f7e7d7c7b7aULL  /* pit i + 122 + i does when it holds at least 6 - i: it reaches the other side */

typedef struct {
    uint64_t own, other; /* the side of the player to move, the opponent's side */
    uint64_t turn;       /* bit 0: player to move; above it: plies since the last capture */
} State;

/* A sowing, by pit and seeds: what to add to each side (the emptied pit included), and 8 * the opponent's pit that gets
 * the last seed, or a negative number when that is an own pit. */
static uint64_t sow_own[PITS][SEEDS + 1], sow_other[PITS][SEEDS + 1];
static int64_t last_shift[PITS][SEEDS + 1];

static void fill_tables(void) {
    for (int pit = 0; pit < PITS; pit++)
        for (int seeds = 0; seeds <= SEEDS; seeds++) {
            uint64_t side[2] = {0, 0};
            int at = pit;
            for (int i = 0; i < seeds; i++) {
                at = (at + 1) % (2 * PITS);
                if (at == pit) at = (at + 1) % (2 * PITS);
                side[at / PITS] += 1ULL << 8 * (at % PITS);
            }
            sow_own[pit][seeds] = side[0] - ((uint64_t)seeds << 8 * pit);
            sow_other[pit][seeds] = side[1];
            last_shift[pit][seeds] = 8 * (at - PITS);
        }
}

/* One flag per legal pit, in the pit's top bit. */
static inline uint64_t legal(State s) {
    return ((s.own & BOARD) + (s.other & BOARD ? FILLED : FEEDS)) & HIGH;
}

static inline uint64_t count_moves(State s) {
    return (uint64_t)__builtin_popcountll(legal(s));
}

static inline State play(State s, int pit) {
    uint64_t seeds = s.own >> 8 * pit & 0xff;
    uint64_t own = s.own + sow_own[pit][seeds], other = s.other + sow_other[pit][seeds];
    uint64_t left = other, taken = 0;
    for (int64_t at = last_shift[pit][seeds]; at >= 0; at -= 8) {
        uint64_t held = other >> at & 0xff;
        if (held >> 1 != 1) break; /* neither 2 nor 3 */
        left -= held << at;
        taken += held;
    }
    if (taken && left & BOARD) /* a grand slam captures nothing */
        return (State){left, own + (taken << STORE), (s.turn & 1) ^ 1};
    return (State){other, own, (s.turn ^ 1) + 2};
}

/* The ends of `course`, but for the player without a legal move: their node has no leaves anyway. */
static inline bool is_over(State s) {
    uint64_t own = s.own >> STORE, other = s.other >> STORE;
    return own >= MAJORITY || other >= MAJORITY || own + other > SEEDS - STOP || s.turn >> 1 >= STAGNATION;
}

/* The leaves `depth` >= 2 plies below a running game. */
static uint64_t perft_bulk(State s, int depth) {
    uint64_t moves = legal(s), leaves = 0;
#pragma GCC unroll 6
    for (int pit = 0; pit < PITS; pit++) {
        if (!(moves >> (8 * pit + 7) & 1)) continue;
        State next = play(s, pit);
        if (!is_over(next)) leaves += depth == 2 ? count_moves(next) : perft_bulk(next, depth - 1);
    }
    return leaves;
}

/* The same for `depth` >= 1, every move made; the empty assembly keeps the compiler from dropping the last ones. */
static uint64_t perft_make(State s, int depth) {
    uint64_t moves = legal(s), leaves = 0;
#pragma GCC unroll 6
    for (int pit = 0; pit < PITS; pit++) {
        if (!(moves >> (8 * pit + 7) & 1)) continue;
        State next = play(s, pit);
        if (depth == 1) {
            __asm__ volatile("" : : "r"(next.own), "r"(next.other), "r"(next.turn));
            leaves++;
        } else if (!is_over(next))
            leaves += perft_make(next, depth - 1);
    }
    return leaves;
}

static uint64_t perft(State s, int depth, bool bulk) {
    if (depth == 0) return 1;
    if (is_over(s)) return 0;
    if (!bulk) return perft_make(s, depth);
    return depth == 1 ? count_moves(s) : perft_bulk(s, depth);
}

static bool parse(const char *text, State *state) {
    unsigned pits[2 * PITS], stores[2], player, quiet;
    if (sscanf(text, "%u,%u,%u,%u,%u,%u/%u,%u,%u,%u,%u,%u %u,%u %u %u", pits, pits + 1, pits + 2, pits + 3, pits + 4,
               pits + 5, pits + 6, pits + 7, pits + 8, pits + 9, pits + 10, pits + 11, stores, stores + 1, &player,
               &quiet) != 16 || player < 1 || player > 2)
        return false;
    uint64_t side[2] = {(uint64_t)stores[0] << STORE, (uint64_t)stores[1] << STORE};
    unsigned seeds = stores[0] + stores[1];
    for (int i = 0; i < 2 * PITS; i++) {
        side[i / PITS] += (uint64_t)pits[i] << 8 * (i % PITS);
        seeds += pits[i];
    }
    *state = (State){side[player - 1], side[2 - player], (uint64_t)quiet << 1 | (player - 1)};
    return seeds == SEEDS;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? atoi(argv[1]) : -1, repeat = argc > 2 ? atoi(argv[2]) : 1;
    const char *mode = argc > 3 ? argv[3] : "bulk";
    const char *text = argc > 4 ? argv[4] : "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0";
    bool bulk = !strcmp(mode, "bulk");
    State state;
    if (depth < 0 || repeat < 1 || argc > 5 || (!bulk && strcmp(mode, "make")) || !parse(text, &state)) {
        fprintf(stderr, "usage: %s DEPTH [REPEAT [bulk|make [POSITION]]]\n", argv[0]);
        return 2;
    }
    fill_tables();
    uint64_t leaves = 0;
    clock_t start = clock();
    for (int i = 0; i < repeat; i++) {
        __asm__ volatile("" : "+r"(state.own)); /* a position the compiler does not know: nothing is computed once only */
        leaves += perft(state, depth, bulk);
    }
    printf("leaves %llu seconds %.6f\n", (unsigned long long)leaves, (double)(clock() - start) / CLOCKS_PER_SEC);
    return 0;
}
