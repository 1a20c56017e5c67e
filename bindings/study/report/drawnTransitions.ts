import type { Dtmc } from '../../solvers/model/index.js';
import type { ReportState, ReportTransition } from './reportData.js';

/** Rarer transitions, which smoothing makes by the thousand, are left out of the drawing unless something rests on them. */
const leastProbability = 0.001;

/** What a chain's drawing shows, and how much it leaves out. */
export interface DrawnTransitions {
  readonly transitions: readonly ReportTransition[];
  /** Per state, the transitions that lead away from it and are not drawn, and their probability together. */
  readonly notDrawn: readonly NonNullable<ReportState['notDrawn']>[];
}

/**
 * Chooses the transitions to draw: all of at least 0.001, and of the rarer ones those that something rests on. These are all that lead to a state where
 * the rule is broken; the largest that together carry more than half of what comes to a state; and the largest that together make more than
 * half of a state's risk. Only the row of `end` is nobody's.
 *
 * What comes to a state by a transition is the probability times the number of times that its source was left in the data; where no source
 * ever was, the probability alone.
 */
export function drawnTransitions(model: Dtmc, states: readonly ReportState[]): DrawnTransitions {
  const { rowStart, columns, values } = model;
  const last = model.states - 1;
  const entries = rowStart[last];
  const sources = new Uint32Array(entries);
  for (let from = 0; from < last; from++) sources.fill(from, rowStart[from], rowStart[from + 1]);
  const reasons = new Map<number, NonNullable<ReportTransition['carries']>>();

  const outgoing = Array.from({ length: last }, (_, from) => range(rowStart[from], rowStart[from + 1]));
  for (const row of outgoing) {
    const risk = (e: number): number => values[e] * (states[columns[e]].risk?.upper ?? 0);
    for (const e of carriers(
      row.filter((e) => columns[e] !== sources[e]),
      risk,
    ))
      reasons.set(e, 'risk');
  }

  const incoming: number[][] = Array.from({ length: model.states }, () => []);
  for (let e = 0; e < entries; e++) if (columns[e] !== sources[e]) incoming[columns[e]].push(e);
  for (const into of incoming) {
    const wasLeft = into.some((e) => states[sources[e]].draws > 0);
    const flow = (e: number): number => values[e] * (wasLeft ? states[sources[e]].draws : 1);
    for (const e of carriers(into, flow)) reasons.set(e, 'inflow');
  }

  for (let e = 0; e < entries; e++) if (states[columns[e]].violated) reasons.set(e, 'violation');

  const transitions: ReportTransition[] = [];
  const notDrawn = Array.from({ length: model.states }, () => ({ transitions: 0, probability: 0 }));
  for (let e = 0; e < entries; e++) {
    const [from, to, probability, carries] = [sources[e], columns[e], values[e], reasons.get(e)];
    if (probability >= leastProbability || carries !== undefined)
      transitions.push({ from, to, probability, ...(carries && { carries }) });
    else {
      notDrawn[from].transitions++;
      notDrawn[from].probability += probability;
    }
  }
  return { transitions, notDrawn };
}

/** The fewest of the largest shares that together are more than half of all; none of nothing. */
function carriers(entries: readonly number[], share: (entry: number) => number): number[] {
  const all = entries.reduce((sum, e) => sum + share(e), 0);
  if (all === 0) return [];
  let carried = 0;
  const found: number[] = [];
  for (const e of [...entries].sort((a, b) => share(b) - share(a))) {
    if (carried > all / 2) break;
    carried += share(e);
    found.push(e);
  }
  return found;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
