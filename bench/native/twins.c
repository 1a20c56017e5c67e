// C twins of the kernel's functions, for bench/native.bench.mjs: the same algorithms on the same data. Compiled as an addon of Node,
// so that both work in one process on the very same memory, the kernel's. Offsets and structures are those of assembly/.
#define _DEFAULT_SOURCE
#include <emmintrin.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint32_t u32;
typedef uint64_t u64;

/* The kernel's memory. */
static char *image;

#define U32(at) ((u32 *)(image + (at)))
#define F64(at) ((double *)(image + (at)))

/* assembly/sparse/csr.ts */
typedef struct {
  u32 states, transitions, faultyState, rowStart, rowEnd, columns, values, exit, stay, predecessorStart, predecessors;
} Chain;
/* assembly/solve/until.ts */
typedef struct {
  u32 chain, bounds, remain, target, zero, one, maybe, order, start, componentOf, scratch, matrix;
} Until;
/* assembly/solve/runs.ts */
typedef struct {
  u32 states, first, count, runs, bounds, outside, values, columns, entries, order;
} Runs;

/* assembly/solve/quotient.ts */
typedef struct {
  u32 blocks, maximise, bounds, chosen, groupStart, rowStart, source, terms, exit, gain, outside, columns, values;
} Quotient;

#define CHAIN(at) ((const Chain *)(image + (at)))

/* What those that can fail return then. */
static const u64 FAILED = ~(u64)0;

static const double SMALLEST = 0x1p-500, UNIT = 0x1p-53;

static int has(const u32 *set, u32 s) { return set[s >> 5] >> (s & 31) & 1; }
static double outward(u32 k) { return (double)((k + 6) & ~1u) * UNIT; }

static u64 transpose(const Chain *c) {
  u32 *starts = U32(c->predecessorStart), *lists = U32(c->predecessors);
  const u32 *rowStart = U32(c->rowStart), *columns = U32(c->columns);
  u32 entries = rowStart[c->states], total = 0;
  memset(starts, 0, 4 * ((size_t)c->states + 1));
  for (u32 e = 0; e < entries; ++e) ++starts[columns[e]];
  for (u32 t = 0; t < c->states; ++t) starts[t] = total += starts[t];
  starts[c->states] = total;
  for (u32 s = c->states; s-- > 0;)
    for (u32 e = rowStart[s]; e < rowStart[s + 1]; ++e) lists[--starts[columns[e]]] = s;
  return total;
}

static u64 canReach(const Chain *c, const u32 *remain, const u32 *target, u32 *result, u32 *frontier) {
  const u32 *starts = U32(c->predecessorStart), *lists = U32(c->predecessors);
  u32 size = 0, found = 0;
  memcpy(result, target, 4 * ((size_t)(c->states + 31) >> 5));
  for (u32 s = 0; s < c->states; ++s)
    if (has(target, s)) frontier[size++] = s;
  while (size > 0) {
    u32 t = frontier[--size];
    ++found;
    for (u32 e = starts[t]; e < starts[t + 1]; ++e) {
      u32 s = lists[e];
      if (has(result, s) || !has(remain, s)) continue;
      result[s >> 5] |= 1u << (s & 31);
      frontier[size++] = s;
    }
  }
  return found;
}

static u64 components(const Chain *c, const u32 *subset, u32 *order, u32 *start, u32 *componentOf, u32 *scratch) {
  const u32 NONE = 0xffffffff, states = c->states;
  const u32 *rowStart = U32(c->rowStart), *rowEnd = U32(c->rowEnd), *columns = U32(c->columns);
  u32 *index = scratch, *low = index + states, *cursor = low + states, *path = cursor + states;
  u32 discovered = 0, finished = 0, count = 0, open = states;
  memset(index, 0, 4 * (size_t)states);
  memset(componentOf, 0xff, 4 * (size_t)states);
  for (u32 root = 0; root < states; ++root) {
    if (!has(subset, root) || index[root] != 0) continue;
    u32 depth = 0, entered = root;
    for (;;) {
      if (entered != NONE) {
        low[entered] = index[entered] = ++discovered;
        cursor[entered] = rowStart[entered];
        path[depth++] = entered;
        order[--open] = entered;
        entered = NONE;
      }
      u32 s = path[depth - 1], e = cursor[s];
      if (e < rowEnd[s]) {
        cursor[s] = e + 1;
        u32 t = columns[e];
        if (!has(subset, t)) continue;
        if (index[t] == 0) entered = t;
        else if (componentOf[t] == NONE && index[t] < low[s]) low[s] = index[t];
        continue;
      }
      if (low[s] == index[s]) {
        u32 member;
        start[count] = finished;
        do {
          member = order[open++];
          componentOf[member] = count;
          order[finished++] = member;
        } while (member != s);
        ++count;
      }
      if (--depth == 0) break;
      u32 parent = path[depth - 1];
      if (low[s] < low[parent]) low[parent] = low[s];
    }
  }
  start[count] = finished;
  return count;
}

