import { InvalidArgumentError } from '../../base/errors.js';

/** Names that expressions and learnt models reserve. */
const RESERVED = new Set([
  'start',
  'end',
  'phase',
  'init',
  'initial',
  'deadlock',
  'time',
  'action',
  'true',
  'false',
  'null',
  'in',
]);

/** Checks the name of a predicate. @throws InvalidArgumentError if `name` cannot name a predicate. */
export function checkPredicateName(name: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new InvalidArgumentError(
      `predicate "${name}": a name is a letter or _, followed by letters, digits and _`,
    );
  }
  if (RESERVED.has(name)) {
    throw new InvalidArgumentError(
      `predicate "${name}": this name is reserved (${[...RESERVED].join(', ')}); choose another`,
    );
  }
}

/** Checks the names of predicates. @throws InvalidArgumentError also if a name occurs twice. */
export function checkPredicateNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    checkPredicateName(name);
    if (seen.has(name)) throw new InvalidArgumentError(`predicate "${name}" is defined twice`);
    seen.add(name);
  }
}
