import type { Reading, Tuple } from './beliefs.js';
import type { CallJudge } from './judge.js';
import type { Knowledge } from './knowledge.js';
import type { SearchLimits } from './limits.js';
import type { AskedCall, Moves } from './moves.js';
import { readStep, type Situation, together } from './run.js';

/** A situation that permitted calls lead to. */
export interface Place extends Situation {
  /** The calls that lead here, from the situation that was asked about. */
  readonly calls: readonly AskedCall[];
}

/** Where a call leads; several places if what it does is not certain. */
interface Way {
  readonly call: AskedCall;
  readonly to: readonly number[];
}

/** The places that permitted calls lead to, as the specification declares the calls: breadth first, as far as they are asked for. */
export class PlanGraph {
  readonly places: Place[] = [];
  /** Whether there are more places than were looked at. */
  isCut = false;
  readonly #ways: (readonly Way[] | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  #judged = 0;
  readonly #parts: {
    readonly knowledge: Knowledge;
    readonly judge: CallJudge;
    readonly moves: Moves;
    readonly limits: SearchLimits;
  };
  readonly #callReadings = new Map<AskedCall, Reading>();

  constructor(
    parts: { knowledge: Knowledge; judge: CallJudge; moves: Moves; limits: SearchLimits },
    from: Situation,
  ) {
    this.#parts = parts;
    this.#add({ ...situationOf(from), calls: [] });
  }

  /**
   * The first place at which the goal holds: no other is reached by fewer calls.
   *
   * @param avoids places and calls that the way must not take
   * @returns null if there is none, or the search was given up (`isCut`)
   */
  find(
    isGoal: (place: Place) => boolean,
    avoids: { readonly place?: (place: Place) => boolean; readonly call?: (call: AskedCall) => boolean } = {},
  ): Place | null {
    const isAvoided = (n: number): boolean => avoids.place?.(this.places[n]) ?? false;
    if (isAvoided(0)) return null;
    const seen = new Set([0]);
    const before = new Map<number, { readonly from: number; readonly call: AskedCall }>();
    // The set grows during the iteration.
    for (const n of seen) {
      if (isGoal(this.places[n])) return { ...this.places[n], calls: callsTo(n, before) };
      for (const { call, to } of this.ways(n)) {
        if (avoids.call?.(call)) continue;
        for (const next of to)
          if (!seen.has(next) && !isAvoided(next)) {
            seen.add(next);
            before.set(next, { from: n, call });
          }
      }
    }
    return null;
  }

  /** For each place that was looked at, the fewest calls from there to one where the goal holds, all going well; absent where none leads there. */
  distances(isGoal: (place: Place) => boolean): ReadonlyMap<number, number> {
    const into: number[][] = [];
    for (let n = 0; n < this.places.length; n++)
      for (const { to } of this.ways(n))
        for (const next of to) {
          into[next] ??= [];
          into[next].push(n);
        }
    const distances = new Map<number, number>();
    let layer = this.places.flatMap((place, n) => (isGoal(place) ? [n] : []));
    for (let distance = 0; layer.length > 0; distance++) {
      for (const n of layer) distances.set(n, distance);
      layer = [...new Set(layer.flatMap((n) => into[n] ?? []))].filter((n) => !distances.has(n));
    }
    return distances;
  }

  /** The permitted calls from a place; a call is one only if all that it may do is permitted. */
  ways(n: number): readonly Way[] {
    return (this.#ways[n] ??= this.#waysFrom(this.places[n]));
  }

  #waysFrom(place: Place): Way[] {
    const { judge, moves, limits } = this.#parts;
    this.#judged += moves.calls.length;
    // The first place is looked at in any case.
    if (this.#judged > limits.judged && place !== this.places[0]) {
      this.isCut = true;
      return [];
    }
    return moves.calls.flatMap((call) => {
      if (moves.requires(call, place.now) !== true) return [];
      const made = judge.step(place, place.tuples, place.read(call));
      if (made.verdict !== 'kept') return [];
      const outcomes = (moves.outcomes(call, place.now) ?? [])
        .flat()
        .map((now) => ({ now, verdict: judge.before(place, made.after, now).verdict }))
        .filter(({ verdict }) => verdict !== 'excluded');
      if (outcomes.length === 0 || outcomes.some(({ verdict }) => verdict !== 'kept')) return [];
      const to = outcomes.map(({ now }) =>
        this.#add({
          tuples: made.after,
          broken: place.broken,
          apart: place.apart,
          now,
          step: place.step + 1,
          history: place.history,
          calls: [...place.calls, call],
          read: (next) => together(now, this.#readingOf(next)),
        }),
      );
      const known = to.filter((number) => number >= 0);
      return known.length === 0 ? [] : [{ call, to: known }];
    });
  }

  #readingOf(call: AskedCall): Reading {
    let reading = this.#callReadings.get(call);
    if (reading === undefined) {
      const action = { name: call.name, arguments: call.arguments ?? {} };
      reading = readStep(this.#parts.knowledge, null, { action });
      this.#callReadings.set(call, reading);
    }
    return reading;
  }

  /** @returns the number of the place; -1 if there are too many */
  #add(place: Place): number {
    const key = keyOf(place.tuples, place.now);
    let number = this.#numbers.get(key);
    if (number !== undefined) return number;
    if (this.places.length >= this.#parts.limits.places) {
      this.isCut = true;
      return -1;
    }
    number = this.places.push(place) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

function callsTo(
  n: number,
  before: ReadonlyMap<number, { readonly from: number; readonly call: AskedCall }>,
): AskedCall[] {
  const calls: AskedCall[] = [];
  for (let last = before.get(n); last !== undefined; last = before.get(last.from)) calls.unshift(last.call);
  return calls;
}

function situationOf({ tuples, broken, apart, history, step, now, read }: Situation): Situation {
  return { tuples, broken, apart, history, step, now, read };
}

function keyOf(tuples: readonly Tuple[], { valuation, known }: Reading): string {
  return `${tuples
    .map((tuple) => tuple.join())
    .sort()
    .join(';')}|${known.map((word, w) => word & valuation[w]).join()}|${known.join()}`;
}