static int tightenByRow(const Chain *c, double *bounds, u32 s) {
  u32 start = U32(c->rowStart)[s], end = U32(c->rowEnd)[s];
  const u32 *columns = U32(c->columns);
  const double *values = F64(c->values);
  double lower = 0, upper = 0;
  for (u32 e = start; e < end; ++e) {
    const double *successor = bounds + 2 * (size_t)columns[e];
    lower += values[e] * successor[0];
    upper += values[e] * successor[1];
  }
  double exit = F64(c->exit)[s], error = outward(end - start);
  lower = lower / exit * (1 - error);
  upper = upper / exit * (1 + error);
  if (lower < SMALLEST) lower = 0;
  if (upper < SMALLEST) upper = SMALLEST;
  double *own = bounds + 2 * (size_t)s;
  int moved = 0;
  if (lower > own[0]) own[0] = lower, moved = 1;
  if (upper < own[1]) own[1] = upper, moved = 1;
  return moved;
}

static u64 intervalSweep(const Until *u, u32 component) {
  const u32 *start = U32(u->start), *order = U32(u->order);
  u64 moved = 0;
  for (u32 i = start[component]; i < start[component + 1]; ++i)
    moved |= tightenByRow(CHAIN(u->chain), F64(u->bounds), order[i]);
  return moved;
}

static u64 valueSweep(const Until *u, u32 component) {
  const Chain *c = CHAIN(u->chain);
  const u32 *start = U32(u->start), *order = U32(u->order), *columns = U32(c->columns);
  const double *values = F64(c->values), *exit = F64(c->exit);
  double *bounds = F64(u->bounds), largest = 0;
  for (u32 i = start[component]; i < start[component + 1]; ++i) {
    u32 s = order[i];
    double sum = 0;
    for (u32 e = U32(c->rowStart)[s]; e < U32(c->rowEnd)[s]; ++e) sum += values[e] * bounds[2 * (size_t)columns[e]];
    double value = sum / exit[s], change = fabs(value - bounds[2 * (size_t)s]);
    if (change > largest) largest = change;
    bounds[2 * (size_t)s] = value;
  }
  return largest > 0;
}

#define TERM(e) \
  sum = _mm_add_pd(sum, _mm_mul_pd(_mm_load1_pd(values + (e)), _mm_loadu_pd((const double *)((const char *)bounds + columns[e]))))

/* As sweepForward: the unrolled bodies differ in their number of entries only. */
#define ROWS(length, body)                                                   \
  for (u32 left = size; left > 0; --left) {                                  \
    __m128d sum = _mm_loadu_pd(row + distance);                              \
    body;                                                                    \
    sum = _mm_mul_pd(sum, factors);                                          \
    sum = _mm_min_pd(most, _mm_and_pd(sum, _mm_cmpge_pd(sum, least)));       \
    __m128d old = _mm_loadu_pd(row);                                         \
    _mm_storeu_pd(row, _mm_max_pd(sum, old));                                \
    moved = _mm_or_pd(moved, _mm_cmpgt_pd(sum, old));                        \
    row += 2, values += (length), columns += (length);                       \
  }                                                                          \
  break

