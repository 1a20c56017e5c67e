import type { ArgumentContract, ToolContract } from './contract.js';
import type { ValueType } from './valueType.js';

/**
 * The contract of a tool of which nothing is known: its result is private and not trusted, it reads and writes every store, it matters that it is called, everyone may
 * notice it, and its arguments must be trusted and public.
 *
 * @param known what is known all the same: the stores that there are, and the types of its arguments
 */
export function undeclared(
  name: string,
  known: {
    readonly stores?: Iterable<string>;
    readonly arguments?: Iterable<
      readonly [string, { readonly type: ValueType; readonly optional: boolean }]
    >;
    readonly result?: ValueType | undefined;
    readonly pin?: string | null;
    readonly description?: string | null;
  } = {},
): ToolContract {
  const stores = [...(known.stores ?? [])];
  return {
    name,
    pin: known.pin ?? null,
    description: known.description ?? null,
    arguments: new Map(
      [...(known.arguments ?? [])].map(([argument, typed]) => [argument, undeclaredArgument(typed)]),
    ),
    result: {
      type: known.result ?? { kind: 'any' },
      labels: [],
      integrity: 'untrusted',
      readers: null,
      parts: [],
    },
    reads: stores,
    writes: stores,
    requires: [],
    ensures: [],
    effects: [],
    endorses: [],
    pure: false,
    consequential: true,
    observable: { kind: 'everyone' },
    idempotent: false,
    asks: false,
  };
}

/** The contract of an argument of which only its type is known: it must be trusted and public. */
export function undeclaredArgument({
  type,
  optional,
}: {
  readonly type: ValueType;
  readonly optional: boolean;
}): ArgumentContract {
  return { type, optional, integrity: 'trusted', readers: { kind: 'everyone' }, sink: true };
}
