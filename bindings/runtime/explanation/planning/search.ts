import { NotSupportedError } from '../../../base/errors.js';
import type { DeclaredCall } from '../../../observations/effects/index.js';
import type { Move, PositionGraph } from './positionGraph.js';

/** A call on a way, and the position that it is taken to lead to. */
export interface WayStep {
  readonly call: DeclaredCall;
  readonly to: number;
}

/** A shortest way from a position to one that is asked for. */
export interface FoundWay {
  readonly steps: readonly WayStep[];
  /** Whether the calls lead to what is asked for however uncertain effects turn out, each of them permitted on the way. */
  readonly certain: boolean;
}

/** What a way may not use. */
export interface Barred {
  readonly position?: (number: number) => boolean;
  readonly call?: (call: DeclaredCall) => boolean;
}

/**
 * A shortest way, where uncertain effects turn out as one likes: breadth first. Null if there is none: all positions were looked at.
 * @throws NotSupportedError if there are too many positions
 */
export function shortestWay(
  graph: PositionGraph,
  from: number,
  isWanted: (number: number) => boolean,
  barred: Barred = {},
): readonly WayStep[] | null {
  const reached = new Map<number, { readonly from: number; readonly step: WayStep } | null>([[from, null]]);
  const wayTo = (number: number): WayStep[] => {
    const steps: WayStep[] = [];
    for (let last = reached.get(number); last; last = reached.get(last.from)) steps.unshift(last.step);
    return steps;
  };
  if (isWanted(from)) return [];
  // Iteration of a map includes entries added during the loop.
  for (const number of reached.keys())
    for (const { call, to } of graph.moves(number)) {
      if (barred.call?.(call)) continue;
      for (const next of to) {
        if (reached.has(next) || barred.position?.(next)) continue;
        reached.set(next, { from: number, step: { call, to: next } });
        if (isWanted(next)) return wayTo(next);
      }
    }
  return null;
}

/**
 * A shortest sequence of calls that leads there however uncertain effects turn out: breadth first over sets of positions. Null if there is none, or the search
 * would take more than `maxSets` sets.
 */
export function certainWay(
  graph: PositionGraph,
  from: number,
  isWanted: (number: number) => boolean,
  maxSets: number,
): readonly WayStep[] | null {
  const keyOf = (positions: readonly number[]): string => positions.join();
  const reached = new Map<
    string,
    { readonly positions: readonly number[]; readonly from: string; readonly call: DeclaredCall | null }
  >([[keyOf([from]), { positions: [from], from: '', call: null }]]);
  for (const [key, { positions }] of reached) {
    if (positions.every(isWanted)) return callsTo(key, reached);
    if (reached.size > maxSets) return null;
    let moves: readonly (readonly Move[])[];
    try {
      moves = positions.map((one) => graph.moves(one));
    } catch (error) {
      if (error instanceof NotSupportedError) return null;
      throw error;
    }
    for (const { call } of moves[0]) {
      const each = moves.map((of) => of.find((move) => move.call === call));
      if (each.includes(undefined)) continue;
      const to = [...new Set(each.flatMap((move) => (move as Move).to))].sort((a, b) => a - b);
      const next = keyOf(to);
      if (!reached.has(next)) reached.set(next, { positions: to, from: key, call });
    }
  }
  return null;
}

function callsTo(
  key: string,
  reached: ReadonlyMap<
    string,
    { readonly positions: readonly number[]; readonly from: string; readonly call: DeclaredCall | null }
  >,
): WayStep[] {
  const steps: WayStep[] = [];
  for (let last = reached.get(key); last?.call; last = reached.get(last.from))
    steps.unshift({ call: last.call, to: last.positions[0] });
  return steps;
}
