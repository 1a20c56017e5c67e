import type { WorkBudget } from '../../base/workBudget.js';

/**
 * For each reference at which paths from `root` end, the variables that are true on a path to it with the fewest of them.
 *
 * @param nodes laid out as in `Automaton.nodes`
 * @param isEnd whether a path goes no further; it must hold for leaves. Default: for leaves alone
 */
export function lightestPaths(
  nodes: ArrayLike<number>,
  root: number,
  budget: WorkBudget,
  isEnd: (reference: number) => boolean = (reference) => reference < 0,
): [reached: number, trues: readonly number[]][] {
  const order: number[] = [];
  const seen = new Set<number>();
  const visit = (reference: number): void => {
    if (seen.has(reference)) return;
    seen.add(reference);
    if (!isEnd(reference)) {
      visit(nodes[3 * reference + 1]);
      visit(nodes[3 * reference + 2]);
    }
    order.push(reference);
  };
  visit(root);
  budget.charge(order.length);
  /** Fewest true variables on the way to each reference, as a list: its last member and those before. */
  const best = new Map<number, Trues>([[root, NONE]]);
  const offer = (reference: number, way: Trues): void => {
    const known = best.get(reference);
    if (known === undefined || way.count < known.count) best.set(reference, way);
  };
  const found: [number, readonly number[]][] = [];
  // Every reference comes after all those that lead to it.
  for (let i = order.length - 1; i >= 0; i--) {
    const reference = order[i];
    const way = best.get(reference) as Trues;
    if (isEnd(reference)) {
      found.push([reference, listed(way)]);
      continue;
    }
    offer(nodes[3 * reference + 1], way);
    offer(nodes[3 * reference + 2], { count: way.count + 1, last: nodes[3 * reference], before: way });
  }
  return found;
}

interface Trues {
  readonly count: number;
  readonly last: number;
  readonly before: Trues | null;
}

const NONE: Trues = { count: 0, last: -1, before: null };

function listed(trues: Trues): number[] {
  const all: number[] = [];
  for (let rest = trues; rest.before !== null; rest = rest.before) all.unshift(rest.last);
  return all;
}
