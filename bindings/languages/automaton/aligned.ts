import { PairTable } from '../../base/pairTable.js';
import type { Automaton } from './automaton.js';
import { Combination, contentOf, type DecisionDiagram, leaf } from './decisionDiagram.js';

/** Converts an automaton's roots to a diagram whose variables are numbered as in `variables`, regardless of the automaton's own order. */
export function aligned(
  { predicates, nodes, roots }: Automaton,
  variables: readonly string[],
  diagram: DecisionDiagram,
): number[] {
  const numbers = predicates.map((name) => variables.indexOf(name));
  const branches = new PairTable();
  const both = new Combination(diagram, (low, high) => branches.add(low, high));
  const choose = new Combination(diagram, (bit, branch) =>
    bit === 1 ? branches.second(branch) : branches.first(branch),
  );
  const done: (number | undefined)[] = [];
  const of = (reference: number): number => {
    if (reference < 0) return leaf(contentOf(reference));
    return (done[reference] ??= choose.of(
      diagram.node(numbers[nodes[3 * reference]], leaf(0), leaf(1)),
      both.of(of(nodes[3 * reference + 1]), of(nodes[3 * reference + 2])),
    ));
  };
  return Array.from(roots, of);
}
