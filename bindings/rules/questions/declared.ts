import { type ActionModel, createActionModel } from '../../observations/effects/index.js';
import type { Specification } from '../specification/index.js';
import type { Reading } from './beliefs.js';
import type { Knowledge } from './knowledge.js';
import type { AskedCall, Moves } from './moves.js';

/** Unknown predicates whose values are tried; beyond them, what a call requires and does is not known. */
const TRIED = 6;

/** What a specification declares of calls; null if it declares nothing. */
export function declaredMoves(specification: Specification, knowledge: Knowledge): Moves | null {
  const { declaredActions } = specification;
  if (Object.keys(declaredActions).length === 0) return null;
  const { constraints } = specification.abstraction;
  const model = createActionModel({
    actions: declaredActions,
    predicates: knowledge.definitions,
    ...(constraints !== undefined && { constraints }),
  });
  return new DeclaredMoves(model, specification, knowledge);
}

class DeclaredMoves implements Moves {
  readonly calls: readonly AskedCall[];
  readonly #model: ActionModel;
  readonly #specification: Specification;
  readonly #knowledge: Knowledge;
  /** What is known after a call: neither what reads the next call, nor what reads the calls before. */
  readonly #known: Uint32Array;

  constructor(model: ActionModel, specification: Specification, knowledge: Knowledge) {
    this.#model = model;
    this.#specification = specification;
    this.#knowledge = knowledge;
    this.calls = model.calls.map(({ action }) => action);
    this.#known = knowledge.all.map((bits, w) => bits & ~knowledge.ofCall[w]);
    model.roles.forEach((role, i) => {
      if (role === 'history' || role === 'call') this.#known[i >>> 5] &= ~(1 << (i & 31));
    });
  }

  knows(name: string): boolean {
    return Object.hasOwn(this.#specification.declaredActions, name);
  }

  argumentsOf(name: string): Readonly<Record<string, readonly unknown[] | null>> {
    const listed = Object.entries(this.#specification.declaredActions[name]?.arguments ?? {});
    return Object.fromEntries(
      listed.map(([argument, values]) => [argument, typeof values === 'string' ? null : values]),
    );
  }

  requirementOf(name: string): string | null {
    return this.#specification.declaredActions[name]?.requires ?? null;
  }

  requires(call: AskedCall, before: Reading): boolean | undefined {
    const declared = this.#model.callOf(call);
    if (declared === null) return undefined;
    const values = this.#completions(before)?.map((valuation) => declared.executable(valuation));
    if (values === undefined) return undefined;
    return values.every((value) => value === values[0]) ? values[0] : undefined;
  }

  outcomes(call: AskedCall, before: Reading): readonly (readonly Reading[])[] | null {
    const declared = this.#model.callOf(call);
    const completions = declared === null ? null : this.#completions(before);
    if (declared === null || completions === null) return null;
    const known = this.#known;
    return completions.map((state) =>
      this.#model.outcomes(declared, state).map((valuation) => ({ valuation, known })),
    );
  }

  /** All that the state may be, as far as it is known; null if too little is. */
  #completions({ valuation, known }: Reading): Uint32Array[] | null {
    const { predicates, ofCall } = this.#knowledge;
    const open = predicates.flatMap((_, i) =>
      ((known[i >>> 5] | ofCall[i >>> 5]) & (1 << (i & 31))) === 0 ? [i] : [],
    );
    if (open.length > TRIED) return null;
    return open.reduce<Uint32Array[]>(
      (all, i) =>
        all.flatMap((one) => {
          const other = one.slice();
          other[i >>> 5] |= 1 << (i & 31);
          return [one, other];
        }),
      [valuation.map((word, w) => word & known[w] & ~ofCall[w])],
    );
  }
}
