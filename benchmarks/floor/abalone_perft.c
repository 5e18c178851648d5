/* Perft of Abalone, rule set `official`: the plain C floor that Palabre's compiled Python is measured against.
 *
 *     cc -O3 -march=native abalone_perft.c -o abalone_perft
 *     ./abalone_perft DEPTH [REPEAT [bulk|make [POSITION]]]      prints: leaves N seconds S
 *
 * `bulk` (default) counts the moves of the last ply without making them, `make` makes every one. N is the sum over all
 * repeats, S is CPU time. POSITION is Palabre's text, by default the layout `classic`: 44, 1936, 98912, 5045110.
 *
 * The board is a ring of 61 bits. Cell (q, r), q counted along the row and r by rows from the centre, is bit
 * (q + 14 r) mod 61; a step in a direction adds a constant mod 61, so it is a rotation, and one mask per direction
 * tells the cells that have a neighbour there. A set of moves is the set of the cells where they begin.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 61, RADIUS = 4, AXES = 3, DIRECTIONS = 6, BEATEN = 8, TURNS = 400, MOST_MOVES = 512 };

#define BOARD ((1ULL << CELLS) - 1)

/* East, north-east, north-west, then their opposites; the first three are also the axes. */
static const int offset[DIRECTIONS] = {1, 14, 13, CELLS - 1, CELLS - 14, CELLS - 13};
static uint64_t inner[DIRECTIONS]; /* the cells with a neighbour in that direction */

typedef struct {
    uint64_t own, other; /* the marbles of the player to move, the opponent's */
    uint64_t turn;       /* bit 0: player to move; above it: plies played */
} State;

static int cell(int q, int r) {
    if (abs(q) > RADIUS || abs(r) > RADIUS || abs(q + r) > RADIUS) return -1;
    return (q + 14 * r + 14 * CELLS) % CELLS;
}

static void fill_masks(void) {
    static const int step_q[DIRECTIONS] = {1, 0, -1, -1, 0, 1}, step_r[DIRECTIONS] = {0, 1, 1, 0, -1, -1};
    for (int q = -RADIUS; q <= RADIUS; q++)
        for (int r = -RADIUS; r <= RADIUS; r++)
            for (int d = 0; d < DIRECTIONS; d++)
                if (cell(q, r) >= 0 && cell(q + step_q[d], r + step_r[d]) >= 0) inner[d] |= 1ULL << cell(q, r);
}

static inline uint64_t forward(uint64_t cells, int steps) {
    return (cells << steps | cells >> (CELLS - steps)) & BOARD;
}

/* The cells whose neighbour in direction d is in `cells`; right only where the caller masks it with inner[d]. */
static inline uint64_t behind(uint64_t cells, int d) {
    return cells >> offset[d] | cells << (CELLS - offset[d]);
}

/* The rearmost marbles of all in-line moves in direction d; *steps gets those of single marbles. */
static inline uint64_t in_line(State s, int d, uint64_t *steps) {
    uint64_t own = s.own & inner[d], other = s.other & inner[d];
    uint64_t before_empty = behind(BOARD & ~(s.own | s.other), d);
    uint64_t before_one = behind(s.other & (before_empty | ~inner[d]), d); /* one enemy, then empty or the edge */
    uint64_t before_two = behind(other & before_one, d);
    uint64_t second = own & (before_empty | before_one), third = second | (own & before_two);
    *steps = own & before_empty;
    return *steps | (own & behind(second | (own & behind(third, d)), d));
}

/* Of a set of marbles those that, with the next one on the axis, are a pair in the set. */
static inline uint64_t pairs(uint64_t marbles, int axis) {
    return marbles & inner[axis] & behind(marbles, axis);
}

static inline uint64_t count_moves(State s) {
    uint64_t steps[DIRECTIONS], moves = 0;
#pragma GCC unroll 6
    for (int d = 0; d < DIRECTIONS; d++) moves += (uint64_t)__builtin_popcountll(in_line(s, d, &steps[d]));
#pragma GCC unroll 3
    for (int axis = 0; axis < AXES; axis++)
#pragma GCC unroll 6
        for (int d = 0; d < DIRECTIONS; d++) {
            if (d % AXES == axis) continue;
            uint64_t two = pairs(steps[d], axis), three = two & behind(two, axis);
            moves += (uint64_t)(__builtin_popcountll(two) + __builtin_popcountll(three));
        }
    return moves;
}

static inline State child(State s, uint64_t own_change, uint64_t other_change) {
    return (State){s.other ^ other_change, s.own ^ own_change, (s.turn ^ 1) + 2};
}

