import { InvalidArgumentError } from '../../base/errors.js';
import { compileRules } from '../../rules/specification/index.js';
import { type Guard, loadGuard } from '../../runtime/guard/index.js';
import { loadSpecification, readText } from './inputs.js';

/** A guard file, or a specification whose rules are enforced without a model. */
export interface GuardSource {
  readonly guard?: string;
  readonly spec?: string;
}

/**
 * Opens the guard of a guard file, or of the rules of a specification alone.
 *
 * @throws InvalidArgumentError unless one of the two is given; as the readers of both
 */
export async function openGuard({ guard, spec }: GuardSource): Promise<Guard> {
  if ((guard === undefined) === (spec === undefined)) {
    throw new InvalidArgumentError(
      'give either --guard FILE, a guard that foreguard compile wrote, or --spec FILE, a specification whose rules are enforced without a model',
    );
  }
  if (spec !== undefined) return loadGuard(compileRules(await loadSpecification(spec)));
  return loadGuard(await readText(guard as string, 'a guard, as foreguard compile writes it'));
}