static u64 runsSweep(const Runs *r) {
  double *bounds = F64(r->bounds), *row = bounds;
  ptrdiff_t distance = F64(r->outside) - bounds;
  const double *values = F64(r->values);
  const u32 *columns = U32(r->columns), *run = U32(r->runs);
  const __m128d least = _mm_setr_pd(SMALLEST, -INFINITY), most = _mm_setr_pd(INFINITY, -SMALLEST);
  __m128d moved = _mm_setzero_pd();
  for (u32 i = 0; i < r->count; ++i, run += 4) {
    u32 length = run[0], size = run[1];
    double error = outward(run[2]);
    const __m128d factors = _mm_setr_pd(1 - error, 1 + error);
    switch (length) {
      case 1: ROWS(1, TERM(0));
      case 2: ROWS(2, TERM(0); TERM(1));
      case 3: ROWS(3, TERM(0); TERM(1); TERM(2));
      case 4: ROWS(4, TERM(0); TERM(1); TERM(2); TERM(3));
      case 5: ROWS(5, TERM(0); TERM(1); TERM(2); TERM(3); TERM(4));
      case 6: ROWS(6, TERM(0); TERM(1); TERM(2); TERM(3); TERM(4); TERM(5));
      case 7: ROWS(7, TERM(0); TERM(1); TERM(2); TERM(3); TERM(4); TERM(5); TERM(6));
      case 8: ROWS(8, TERM(0); TERM(1); TERM(2); TERM(3); TERM(4); TERM(5); TERM(6); TERM(7));
      default: ROWS(length, for (u32 e = 0; e < length; ++e) TERM(e));
    }
  }
  return _mm_movemask_pd(moved) != 0;
}

static u64 eliminate(double *matrix, u32 n) {
  const size_t width = n + 3;
  for (u32 k = n; k-- > 0;) {
    double *pivotRow = matrix + k * width, pivot = pivotRow[0], smallest = 1;
    for (u32 j = 0; j < 3; ++j)
      if (pivotRow[j] > 0 && pivotRow[j] < smallest) smallest = pivotRow[j];
    for (u32 j = 3; j < 3 + k; ++j) {
      pivot += pivotRow[j];
      if (pivotRow[j] > 0 && pivotRow[j] < smallest) smallest = pivotRow[j];
    }
    if (!(pivot > 0)) return FAILED;
    pivotRow[3 + k] = pivot;
    for (u32 i = 0; i < k; ++i) {
      double *restrict row = matrix + i * width;
      const double *restrict added = pivotRow;
      if (row[3 + k] == 0) continue;
      double factor = row[3 + k] / pivot;
      if (factor * smallest < 0x1p-1000) return FAILED;
      for (u32 j = 0; j < 3 + k; ++j) row[j] += factor * added[j];
    }
  }
  return 0;
}

static u64 step(const Chain *c, const u32 *active, const double *from, double *to) {
  const u32 *columns = U32(c->columns), *rowStart = U32(c->rowStart);
  const double *values = F64(c->values), *exit = F64(c->exit), *stays = F64(c->stay);
  const __m128d zero = _mm_setzero_pd(), one = _mm_set1_pd(1), most = _mm_setr_pd(INFINITY, 1);
  const __m128d least = _mm_setr_pd(SMALLEST, 0), leastPositive = _mm_setr_pd(0, SMALLEST);
  const __m128d twiceStayError = _mm_setr_pd(0x1p-103, 0), outwards = _mm_setr_pd(-UNIT, UNIT);
  __m128d moved = zero;
  for (u32 s = 0; s < c->states; ++s) {
    if (!has(active, s)) continue;
    u32 start = rowStart[s], end = rowStart[s + 1];
    double k = end - start;
    __m128d own = _mm_loadu_pd(from + 2 * (size_t)s), stay = _mm_load1_pd(stays + s);
    stay = _mm_max_pd(_mm_sub_pd(stay, _mm_mul_pd(_mm_set1_pd(k * k + 1), twiceStayError)), zero);
    __m128d both = _mm_mul_pd(stay, own);
    for (u32 e = start; e < end; ++e)
      both = _mm_add_pd(both, _mm_mul_pd(_mm_load1_pd(values + e), _mm_loadu_pd(from + 2 * (size_t)columns[e])));
    if (exit[s] > 1) both = _mm_div_pd(both, _mm_set1_pd(exit[s]));
    __m128d error = _mm_mul_pd(_mm_set1_pd((double)((end - start + 10) & ~1u)), outwards);
    both = _mm_min_pd(_mm_mul_pd(both, _mm_add_pd(error, one)), most);
    both = _mm_andnot_pd(_mm_cmplt_pd(both, least), both);
    both = _mm_max_pd(_mm_and_pd(leastPositive, _mm_cmpgt_pd(both, zero)), both);
    moved = _mm_or_pd(moved, _mm_cmpneq_pd(both, own));
    _mm_storeu_pd(to + 2 * (size_t)s, both);
  }
  return _mm_movemask_pd(moved) != 0;
}

