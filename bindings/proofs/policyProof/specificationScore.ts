import type { PolicyExample } from '../../rules/specification/index.js';
import { type Assignment, Decider, type DeciderOptions, holds } from '../../solvers/decide/index.js';
import { all, any, not, permits } from './claims.js';
import { type Mutant, mutantsOf } from './mutants.js';
import { brokenBy, type PolicyClaims } from './policyClaims.js';

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

/**
 * Judges a specification by the slips that it would notice: policies with one change each must break a property or an example, or decide every call as before.
 *
 * @param known inputs that are tried first
 * @see R. A. DeMillo, R. J. Lipton, F. G. Sayward, Hints on test data selection, 1978, doi:10.1109/C-M.1978.218136
 */
export function scoreOf(
  of: PolicyClaims,
  known: readonly Assignment[],
  options: DeciderOptions,
): { readonly score: SpecificationScore; readonly survivors: readonly Survivor[] } {
  const survivors: Survivor[] = [];
  let [mutants, noticed, unproved] = [0, 0, 0];
  for (const mutant of mutantsOf(of.policy, of.conditions)) {
    const judged = judge(mutant, of, known, options);
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
  of: PolicyClaims,
  known: readonly Assignment[],
  options: DeciderOptions,
): 'equivalent' | 'noticed' | 'unproved' | Survivor {
  const [is, was] = [all(of.given, permits(conditions)), of.permits];
  const isWrong = ({ inputs, expect }: PolicyExample): boolean => {
    const input = of.whole(inputs);
    return of.fits(input) && holds(is, input) !== (expect === 'permit');
  };
  if (of.examples.some(isWrong)) return 'noticed';
  const broken = any(...of.properties.map((property) => brokenBy(is, property)));
  if (known.some((input) => holds(broken, input))) return 'noticed';
  const decider = new Decider(of.inputs, options);
  const breaks = decider.find(broken);
  if (breaks.kind === 'some') return 'noticed';
  const added = decider.find(all(is, not(was)));
  const lost = added.kind === 'some' ? added : decider.find(all(was, not(is)));
  if (lost.kind === 'some' && breaks.kind === 'none')
    return { change, input: lost.input, isPermitted: added.kind === 'some' };
  return added.kind === 'none' && lost.kind === 'none' ? 'equivalent' : 'unproved';
}
