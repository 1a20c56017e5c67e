import { type ComparedTrace, type Demand, shortestTrace } from '../../languages/automaton/compare/index.js';
import { buildAutomaton } from '../../languages/automaton/index.js';
import type { Formula } from '../../languages/logic/index.js';

/** Lengths that are tried one by one for rules that share no predicate, beyond that of their shortest runs. */
const LENGTHS = 8;

/**
 * The shortest run that meets all demands, with the fewest true predicates; null if there is none. Demands that share no predicate have only the length of the
 * run in common, so each group of those that do is asked by itself, and their runs are laid side by side.
 *
 * @throws NotSupportedError, with the sizes, if it takes more than `maxTuples` tuples of states
 */
export function runOf(demands: readonly Demand[], maxTuples: number): ComparedTrace | null {
  const groups = connected(demands, ({ automaton }) => automaton.predicates);
  if (groups.length < 2) return shortestTrace(demands, maxTuples);
  const shortest = groups.map((group) => shortestTrace(group, maxTuples));
  const found = shortest.filter((trace) => trace !== null);
  if (found.length < groups.length) return null;
  const least = Math.max(...found.map((trace) => trace.length));
  for (let length = least; length < least + LENGTHS; length++) {
    const runs = found.map((trace, i) =>
      trace.length === length
        ? trace
        : shortestTrace(
            [...groups[i], { automaton: buildAutomaton(ofLength(length)), accepts: true }],
            maxTuples,
          ),
    );
    if (runs.every((run) => run !== null)) return sideBySide(runs, length);
  }
  return shortestTrace(demands, maxTuples);
}

/** Items in groups such that those of different groups share no predicate. */
export function connected<Item>(
  items: readonly Item[],
  predicatesOf: (item: Item) => readonly string[],
): Item[][] {
  let groups: { readonly members: Item[]; readonly names: Set<string> }[] = [];
  for (const item of items) {
    const names = predicatesOf(item);
    const met = groups.filter((group) => names.some((name) => group.names.has(name)));
    groups = [
      ...groups.filter((group) => !met.includes(group)),
      {
        members: [...met.flatMap(({ members }) => members), item],
        names: new Set([...met.flatMap((group) => [...group.names]), ...names]),
      },
    ];
  }
  return groups.map(({ members }) => members);
}

function sideBySide(runs: readonly ComparedTrace[], length: number): ComparedTrace {
  return Array.from({ length }, (_, step) => Object.assign({}, ...runs.map((run) => run[step])));
}

/** The formula of the runs of a number of steps. */
function ofLength(steps: number): Formula {
  const place = { offset: 0, line: 1, column: 1 };
  let formula: Formula = {
    kind: 'unary',
    operator: 'WX',
    operand: { kind: 'constant', value: false, place },
    window: null,
    place,
  };
  for (let i = 1; i < steps; i++)
    formula = { kind: 'unary', operator: 'X', operand: formula, window: null, place };
  return formula;
}