/* A whole solve to 1e-6, as bindings/solvers/kernel/until.ts does it where elimination of large components never gets a turn. */

static void complement(u32 *set, u32 states) {
  for (u32 i = 0; i < (states + 31) >> 5; ++i) set[i] = ~set[i];
  if (states & 31) set[(states - 1) >> 5] &= (1u << (states & 31)) - 1;
}

static u32 classify(const Until *u) {
  const Chain *c = CHAIN(u->chain);
  u32 *remain = U32(u->remain), *target = U32(u->target), *zero = U32(u->zero), *one = U32(u->one);
  u32 *maybe = U32(u->maybe), *scratch = U32(u->scratch), words = (c->states + 31) >> 5;
  double *bounds = F64(u->bounds);
  canReach(c, remain, target, zero, scratch);
  complement(zero, c->states);
  for (u32 i = 0; i < words; ++i) maybe[i] = remain[i] & ~target[i];
  canReach(c, maybe, zero, one, scratch);
  complement(one, c->states);
  memset(maybe, 0, 4 * (size_t)words);
  for (u32 s = 0; s < c->states; ++s) {
    bounds[2 * (size_t)s] = has(one, s);
    bounds[2 * (size_t)s + 1] = !has(zero, s);
    if (!has(one, s) && !has(zero, s)) maybe[s >> 5] |= 1u << (s & 31);
  }
  return components(c, maybe, U32(u->order), U32(u->start), U32(u->componentOf), scratch);
}

static double leastPositive(double a, double b) { return b > 0 && b < a ? b : a; }

static void narrow(double *own, double lower, double upper) {
  if (lower < SMALLEST) lower = 0;
  if (upper < SMALLEST) upper = SMALLEST;
  if (lower > own[0]) own[0] = lower;
  if (upper < own[1]) own[1] = upper;
}

static u64 solveDirectly(const Until *u, u32 component, u32 n) {
  const Chain *c = CHAIN(u->chain);
  const u32 *members = U32(u->order) + U32(u->start)[component], *componentOf = U32(u->componentOf);
  const u32 *columns = U32(c->columns);
  u32 *place = U32(u->scratch), longest = 0;
  const double *values = F64(c->values);
  double *matrix = F64(u->matrix), *bounds = F64(u->bounds);
  const size_t width = n + 3;
  for (u32 i = 0; i < n; ++i) place[members[i]] = i;
  memset(matrix, 0, 8 * n * width);
  for (u32 i = 0; i < n; ++i) {
    double *row = matrix + i * width;
    u32 start = U32(c->rowStart)[members[i]], end = U32(c->rowEnd)[members[i]];
    if (end - start > longest) longest = end - start;
    for (u32 e = start; e < end; ++e) {
      u32 t = columns[e];
      if (componentOf[t] == component) row[3 + place[t]] = values[e];
      else {
        row[0] += values[e];
        row[1] += values[e] * bounds[2 * (size_t)t];
        row[2] += values[e] * bounds[2 * (size_t)t + 1];
      }
    }
  }
  if (eliminate(matrix, n) == FAILED) return FAILED;
  double smallestValue = 1;
  for (u32 k = 0; k < n; ++k) {
    double *row = matrix + k * width, lower = row[1], upper = row[2], smallest = 1;
    for (u32 j = 0; j < k; ++j) smallest = leastPositive(smallest, row[3 + j]);
    if (smallest * smallestValue < 0x1p-1000) return FAILED;
    for (u32 j = 0; j < k; ++j) {
      lower += row[3 + j] * matrix[j * width + 1];
      upper += row[3 + j] * matrix[j * width + 2];
    }
    row[1] = lower / row[3 + k];
    row[2] = upper / row[3 + k];
    smallestValue = leastPositive(leastPositive(smallestValue, row[1]), row[2]);
  }
  double size = n, error = 1.01 * (size * size * size * 2 / 3 + 3 * size * size + 2 * size * longest + 8) * UNIT;
  for (u32 i = 0; i < n; ++i)
    narrow(bounds + 2 * (size_t)members[i], matrix[i * width + 1] * (1 - error), matrix[i * width + 2] * (1 + error));
  return 0;
}

