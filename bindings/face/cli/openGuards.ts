import { InvalidArgumentError } from '../../base/errors.js';
import { requireVerified } from '../../proofs/policyProof/index.js';
import { compileRules, type Specification } from '../../rules/specification/index.js';
import { type Guard, loadGuard } from '../../runtime/guard/index.js';
import { loadSpecification, readText } from './inputs.js';

/** What judges calls: a guard file, a specification whose rules are enforced without a model, or both. */
export interface GuardSource {
  readonly guard?: string;
  readonly spec?: string;
}

/**
 * Opens the guards of a guard file and of the rules of a specification, in this order.
 *
 * @param onNote if given, policies of the specification are verified, and it is told what is unproved: they are to guard
 * @param beside receives the scripts that the specification names, as they were read
 * @throws InvalidArgumentError if neither is given; as the readers of both
 */
export async function openGuards(
  { guard, spec }: GuardSource,
  onNote?: (text: string) => void,
  beside?: Map<string, string | null>,
): Promise<readonly Guard[]> {
  if (guard === undefined && spec === undefined) {
    throw new InvalidArgumentError(
      'give --spec FILE, a specification whose rules are enforced without a model, --guard FILE, a guard that foreguard compile wrote, or both',
    );
  }
  const guards: Guard[] = [];
  if (guard !== undefined)
    guards.push(await loadGuard(await readText(guard, 'a guard, as foreguard compile writes it')));
  if (guards.some(({ file }) => file.policies?.unproved === 'report'))
    onNote?.(`${guard}: policies guard of which not all need be proved (unproved: report)`);
  if (spec !== undefined)
    guards.push(await loadGuard(compileRules(await specificationOf(spec, onNote, beside))));
  return guards;
}

async function specificationOf(
  spec: string,
  onNote?: (text: string) => void,
  beside?: Map<string, string | null>,
): Promise<Specification> {
  const specification = await loadSpecification(spec, beside);
  if (onNote !== undefined && specification.policies !== null)
    await requireVerified(specification.policies, onNote);
  return specification;
}
