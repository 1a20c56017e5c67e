import { type Automaton, VIOLATED } from '../../languages/automaton/index.js';
import { bit } from '../../observations/abstraction/runtime/index.js';
import type { Guard } from './guard.js';

/** A deviation from what was observed is worth this much; what did not hold, but would have had to, a little more: not to do something is the easier way. */
const NOT_DONE = 1;
const DONE = 1.001;

/**
 * What was due at the last step, which broke an exact rule: the predicates that did not hold, and alone would have kept the rule if they had. None where the rule is broken by
 * something that happened.
 *
 * @returns their sentences, or their names
 */
export function dueNow({ file, rules, observation }: Guard, name: string): string[] {
  const r = file.rules.findIndex((rule) => rule.name === name);
  const { evaluation, tables, automaton } = file.rules[r] ?? {};
  if (automaton === undefined || evaluation !== 'trace' || tables !== undefined) return [];
  if (file.samplingPeriodSeconds !== null || rules[r].reason !== 'violated' || !observation.complete)
    return [];
  const names = file.predicates.map((predicate) => predicate.name);
  const held = automaton.predicates.map((one) => bit(observation.valuation, 0, names.indexOf(one)));
  const { statesBefore } = rules[r];
  const changed = statesBefore.length === 1 ? leastChange(automaton, statesBefore[0], held) : null;
  if (changed === null || changed.some((predicate) => held[predicate])) return [];
  return changed.map((predicate) => {
    const due = automaton.predicates[predicate];
    return file.words?.[due]?.holds ?? due;
  });
}

/** The predicates with other values in the nearest valuation that does not violate; null if all violate. */
function leastChange({ nodes, roots, verdict }: Automaton, state: number, held: readonly boolean[]) {
  const found = new Map<number, { readonly cost: number; readonly changed: readonly number[] } | null>();
  const visit = (
    reference: number,
  ): { readonly cost: number; readonly changed: readonly number[] } | null => {
    if (reference < 0) return verdict[-reference - 1] === VIOLATED ? null : { cost: 0, changed: [] };
    const known = found.get(reference);
    if (known !== undefined) return known;
    const predicate = nodes[3 * reference];
    const [low, high] = [visit(nodes[3 * reference + 1]), visit(nodes[3 * reference + 2])];
    const [same, other] = held[predicate] ? [high, low] : [low, high];
    const price = held[predicate] ? NOT_DONE : DONE;
    const turned = other && { cost: other.cost + price, changed: [...other.changed, predicate] };
    const best = same === null || (turned !== null && turned.cost < same.cost) ? turned : same;
    found.set(reference, best);
    return best;
  };
  return visit(roots[state])?.changed ?? null;
}