enum { WINDOW = 1024, LONG = 16 };

static void addRun(u32 *runs, u32 *count, u32 length, u32 size) {
  u32 *run = runs + 4 * (size_t)(*count)++;
  run[0] = length, run[1] = size, run[2] = 0;
}

/* As buildRowBlocks; `block` is an offset into the image behind everything else. */
static void buildRowBlocks(Runs *r, u32 block, const Until *u, u32 component, u32 n, u32 entries) {
  const Chain *c = CHAIN(u->chain);
  const u32 *members = U32(u->order) + U32(u->start)[component], *componentOf = U32(u->componentOf);
  const u32 *columns = U32(c->columns), *rowStart = U32(c->rowStart), *rowEnd = U32(c->rowEnd);
  const double *given = F64(u->bounds);
  u32 *place = U32(u->scratch);
  r->states = n, r->entries = entries, r->count = 0;
  r->bounds = block, r->outside = r->bounds + 16 * n, r->values = r->outside + 16 * n;
  r->runs = r->values + 8 * entries;
  r->columns = r->runs + 16 * ((n + WINDOW - 1) / WINDOW * LONG + entries / LONG);
  r->order = r->columns + 4 * entries;
  u32 *order = U32(r->order), *lengths = U32(r->outside), *runs = U32(r->runs);
  for (u32 from = 0; from < n; from += WINDOW) {
    u32 sums[LONG + 1] = {0}, to = from + WINDOW < n ? from + WINDOW : n, at = from;
    for (u32 i = from; i < to; ++i) {
      u32 length = 0;
      for (u32 e = rowStart[members[i]]; e < rowEnd[members[i]]; ++e) length += componentOf[columns[e]] == component;
      lengths[i] = length;
      ++sums[length < LONG ? length : LONG];
    }
    for (u32 key = 0; key <= LONG; ++key) {
      u32 size = sums[key];
      if (size > 0 && key < LONG) addRun(runs, &r->count, key, size);
      sums[key] = at;
      at += size;
    }
    for (u32 i = from; i < to; ++i) {
      u32 key = lengths[i] < LONG ? lengths[i] : LONG;
      order[sums[key]++] = members[i];
      if (key == LONG) addRun(runs, &r->count, lengths[i], 1);
    }
  }
  for (u32 i = 0; i < n; ++i) place[order[i]] = i;
  double *bounds = F64(r->bounds), *outside = F64(r->outside), *values = F64(r->values);
  u32 *places = U32(r->columns), filled = 0;
  for (u32 i = 0; i < n; ++i) {
    u32 s = order[i];
    double lower = 0, upper = 0;
    for (u32 e = rowStart[s]; e < rowEnd[s]; ++e) {
      u32 t = columns[e];
      double value = F64(c->values)[e] / F64(c->exit)[s];
      if (componentOf[t] == component) values[filled] = value, places[filled++] = place[t] << 4;
      else lower += value * given[2 * (size_t)t], upper += value * given[2 * (size_t)t + 1];
    }
    outside[2 * i] = lower, outside[2 * i + 1] = -upper;
    bounds[2 * i] = given[2 * (size_t)s], bounds[2 * i + 1] = -given[2 * (size_t)s + 1];
  }
  for (u32 i = 0, *run = runs; run < runs + 4 * r->count; run += 4)
    for (u32 left = run[1]; left > 0; --left, ++i)
      if (rowEnd[order[i]] - rowStart[order[i]] > run[2]) run[2] = rowEnd[order[i]] - rowStart[order[i]];
}

