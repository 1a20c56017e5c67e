import type { Formula } from '../logic/index.js';
import type { Automaton } from './automaton.js';
import { buildAutomaton } from './buildAutomaton.js';
import { bindAutomaton } from './stepper.js';

/**
 * Whether a run satisfies a formula, or is accepted by its automaton, at a strong end. A predicate that a step does not have is false there.
 *
 * @param options.samplingPeriod seconds between steps, for windows in time; default: such windows are refused
 */
export function allows(
  rule: Formula | Automaton,
  trace: readonly Readonly<Record<string, boolean>>[],
  options: { readonly samplingPeriod?: number | string | null } = {},
): boolean {
  const automaton = 'roots' in rule ? rule : buildAutomaton(rule, options);
  const names = automaton.predicates;
  const stepper = bindAutomaton(automaton, names);
  const words = new Uint32Array(Math.max(1, Math.ceil(names.length / 32)));
  let state = automaton.initial;
  for (const step of trace) {
    words.fill(0);
    names.forEach((name, bit) => {
      if (step[name] === true) words[bit >> 5] |= 1 << (bit & 31);
    });
    state = stepper.step(state, words);
  }
  return automaton.accepting[state] === 1;
}
