import { InvalidArgumentError } from '../../base/errors.js';
import { requireVerified } from '../../proofs/policyProof/index.js';
import { compileRules, judgesBeside, type Specification } from '../../rules/specification/index.js';
import { type Guard, type Judge, loadGuard } from '../../runtime/guard/index.js';
import { loadSpecification, readText } from './inputs.js';

/** What judges calls: a guard file, a specification whose rules are enforced without a model, or both. */
export interface GuardSource {
  readonly guard?: string;
  readonly spec?: string;
}

/** What judges calls, opened. */
export interface OpenedGuards {
  readonly guards: readonly Guard[];
  /** The judges of the specification that stand beside the guards. */
  readonly beside: readonly Judge[];
  readonly specification: Specification | null;
}

/**
 * Opens the guards of a guard file and of the rules of a specification, in this order.
 *
 * @param onNote if given, policies of the specification are verified, and it is told what is unproved: they are to guard
 * @param beside receives the scripts that the specification names, as they were read
 * @throws InvalidArgumentError if neither is given; as the readers of both
 */
export async function openGuards(
  source: GuardSource,
  onNote?: (text: string) => void,
  beside?: Map<string, string | null>,
): Promise<OpenedGuards> {
  const { guard, spec } = source;
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
  const specification = spec === undefined ? null : await specificationOf(spec, onNote, beside);
  if (specification !== null) guards.push(await loadGuard(compileRules(specification)));
  return { guards, beside: specification === null ? [] : judgesBeside(specification), specification };
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
