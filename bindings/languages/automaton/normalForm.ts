import { NotSupportedError } from '../../base/errors.js';
import {
  allowedCounts,
  type Count,
  type Formula,
  isBoolean,
  isOfPast,
  printFormula,
  type StepWindow,
  strongForm,
  type Temporal,
  windowInSteps,
} from '../logic/index.js';
import { Combination, type DecisionDiagram, FALSE_LEAF, leaf, TRUE_LEAF } from './decisionDiagram.js';
import type { Effort } from './effort.js';
import { SequenceTable } from './sequenceTable.js';

/** A formula in normal form, by its number in `NormalForms`. */
export type Term = number;

/**
 * The nodes of the normal form, with negation only inside guards. `until` and `since` are `left U[from,to] right` and
 * `left S[from,to] right`, false if the trace ends or begins too early; `release` and `trigger` are their duals, true in that case. `next`
 * is X if it is strong, else WX; `F p` is `true U p`, `Y p` is `true S[1,1] p`, and so on. `count` says of the number of positions in its
 * window of the past that it is from `least` to `most`, or that it is not.
 */
export type TermNode =
  | { readonly kind: 'guard'; readonly root: number }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Term[] }
  | { readonly kind: 'next'; readonly strong: boolean; readonly operand: Term }
  | CountNode
  | ModalNode;

export interface CountNode {
  readonly kind: 'count';
  readonly operand: Term;
  readonly from: number;
  readonly to: number | null;
  readonly least: number;
  readonly most: number | null;
  readonly negated: boolean;
}

export interface ModalNode {
  readonly kind: 'until' | 'release' | 'since' | 'trigger';
  readonly left: Term;
  readonly right: Term;
  readonly from: number;
  readonly to: number | null;
}

type Modality = ModalNode['kind'];

const dual = { until: 'release', release: 'until', since: 'trigger', trigger: 'since' } as const;
const isEventual = (kind: Modality): boolean => kind === 'until' || kind === 'since';

/** Terms 0 and 1 are the constants, like leaves 0 and 1 of a decision diagram. */
export const FALSE_TERM: Term = FALSE_LEAF;
export const TRUE_TERM: Term = TRUE_LEAF;

/**
 * Formulas in normal form over Boolean functions of the predicates. Each is stored once, so equal formulas have the same number. They are
 * simplified on creation, only by equivalences on finite traces, so that conjunctions move outwards (`G (a & b)` is `(G a) & (G b)`) and
 * nested windows merge (`F[0,2] F[1,3] a` is `F[1,5] a`).
 */
export class NormalForms {
  readonly #nodes: TermNode[] = [];
  readonly #numbers = new SequenceTable();
  readonly #both: Combination;
  readonly #either: Combination;
  readonly #variables: ReadonlyMap<string, number>;
  readonly #samplingPeriod: number | string | undefined;

  constructor(
    readonly diagram: DecisionDiagram,
    variables: ReadonlyMap<string, number>,
    samplingPeriod: number | string | undefined,
    readonly effort: Effort,
  ) {
    this.#variables = variables;
    this.#samplingPeriod = samplingPeriod;
    this.#both = new Combination(diagram, (a, b) => a & b);
    this.#either = new Combination(diagram, (a, b) => a | b);
    this.#guard(leaf(FALSE_LEAF));
    this.#guard(leaf(TRUE_LEAF));
  }

  node(term: Term): TermNode {
    return this.#nodes[term];
  }

  /** The parts of a term, which have lower numbers. */
  partsOf(term: Term): readonly Term[] {
    const node = this.#nodes[term];
    if (node.kind === 'guard') return [];
    if ('operands' in node) return node.operands;
    return 'operand' in node ? [node.operand] : [node.left, node.right];
  }

