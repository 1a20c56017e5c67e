import type { Reading } from './beliefs.js';

/** A call that a question is about. */
export interface AskedCall {
  readonly name: string;
  /** Default: none. */
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** What the specification declares that calls require and do. */
export interface Moves {
  /** All calls that there are; those of tools whose arguments have no listed values are left out. */
  readonly calls: readonly AskedCall[];
  /** Whether anything is declared of the tool. */
  knows(name: string): boolean;
  /** The declared arguments of the tool, with their values; null where those are not listed. */
  argumentsOf(name: string): Readonly<Record<string, readonly unknown[] | null>>;
  /** Whether the call can be made: undefined if that depends on what is not known. */
  requires(call: AskedCall, before: Reading): boolean | undefined;
  /** What it requires, as text; null if nothing. */
  requirementOf(name: string): string | null;
  /**
   * What may be read after the call, for each state that it may be made in: one list, if the state is known. The predicates that read calls are not known. A list is
   * empty if constraints exclude all that may follow; null if what follows is not known.
   */
  outcomes(call: AskedCall, before: Reading): readonly (readonly Reading[])[] | null;
}

/** The call as it may be written in code: `walk(to: bathroom)`. */
export function callText({ name, arguments: given = {} }: AskedCall): string {
  const list = Object.entries(given).map(
    ([argument, value]) => `${argument}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return list.length === 0 ? name : `${name}(${list.join(', ')})`;
}