static double rowBlocksGap(const Runs *r) {
  const double *bounds = F64(r->bounds);
  double widest = 0;
  for (u32 i = 0; i < r->states; ++i) {
    double width = -bounds[2 * i + 1] - bounds[2 * i];
    if (width > widest) widest = width;
  }
  return widest;
}

/* Forward sweeps only; the kernel makes every eighth a backward one. */
static void iterate(const Until *u, u32 component, u32 n, double share, u32 block) {
  const Chain *c = CHAIN(u->chain);
  const u32 *members = U32(u->order) + U32(u->start)[component], *componentOf = U32(u->componentOf);
  double *bounds = F64(u->bounds), inherited = 0;
  u32 entries = 0;
  for (u32 i = 0; i < n; ++i)
    for (u32 e = U32(c->rowStart)[members[i]]; e < U32(c->rowEnd)[members[i]]; ++e) {
      u32 t = U32(c->columns)[e];
      double width = bounds[2 * (size_t)t + 1] - bounds[2 * (size_t)t];
      if (componentOf[t] == component) ++entries;
      else if (width > inherited) inherited = width;
    }
  Runs r;
  buildRowBlocks(&r, block, u, component, n, entries);
  for (u32 sweeps = 0; rowBlocksGap(&r) > inherited + share;) {
    u32 count = 1 + (sweeps >> 3);
    for (u32 i = 0; i < count; ++i)
      if (!runsSweep(&r)) i = count;
    sweeps += count;
  }
  for (u32 i = 0; i < n; ++i)
    narrow(bounds + 2 * (size_t)U32(r.order)[i], F64(r.bounds)[2 * i], -F64(r.bounds)[2 * i + 1]);
}

static u64 solve(const Until *u, u32 block) {
  u32 count = classify(u), iterated = 0;
  const u32 *start = U32(u->start);
  for (u32 i = 0; i < count; ++i) iterated += start[i + 1] - start[i] > 32;
  for (u32 i = 0; i < count; ++i) {
    u32 n = start[i + 1] - start[i];
    if (n == 1) tightenByRow(CHAIN(u->chain), F64(u->bounds), U32(u->order)[start[i]]);
    else if (n > 32) iterate(u, i, n, 1e-6 / iterated, block);
    else if (solveDirectly(u, i, n) == FAILED) return FAILED;
  }
  return 0;
}

static u64 maximiseSweep(const Quotient *q, u32 first, u32 last) {
  double *bounds = F64(q->bounds);
  const double *values = F64(q->values), *gain = F64(q->gain), *exits = F64(q->exit);
  const u32 *columns = U32(q->columns), *rowStart = U32(q->rowStart), *groupStart = U32(q->groupStart);
  u64 moved = 0;
  for (u32 b = first; b < last; ++b) {
    __m128d bestBounds = _mm_setzero_pd();
    u32 best = 0;
    for (u32 choice = groupStart[b]; choice < groupStart[b + 1]; ++choice) {
      __m128d sum = _mm_loadu_pd(gain + 2 * (size_t)choice);
      for (u32 e = rowStart[choice]; e < rowStart[choice + 1]; ++e)
        sum = _mm_add_pd(sum, _mm_mul_pd(_mm_set1_pd(values[e]), _mm_loadu_pd(bounds + 2 * (size_t)columns[e])));
      double error = outward(U32(q->terms)[choice]);
      sum = _mm_mul_pd(_mm_div_pd(sum, _mm_set1_pd(exits[choice])), _mm_set_pd(1 + error, 1 - error));
      if (_mm_comigt_sd(sum, bestBounds)) best = choice;
      bestBounds = _mm_max_pd(bestBounds, sum);
    }
    double bestLower = _mm_cvtsd_f64(bestBounds), bestUpper = _mm_cvtsd_f64(_mm_unpackhi_pd(bestBounds, bestBounds));
    double lower = bestLower < SMALLEST ? 0 : fmin(bestLower, 0x1.fffffffffffffp+1023);
    double upper = fmax(bestUpper, SMALLEST);
    if (lower > bounds[2 * (size_t)b]) {
      bounds[2 * (size_t)b] = lower;
      U32(q->chosen)[b] = best;
      moved = 1;
    }
    if (upper < bounds[2 * (size_t)b + 1]) {
      bounds[2 * (size_t)b + 1] = upper;
      moved = 1;
    }
  }
  return moved;
}