  /**
   * Converts a formula, or its negation.
   * @throws NotSupportedError on P, inline comparisons and windows on operators that take none; InvalidArgumentError as `windowInSteps`
   */
  of(formula: Formula, negated = false): Term {
    if (isBoolean(formula)) {
      const root = this.diagram.boolean(formula, this.#variables);
      return this.#guard(negated ? this.diagram.not(root) : root);
    }
    switch (formula.kind) {
      case 'not':
        return this.of(formula.operand, !negated);
      case 'and':
      case 'or':
      case 'implies': {
        const operands = [
          this.of(formula.left, negated !== (formula.kind === 'implies')),
          this.of(formula.right, negated),
        ];
        return (formula.kind === 'and') !== negated ? this.and(operands) : this.or(operands);
      }
      case 'iff': {
        // a <-> b is (a -> b) & (b -> a); its negation (a | b) & (!a | !b).
        const one = this.or([this.of(formula.left, !negated), this.of(formula.right, false)]);
        const other = this.or([this.of(formula.left, negated), this.of(formula.right, true)]);
        return this.and([one, other]);
      }
      case 'unary':
      case 'binary':
        return this.#temporal(formula, negated);
      case 'count':
        return this.#count(formula, negated);
      default:
        throw new NotSupportedError(
          `${printFormula(formula)} is not a rule about a trace: probabilities are asked of a model, and inline comparisons become predicates by deriveAbstraction`,
        );
    }
  }

  #temporal(formula: Temporal, negated: boolean): Term {
    const { kind, left, right, ...form } = strongForm(formula);
    const dualised = negated !== form.negated;
    const operand = this.of(right, dualised);
    if (kind === 'next') return this.#add({ kind, strong: !dualised, operand });
    const mode = kind === 'until' ? kind : 'since';
    const modality = dualised ? dual[mode] : mode;
    if (kind === 'previous') return this.#alone(modality, operand, { from: 1, to: 1 });
    const window = this.#window(formula);
    if (left === null) return this.#alone(modality, operand, window);
    return this.modality(modality, this.of(left, dualised), operand, window);
  }

