import type { Dtmc } from '../../solvers/model/index.js';
import type { ReportState, ReportTransition } from './reportData.js';

/** Transitions with a smaller probability, which smoothing makes by the thousand, are left out of the drawing unless something rests on them. */
const leastProbability = 0.001;

/** The transitions that a chain's drawing shows, and how many it leaves out. */
export interface DrawnTransitions {
  readonly transitions: readonly ReportTransition[];
  /** For each state, the outgoing transitions that are not drawn, and their total probability. */
  readonly notDrawn: readonly NonNullable<ReportState['notDrawn']>[];
}

/**
 * Chooses the transitions to draw: all of at least 0.001, and the rarer ones on which something rests. These are all that lead to a state
 * where the rule is broken; the largest that together carry more than half of the inflow of a state; and the largest that together make up
 * more than half of a state's risk. Only the row of `end` is ignored.
 *
 * The inflow by a transition is its probability times the number of times that its source was left in the data; if no source was ever left,
 * the probability alone.
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

/** The fewest of the largest shares that together exceed half of the total; none if the total is 0. */
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