static u64 run(const char *name, const u32 *a) {
  if (!strcmp(name, "transpose")) return transpose(CHAIN(a[0]));
  if (!strcmp(name, "canReach")) return canReach(CHAIN(a[0]), U32(a[1]), U32(a[2]), U32(a[3]), U32(a[4]));
  if (!strcmp(name, "components")) return components(CHAIN(a[0]), U32(a[1]), U32(a[2]), U32(a[3]), U32(a[4]), U32(a[5]));
  if (!strcmp(name, "intervalSweep")) return intervalSweep((const Until *)(image + a[0]), a[1]);
  if (!strcmp(name, "valueSweep")) return valueSweep((const Until *)(image + a[0]), a[1]);
  if (!strcmp(name, "sweepForward")) return runsSweep((const Runs *)(image + a[0]));
  if (!strcmp(name, "maximiseSweep")) return maximiseSweep((const Quotient *)(image + a[0]), a[1], a[2]);
  if (!strcmp(name, "eliminate")) return eliminate(F64(a[0]), a[1]);
  if (!strcmp(name, "step")) return step(CHAIN(a[0]), U32(a[1]), F64(a[2]), F64(a[3]));
  if (!strcmp(name, "solve")) return solve((const Until *)(image + a[0]), a[1]);
  abort();
}

/* What Node offers to addons (Node-API); declared here, so that no headers are needed. */
typedef struct Environment *Environment;
typedef struct Value *Value;
typedef struct Call *Call;
extern int napi_get_cb_info(Environment, Call, size_t *count, Value *arguments, Value *self, void **data);
extern int napi_get_arraybuffer_info(Environment, Value, void **bytes, size_t *length);
extern int napi_get_value_string_latin1(Environment, Value, char *text, size_t size, size_t *length);
extern int napi_get_value_uint32(Environment, Value, u32 *number);
extern int napi_create_double(Environment, double, Value *result);
extern int napi_get_boolean(Environment, int, Value *result);
extern int napi_create_function(Environment, const char *, size_t, Value (*)(Environment, Call), void *, Value *result);
extern int napi_set_named_property(Environment, Value object, const char *, Value);

/* twin(memory, name, ...offsets): runs the twin of a function; false if it failed. */
static Value twin(Environment environment, Call call) {
  Value arguments[8], answer;
  size_t count = 8, length;
  char name[32];
  u32 offsets[6] = {0};
  if (napi_get_cb_info(environment, call, &count, arguments, NULL, NULL) ||
      napi_get_arraybuffer_info(environment, arguments[0], (void **)&image, &length) ||
      napi_get_value_string_latin1(environment, arguments[1], name, sizeof name, &length))
    abort();
  for (size_t i = 2; i < count; ++i) napi_get_value_uint32(environment, arguments[i], offsets + i - 2);
  napi_get_boolean(environment, run(name, offsets) != FAILED, &answer);
  return answer;
}

/* nanoseconds(): what this thread has had of a processor. Other work on the machine does not count, only what it does to caches. */
static Value nanoseconds(Environment environment, Call call) {
  struct timespec now;
  Value answer;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  napi_create_double(environment, 1e9 * (double)now.tv_sec + (double)now.tv_nsec, &answer);
  return answer;
}

static void offer(Environment environment, Value exports, const char *name, Value (*callback)(Environment, Call)) {
  Value function;
  napi_create_function(environment, name, strlen(name), callback, NULL, &function);
  napi_set_named_property(environment, exports, name, function);
}

Value napi_register_module_v1(Environment environment, Value exports) {
  offer(environment, exports, "twin", twin);
  offer(environment, exports, "nanoseconds", nanoseconds);
  return exports;
}
