import { ForeguardError } from '../../base/errors.js';
import { type Expression, freePaths, parseExpression } from '../../languages/expression/index.js';
import { type Claim, Decider, rename } from '../../solvers/decide/index.js';
import { flatExpression, flatTypes } from './flatRecords.js';
import { inputsOf } from './inputsOf.js';
import type { ValueType } from './valueType.js';

/** Steps for one question about a contract: reading a file takes no longer for hard conditions. */
const STEPS = 2_000_000;

/** The values that a condition reads, by name. */
export type Typed = ReadonlyMap<string, { readonly type: ValueType; readonly optional: boolean }>;

/**
 * Whether it is proved that no values of these types make all conditions true.
 *
 * Only values whose type a decider reads count; a condition that reads others is taken to be possible.
 */
export function neverHold(conditions: readonly Expression[], types: Typed): boolean {
  return isImpossible(conditions, types, (claims) => claims);
}

/** Whether it is proved that all values of these types make a condition true. */
export function alwaysHolds(condition: Expression, types: Typed): boolean {
  return isImpossible([condition], types, (claims) => [{ kind: 'not', of: { kind: 'and', of: claims } }]);
}

function isImpossible(
  given: readonly Expression[],
  typed: Typed,
  claimed: (claims: readonly Claim[]) => readonly Claim[],
): boolean {
  const types = flatTypes(typed);
  const conditions = given.map((condition) => flatExpression(condition, types));
  const inputs = inputsOf(types);
  const read = [...new Set(conditions.flatMap(namesRead))];
  if (!read.every((name) => Object.hasOwn(inputs, name))) return false;
  const facts = read.flatMap((name) => factsOf(name, types.get(name)!.type));
  const claims = conditions.map((of): Claim => ({ kind: 'is', values: ['true'], of }));
  try {
    return (
      new Decider(inputs, { steps: STEPS }).find({ kind: 'and', of: [...facts, ...claimed(claims)] }).kind ===
      'none'
    );
  } catch (error) {
    // What cannot be asked, such as a pattern without the engine that reads it, is not proved.
    if (error instanceof ForeguardError) return false;
    throw error;
  }
}

/** Functions that have a value exactly of the texts of a format. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  email: ['domainOf(X) == ""'],
  url: ['hostOf(X) == ""'],
  path: ['isUnder(X, "/")', 'isUnder(X, ".")'],
};

/**
 * What the format of a text says of it, for a decider whose inputs know no formats: that the function which reads such texts has a value. An absent value is of
 * no format.
 */
export function factsOf(name: string, type: ValueType): Claim[] {
  if (type.kind !== 'text' || type.format === undefined || !Object.hasOwn(READERS, type.format)) return [];
  const is = (source: string, values: readonly ('true' | 'false')[]): Claim => {
    const { name: of, root } = parseExpression(source);
    return { kind: 'is', values, of: { name: of, root: rename(root, 'X', name) } };
  };
  const readable = READERS[type.format].map((source) => is(source, ['true', 'false']));
  return [{ kind: 'or', of: [...readable, is('X == null', ['true'])] }];
}

/** The names that a condition with flat records reads: one with dots is a name as well. */
function namesRead(condition: Expression): string[] {
  return freePaths(condition).map(({ path }) => path);
}
