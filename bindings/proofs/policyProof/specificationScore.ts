import type { Expression } from '../../languages/expression/index.js';
import type { Inputs } from '../../languages/inputs/index.js';
import type { Policy } from '../../runtime/policy/index.js';
import {
  type Assignment,
  Decider,
  type DeciderOptions,
  holds,
  substituted,
} from '../../solvers/decide/index.js';
import type { Claim } from '../../solvers/recheck/index.js';
import { all, any, type Conditions, isTrue, not, permits } from './claims.js';
import { type Mutant, mutantsOf } from './mutants.js';

/** How many slips in a policy its properties and examples would notice. */
export interface SpecificationScore {
  /** Changed policies that decide some call otherwise. */
  readonly mutants: number;
  /** Those of which a property or an example is not so. */
  readonly noticed: number;
  /** Those of which that is not known. */
  readonly unproved: number;
}

/** A changed policy that has all properties and decides all examples as expected, and a call that it decides otherwise. */
export interface Survivor {
  readonly change: string;
  readonly input: Assignment;
  /** Whether the changed policy permits it. */
  readonly isPermitted: boolean;
}

/** What a specification says of a policy. */
export interface Said {
  readonly inputs: Inputs;
  readonly policy: Policy;
  readonly conditions: Conditions;
  /** What is required of inputs. */
  readonly given: Claim;
  readonly properties: readonly Expression[];
  readonly examples: readonly { readonly input: Assignment; readonly isPermitted: boolean }[];
  /** Inputs that are tried first. */
  readonly known: readonly Assignment[];
  /** The name in properties for whether the call is permitted. */
  readonly permitted: string;
}

/**
 * Judges a specification by the slips that it would notice: policies with one change each must break a property or an example, or decide every call as before.
 *
 * @see R. A. DeMillo, R. J. Lipton, F. G. Sayward, Hints on test data selection, 1978, doi:10.1109/C-M.1978.218136
 */
export function scoreOf(
  said: Said,
  options: DeciderOptions,
): { readonly score: SpecificationScore; readonly survivors: readonly Survivor[] } {
  const survivors: Survivor[] = [];
  let [mutants, noticed, unproved] = [0, 0, 0];
  for (const mutant of mutantsOf(said.policy, said.conditions)) {
    const judged = judge(mutant, said, options);
    if (judged === 'equivalent') continue;
    mutants++;
    if (judged === 'noticed') noticed++;
    else if (judged === 'unproved') unproved++;
    else survivors.push(judged);
  }
  return { score: { mutants, noticed, unproved }, survivors };
}

function judge(
  { change, conditions }: Mutant,
  { inputs, conditions: original, given, properties, examples, known, permitted }: Said,
  options: DeciderOptions,
): 'equivalent' | 'noticed' | 'unproved' | Survivor {
  const [is, was] = [conditions, original].map((one) => all(given, permits(one)));
  if (examples.some(({ input, isPermitted }) => holds(is, input) !== isPermitted)) return 'noticed';
  const brokenBy = (decides: Claim): Claim =>
    any(
      ...properties.flatMap((property) => [
        all(decides, not(isTrue(substituted(property, permitted, true)))),
        all(not(decides), not(isTrue(substituted(property, permitted, false)))),
      ]),
    );
  const broken = brokenBy(is);
  if (known.some((input) => holds(broken, input))) return 'noticed';
  const decider = new Decider(inputs, options);
  const breaks = decider.find(broken);
  if (breaks.kind === 'some') return 'noticed';
  const added = decider.find(all(is, not(was)));
  const lost = added.kind === 'some' ? added : decider.find(all(was, not(is)));
  if (lost.kind === 'some' && breaks.kind === 'none')
    return { change, input: lost.input, isPermitted: added.kind === 'some' };
  return added.kind === 'none' && lost.kind === 'none' ? 'equivalent' : 'unproved';
}