  /** @throws NotSupportedError if the operand reads what is still to come, or the bound is larger than any automaton may be */
  #count(formula: Count, negated: boolean): Term {
    if (!isOfPast(formula.operand)) {
      throw new NotSupportedError(
        `${printFormula(formula)} counts what is still to come: its argument may have no operator of the future`,
      );
    }
    const { from, to } = this.#window(formula);
    const positions = to === null ? Infinity : to - from + 1;
    const { least, most: bound } = allowedCounts(formula);
    // A window holds no more positions than it is long.
    const most = bound === null || bound >= positions ? null : bound;
    if (least > positions || (most !== null && most < least)) return negated ? TRUE_TERM : FALSE_TERM;
    if (least === 0 && most === null) return negated ? FALSE_TERM : TRUE_TERM;
    const counted = most === null ? least : most + 1;
    if (counted >= this.effort.maxStates) {
      throw new NotSupportedError(
        `${printFormula(formula)} counts to ${counted}, and so many states its automaton would have; at most ${this.effort.maxStates} are made: compare with a smaller number`,
      );
    }
    if (least <= 1 && counted === 1) {
      const some = (least === 1) !== negated;
      return this.#alone(some ? 'since' : 'trigger', this.of(formula.operand, !some), { from, to });
    }
    const operand = this.of(formula.operand);
    if (operand === FALSE_TERM) return (least === 0) === negated ? FALSE_TERM : TRUE_TERM;
    return this.#add({ kind: 'count', operand, from, to, least, most, negated });
  }

  #window(formula: Temporal | Count): StepWindow {
    const window = windowInSteps(formula.window, this.#samplingPeriod);
    const reach = window.to ?? window.from;
    if (reach < this.effort.maxStates) return window;
    throw new NotSupportedError(
      `${printFormula(formula)} reaches ${reach} steps, and so many states and more its automaton would have; at most ${this.effort.maxStates} are made: shorten the window, or sample less often`,
    );
  }

  /** Applies `F`, `G`, `O` or `H` to a term, distributing it over a conjunction or disjunction. */
  #alone(kind: Modality, operand: Term, window: StepWindow): Term {
    const eventual = isEventual(kind);
    const inner = this.#nodes[operand];
    if (inner.kind === (eventual ? 'or' : 'and')) {
      const parts = inner.operands.map((part) => this.#alone(kind, part, window));
      return eventual ? this.or(parts) : this.and(parts);
    }
    if (inner.kind === kind && inner.left === (eventual ? TRUE_TERM : FALSE_TERM)) {
      const to = inner.to === null || window.to === null ? null : inner.to + window.to;
      return this.modality(kind, inner.left, inner.right, { from: inner.from + window.from, to });
    }
    return this.modality(kind, eventual ? TRUE_TERM : FALSE_TERM, operand, window);
  }

  modality(kind: Modality, left: Term, right: Term, { from, to }: StepWindow): Term {
    const [neutral, decisive] = isEventual(kind) ? [FALSE_TERM, TRUE_TERM] : [TRUE_TERM, FALSE_TERM];
    // a U false is always false. a U true with from > 0 is not yet true, because the trace may end earlier.
    if (right === neutral) return neutral;
    if (from === 0 && (right === decisive || left === neutral || to === 0)) return right;
    return this.#add({ kind, left, right, from, to });
  }

  and(operands: readonly Term[]): Term {
    return this.#junction('and', operands);
  }

  or(operands: readonly Term[]): Term {
    return this.#junction('or', operands);
  }

  #junction(kind: 'and' | 'or', operands: readonly Term[]): Term {
    const [neutral, decisive, combine] =
      kind === 'and' ? [TRUE_TERM, FALSE_TERM, this.#both] : [FALSE_TERM, TRUE_TERM, this.#either];
    let guard = leaf(neutral);
    const others = new Set<Term>();
    for (const operand of operands) {
      const node = this.#nodes[operand];
      for (const part of node.kind === kind ? node.operands : [operand]) {
        const inner = this.#nodes[part];
        if (inner.kind === 'guard') guard = combine.of(guard, inner.root);
        else others.add(part);
      }
    }
    if (guard === leaf(decisive)) return decisive;
    if (others.size === 0) return this.#guard(guard);
    // p | (x & y) with a guard p is (p | x) & (p | y), so that an implication's conclusions are separated.
    const [only] = others;
    const inner = this.#nodes[only];
    if (kind === 'or' && others.size === 1 && inner.kind === 'and' && guard !== leaf(neutral)) {
      const condition = this.#guard(guard);
      return this.and(inner.operands.map((part) => this.or([condition, part])));
    }
    const parts = guard === leaf(neutral) ? [...others] : [this.#guard(guard), ...others];
    if (parts.length === 1) return parts[0];
    return this.#add({ kind, operands: parts.sort((a, b) => a - b) });
  }

  #guard(root: number): Term {
    return this.#add({ kind: 'guard', root });
  }

  #add(node: TermNode): Term {
    const term = this.#numbers.add([kinds.indexOf(node.kind), ...contentOf(node)]);
    if (term === this.#nodes.length) this.#nodes.push(node);
    return term;
  }
}

const kinds: readonly TermNode['kind'][] = [
  'guard',
  'and',
  'or',
  'next',
  'count',
  'until',
  'release',
  'since',
  'trigger',
];

function contentOf(node: TermNode): readonly number[] {
  switch (node.kind) {
    case 'guard':
      return [node.root];
    case 'and':
    case 'or':
      return node.operands;
    case 'next':
      return [Number(node.strong), node.operand];
    case 'count':
      return [node.operand, node.from, node.to ?? -1, node.least, node.most ?? -1, Number(node.negated)];
    default:
      return [node.left, node.right, node.from, node.to ?? -1];
  }
}
