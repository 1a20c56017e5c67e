import { NotSupportedError } from '../../base/errors.js';
import {
  type Count,
  children,
  type Formula,
  isBoolean,
  strongForm,
  type Temporal,
  type Window,
  windowInSteps,
} from '../../languages/logic/index.js';

/**
 * A formula in few operators: every part without temporal operators is a leaf, except implications, and the rest consists of strong operators that demand the
 * existence of something. `G p` becomes `!(F !p)`, `WX p` becomes `!(X !p)`, `p R q` becomes `!(!p U !q)`, and so on. One object is one part, wherever it occurs.
 */
export type Core = { readonly id: number } & (
  | { readonly kind: 'boolean'; readonly formula: Formula }
  | { readonly kind: 'not'; readonly operand: Core }
  | { readonly kind: 'and' | 'or'; readonly left: Core; readonly right: Core }
  | { readonly kind: 'next' | 'previous'; readonly operand: Core }
  | ({ readonly kind: 'until' } & Span)
  | ({ readonly kind: 'since' } & Span)
  | Tally
);

/** A count as it was written, over its window in steps. */
export interface Tally extends Pick<Count, 'operator' | 'times' | 'window'> {
  readonly kind: 'count';
  readonly operand: Core;
  readonly from: number;
  readonly to: number | null;
}

/** `left U[from,to] right`, or S; `left` null is true. */
export interface Span {
  readonly left: Core | null;
  readonly right: Core;
  /** In steps. */
  readonly from: number;
  /** In steps; null is unbounded. */
  readonly to: number | null;
  /** The window as it was written. */
  readonly window: Window | null;
  /** Set if the part is the negation of `left W right` over these operands. */
  readonly weak: { readonly left: Core; readonly right: Core } | null;
}

/** The parts of a formula, operands before the operators on them; the last one is the formula. */
export function coreOf(formula: Formula, samplingPeriod?: number | string): readonly Core[] {
  const builder = new Builder(samplingPeriod);
  const root = builder.of(formula);
  return builder.parts.slice(0, root.id + 1);
}

/** Whether an explanation names a part as a whole. Among several implications it names the one that failed. */
function isLeaf(formula: Formula): boolean {
  const hasImplication = (part: Formula): boolean =>
    part.kind === 'implies' || children(part).some(hasImplication);
  return isBoolean(formula) && !hasImplication(formula);
}

class Builder {
  readonly parts: Core[] = [];
  readonly #samplingPeriod: number | string | undefined;

  constructor(samplingPeriod: number | string | undefined) {
    this.#samplingPeriod = samplingPeriod;
  }

  of(formula: Formula): Core {
    switch (formula.kind) {
      case 'not':
        return this.#not(this.of(formula.operand));
      case 'implies':
        // Even if both sides are Boolean: the fact that one held and the other did not says more than the value of both together.
        return this.#add({
          kind: 'or',
          left: this.#not(this.of(formula.left)),
          right: this.of(formula.right),
        });
      case 'and':
      case 'or':
        if (isLeaf(formula)) break;
        return this.#add({ kind: formula.kind, left: this.of(formula.left), right: this.of(formula.right) });
      case 'iff': {
        if (isLeaf(formula)) break;
        const left = this.of(formula.left);
        const right = this.of(formula.right);
        return this.#add({
          kind: 'or',
          left: this.#add({ kind: 'and', left, right }),
          right: this.#add({ kind: 'and', left: this.#not(left), right: this.#not(right) }),
        });
      }
      case 'unary':
      case 'binary':
        return this.#temporal(formula);
      case 'count': {
        const { kind, operator, times, window } = formula;
        const operand = this.of(formula.operand);
        const steps = windowInSteps(window, this.#samplingPeriod);
        return this.#add({ kind, operator, times, window, operand, ...steps });
      }
      case 'probability':
        throw new NotSupportedError('P[ ] has no verdict on a single trace; explain the formula inside it');
    }
    return this.#add({ kind: 'boolean', formula });
  }

  #temporal(formula: Temporal): Core {
    const { kind, left, right, window, negated } = strongForm(formula);
    let strong: Core;
    if (kind === 'next' || kind === 'previous') strong = this.#add({ kind, operand: this.of(right) });
    else if (formula.kind === 'binary' && formula.operator === 'W') strong = this.#breachOf(formula);
    else strong = this.#span(kind, left && this.of(left), this.of(right), window);
    return negated ? this.#not(strong) : strong;
  }

  /** The breach of `left W right`. The first step without both counts: `left` is not required before it, except in a window that begins later. */
  #breachOf(formula: Formula & { kind: 'binary' }): Core {
    const { window } = formula;
    const left = this.of(formula.left);
    const right = this.of(formula.right);
    const notRight = this.#not(right);
    const breaks = this.#add({ kind: 'and', left: this.#not(left), right: notRight });
    const atOnce = windowInSteps(window, this.#samplingPeriod).from === 0;
    const lasts = atOnce ? notRight : this.#add({ kind: 'and', left, right: notRight });
    return this.#span('until', lasts, breaks, window, { left, right });
  }

  #not(operand: Core): Core {
    return operand.kind === 'not' ? operand.operand : this.#add({ kind: 'not', operand });
  }

  #span(
    kind: 'until' | 'since',
    left: Core | null,
    right: Core,
    window: Window | null,
    weak: Span['weak'] = null,
  ): Core {
    return this.#add({ kind, left, right, window, weak, ...windowInSteps(window, this.#samplingPeriod) });
  }

  #add(part: CoreWithoutId): Core {
    const core = { ...part, id: this.parts.length } as Core;
    this.parts.push(core);
    return core;
  }
}

type CoreWithoutId = Core extends infer T ? (T extends Core ? Omit<T, 'id'> : never) : never;