/* A group pushes in direction d: the rear marble goes to the front, the first enemy behind its last or off the board. */
static inline State push(State s, uint64_t rear, int d) {
    uint64_t front = forward(rear, offset[d]);
    while (front & s.own) front = forward(front, offset[d]);
    uint64_t landing = front;
    while (landing & s.other) landing = forward(landing & inner[d], offset[d]);
    return child(s, rear | front, front | landing);
}

/* Writes all positions after one move, returns how many. */
static inline int children(State s, State *next) {
    State *start = next;
    uint64_t steps[DIRECTIONS];
#pragma GCC unroll 6
    for (int d = 0; d < DIRECTIONS; d++) {
        uint64_t pushes = in_line(s, d, &steps[d]), group = steps[d];
#pragma GCC unroll 3
        for (int size = 1; size <= 3; size++) {
            pushes &= ~group;
            for (uint64_t left = group; left; left &= left - 1) {
                uint64_t rear = left & -left;
                *next++ = child(s, rear | forward(rear, size * offset[d] % CELLS), 0);
            }
            group = s.own & inner[d] & behind(group, d);
        }
        for (; pushes; pushes &= pushes - 1) *next++ = push(s, pushes & -pushes, d);
    }
#pragma GCC unroll 3
    for (int axis = 0; axis < AXES; axis++)
#pragma GCC unroll 6
        for (int d = 0; d < DIRECTIONS; d++) {
            if (d % AXES == axis) continue;
            uint64_t two = pairs(steps[d], axis), three = two & behind(two, axis);
            for (; two; two &= two - 1) {
                uint64_t first = two & -two, group = first | forward(first, offset[axis]);
                *next++ = child(s, group | forward(group, offset[d]), 0);
            }
            for (; three; three &= three - 1) {
                uint64_t first = three & -three, group = first | forward(first, offset[axis]);
                group |= forward(group, offset[axis]);
                *next++ = child(s, group | forward(group, offset[d]), 0);
            }
        }
    return (int)(next - start);
}

static inline bool is_over(State s) {
    return __builtin_popcountll(s.own) <= BEATEN || __builtin_popcountll(s.other) <= BEATEN || s.turn >> 1 >= TURNS;
}

/* The leaves `depth` >= 1 plies below a running game. */
static uint64_t perft(State s, int depth, bool bulk) {
    if (bulk && depth == 1) return count_moves(s);
    State next[MOST_MOVES];
    int moves = children(s, next);
    if (depth == 1) {
        __asm__ volatile("" : : "r"(next) : "memory"); /* keeps the compiler from dropping the moves of the last ply */
        return (uint64_t)moves;
    }
    uint64_t leaves = 0;
    for (int i = 0; i < moves; i++)
        if (!is_over(next[i])) leaves += bulk && depth == 2 ? count_moves(next[i]) : perft(next[i], depth - 1, bulk);
    return leaves;
}

static bool parse(const char *text, State *state) {
    uint64_t marbles[2] = {0, 0};
    for (int row = RADIUS; row >= -RADIUS; row--) { /* from row i down to row a */
        int first = row > 0 ? -RADIUS : -RADIUS - row;
        for (int q = first; q <= first + 2 * RADIUS - abs(row); q++, text++) {
            if (*text == '1' || *text == '2') marbles[*text - '1'] |= 1ULL << cell(q, row);
            else if (*text != '.') return false;
        }
        if (*text++ != (row > -RADIUS ? '/' : ' ')) return false;
    }
    unsigned player, plies;
    if (sscanf(text, "%u %u", &player, &plies) != 2 || player < 1 || player > 2) return false;
    *state = (State){marbles[player - 1], marbles[2 - player], (uint64_t)plies << 1 | (player - 1)};
    return true;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? atoi(argv[1]) : -1, repeat = argc > 2 ? atoi(argv[2]) : 1;
    const char *mode = argc > 3 ? argv[3] : "bulk";
    const char *text = argc > 4 ? argv[4] : "11111/111111/..111../......../........./......../..222../222222/22222 1 0";
    bool bulk = !strcmp(mode, "bulk");
    State state;
    fill_masks();
    if (depth < 0 || repeat < 1 || argc > 5 || (!bulk && strcmp(mode, "make")) || !parse(text, &state)) {
        fprintf(stderr, "usage: %s DEPTH [REPEAT [bulk|make [POSITION]]]\n", argv[0]);
        return 2;
    }
    uint64_t leaves = 0;
    clock_t start = clock();
    for (int i = 0; i < repeat; i++) {
        __asm__ volatile("" : "+r"(state.own)); /* a position the compiler does not know: nothing is computed once only */
        leaves += depth == 0 ? 1 : is_over(state) ? 0 : perft(state, depth, bulk);
    }
    printf("leaves %llu seconds %.6f\n", (unsigned long long)leaves, (double)(clock() - start) / CLOCKS_PER_SEC);
    return 0;
}
