/* The yardstick for training speed: `td` self-play, in plain C, and nothing else.
 *
 *   cc -O3 -march=native -ffp-contract=off -o yardstick yardstick.c && ./yardstick 3000000 7
 *
 * Online TD(0) on afterstates, one table a player, alpha = epsilon = 0.1, draw = 0.5; S_0 is the empty board; a random move that is not an argmax move
 * backs up nothing; the opponent's last move is backed up; dice are a hash of (seed, game, ply). Prints games per second of the processor's time and the
 * results. It is a speed to hold an engine against, in the same run on the same machine; its dice are its own, so its bits are not to be matched, and it
 * does not count the visits of entries, as the engine does.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STATES = 5478, CODES = 19683 };
static int id_of[CODES], code_of[STATES], count;
static uint16_t next[STATES][9];
static int8_t outcome[STATES];                       /* 0 goes on, 1 X won, 2 O won, 3 draw */
static double value[2][STATES];
static const int POW3[9] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561};

static int cell(int code, int i) { return code / POW3[i] % 3; }

static int judge(int code) {
    static const int L[8][3] = {{0,1,2},{3,4,5},{6,7,8},{0,3,6},{1,4,7},{2,5,8},{0,4,8},{2,4,6}};
    for (int l = 0; l < 8; l++) {
        int a = cell(code, L[l][0]);
        if (a && a == cell(code, L[l][1]) && a == cell(code, L[l][2])) return a;
    }
    for (int i = 0; i < 9; i++) if (!cell(code, i)) return 0;
    return 3;
}

static int visit(int code) {                         /* breadth first, so ids are in ply order */
    if (id_of[code] < 0) { id_of[code] = count; code_of[count] = code; outcome[count++] = judge(code); }
    return id_of[code];
}

static void build(void) {
    for (int c = 0; c < CODES; c++) id_of[c] = -1;
    visit(0);
    for (int s = 0; s < count; s++) {
        if (outcome[s]) continue;
        int marks = 0, k = 0;
        for (int i = 0; i < 9; i++) marks += cell(code_of[s], i) != 0;
        for (int i = 0; i < 9; i++)
            if (!cell(code_of[s], i)) next[s][k++] = visit(code_of[s] + (1 + (marks & 1)) * POW3[i]);
    }
    for (int p = 0; p < 2; p++)
        for (int s = 0; s < count; s++)
            value[p][s] = !outcome[s] || outcome[s] == 3 ? 0.5 : outcome[s] == p + 1 ? 1.0 : 0.0;
}

static inline uint64_t mix(uint64_t z) {             /* splitmix64's finaliser */
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 3000000;
    uint64_t seed = mix(argc > 2 ? strtoull(argv[2], 0, 10) : 7);
    const double alpha = 0.1;
    const uint32_t epsilon = 0.1 * 4294967296.0;
    long results[4] = {0};
    struct timespec t0, t1;
    build();
    if (count != STATES) return 1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
    for (long g = 0; g < games; g++) {
        uint64_t dice = mix(seed + 0x9E3779B97F4A7C15ull * (g + 1));
        int now = 0, last[2] = {0, 0};
        for (int ply = 0, p = 0;; ply++, p ^= 1) {
            double *V = value[p], best = V[next[now][0]];
            uint64_t r = mix(dice + 0xD1342543DE82EF95ull * (ply + 1));
            uint32_t ties = 1, low = (uint32_t)r;
            int n = 9 - ply, k = 1, greedy = 1;
            for (int i = 1; i < n; i++) {
                double v = V[next[now][i]];
                if (v > best) { best = v; ties = 1u << i; k = 1; }
                else if (v == best) { ties |= 1u << i; k++; }
            }
            int pick;
            if ((uint32_t)(r >> 32) < epsilon) {
                pick = (int)((uint64_t)low * n >> 32);
                greedy = ties >> pick & 1;
            } else {
                for (int skip = (int)((uint64_t)low * k >> 32); skip; skip--) ties &= ties - 1;
                pick = __builtin_ctz(ties);
            }
            now = next[now][pick];
            if (greedy) V[last[p]] += alpha * (V[now] - V[last[p]]);
            last[p] = now;
            if (outcome[now]) {
                double *W = value[p ^ 1];
                W[last[p ^ 1]] += alpha * (W[now] - W[last[p ^ 1]]);
                results[outcome[now]]++;
                break;
            }
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
    double seconds = t1.tv_sec - t0.tv_sec + (t1.tv_nsec - t0.tv_nsec) * 1e-9;
    printf("{\"games\": %ld, \"games_per_second\": %.0f, \"x\": %ld, \"draw\": %ld, \"o\": %ld}\n",
           games, games / seconds, results[1], results[3], results[2]);
    return 0;
}
