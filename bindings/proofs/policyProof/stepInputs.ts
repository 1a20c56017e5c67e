import {
  checkPredicate,
  type Expression,
  type ExpressionNode,
  type FieldsSchema,
  freeNames,
  type NodeOf,
} from '../../languages/expression/index.js';
import type { Inputs } from '../../languages/inputs/index.js';
import { schemaOf } from '../../rules/specification/index.js';
import type { Policy, PolicyInput, PolicySet } from '../../runtime/policy/index.js';
import { SameOrder } from '../../solvers/decide/index.js';
import type { Claim } from '../../solvers/recheck/index.js';
import { all, any, conditionOf, isTrue, permits } from './claims.js';

/** A predicate over the steps of runs, or over the arguments of calls. */
export interface StepPredicate {
  readonly parsed: Expression;
  /** What its names are: fields of the state, `action` and `time`; or arguments of the call. */
  readonly of: 'step' | 'arguments';
}

/** Which values of a predicate a claim is about. `true` and `false`: it has this value, or none. */
type Values = readonly ('true' | 'false' | 'none')[];

/**
 * The calls of one tool that policies permit, as a claim over their inputs, and what predicates over steps say of such calls.
 *
 * A predicate reads the state, the action and its arguments; policies read inputs, which come from there. What a predicate reads of places that no input has may be
 * anything; so may all of it where an input that it reads is absent, which policies and predicates take differently. So these claims leave out no call.
 */
export class StepInputs {
  /** The inputs of permitted calls. */
  readonly inputs: Inputs;
  /** That the policies of the tool permit the call. */
  readonly permits: Claim;
  readonly #tool: string | null;
  readonly #places: ReadonlyMap<string, PolicyInput>;
  readonly #same: SameOrder;
  readonly #followed: ReadonlyMap<string, Expression>;

  /**
   * @param tool null: any that no policy decides, whose name is not known
   * @param counters inputs that every call has, and predicates may read, beside those of policies. Default: none
   */
  constructor(
    set: PolicySet,
    tool: string | null,
    predicates: ReadonlyMap<string, StepPredicate>,
    counters: readonly PolicyInput[] = [],
  ) {
    const policies = set.policies.filter(({ tools }) => tool !== null && tools.includes(tool));
    const read = new Set([...policies.flatMap(({ reads }) => reads), ...counters.map(({ name }) => name)]);
    // Nothing looks at the inputs of calls that no policy decides.
    const known = policies.length === 0 ? counters : [...set.inputs, ...counters];
    this.#tool = tool;
    this.#places = new Map(known.map((input) => [input.from, input]));
    this.inputs = Object.fromEntries(
      known.map((input) => [input.name, { ...input, optional: isAbsent(input, read) }]),
    );
    const schema: FieldsSchema = Object.fromEntries(known.map(({ name, type }) => [name, schemaOf(type)]));
    const written = [...predicates].flatMap(([name, predicate]): [string, Expression][] => {
      const found = this.#translated(predicate, schema);
      return found === null ? [] : [[name, found]];
    });
    const conditions = policies.flatMap(({ permit, forbid, requires }) =>
      [...permit, ...forbid, ...(requires === null ? [] : [requires])].map(conditionOf),
    );
    this.#same = new SameOrder(this.inputs, [...conditions, ...written.map(([, parsed]) => parsed)]);
    this.#followed = new Map(written.map(([name, parsed]) => [name, this.#same.of(parsed)]));
    const isCovered = policies.length > 0 || set.uncoveredTools === 'permit';
    this.permits = isCovered
      ? all(...policies.map((one) => this.#permitsOf(one)), this.#named(known))
      : any();
  }

  /** Whether anything is known of a predicate; else its claims are true of every call. */
  follows(predicate: string): boolean {
    return this.#followed.has(predicate);
  }

  /** That a predicate has one of these values, or may have. @param isLikely leaves out that an absent input may give it any value: for examples, which are run */
  claim(predicate: string, values: Values, isLikely = false): Claim {
    const parsed = this.#followed.get(predicate);
    if (parsed === undefined) return all();
    if (isLikely) return { kind: 'is', values: [...values], of: parsed };
    const absent = freeNames(parsed).filter((name) => this.inputs[name].optional === true);
    return any({ kind: 'is', values: [...values], of: parsed }, ...absent.map(isNothing));
  }

  #permitsOf({ requires, permit, forbid }: Policy): Claim {
    const condition = (rule: Parameters<typeof conditionOf>[0]): Expression =>
      this.#same.of(conditionOf(rule));
    const decides = permits({ permit: permit.map(condition), forbid: forbid.map(condition) });
    return requires === null ? decides : all(isTrue(condition(requires)), decides);
  }

  /** That inputs which are the tool's name are it. */
  #named(inputs: readonly PolicyInput[]): Claim {
    const names = inputs.filter(({ from }) => from === 'action.name');
    return all(...names.map(({ name }) => isTrue(compared(name, '==', this.#tool))));
  }

  /** The predicate over inputs; null if it reads anything else. */
  #translated({ parsed, of }: StepPredicate, schema: FieldsSchema): Expression | null {
    const root = this.#node(parsed.root, of, []);
    if (root === null) return null;
    const found = { name: parsed.name, root };
    try {
      checkPredicate(found, schema);
      return found;
    } catch {
      // It reads what policies take for something else.
      return null;
    }
  }

  #node(node: ExpressionNode, of: StepPredicate['of'], bound: readonly string[]): ExpressionNode | null {
    const path = pathOf(node, bound);
    if (path !== null) return this.#place(path, node, of, bound);
    // No name that a predicate is compared with is that of a tool which nothing names.
    if (this.#tool === null && of === 'step' && node.kind === 'binary' && comparesName(node, bound))
      return { kind: 'literal', value: node.operator === '!=', place: node.place };
    if (node.kind === 'has') {
      const place = pathOf({ ...node, kind: 'field' }, bound);
      const input = place === null ? undefined : this.#places.get(placeOf(place, of));
      if (input === undefined || this.inputs[input.name].optional === true) return null;
      return { kind: 'literal', value: true, place: node.place };
    }
    const inner = node.kind === 'macro' ? [...bound, node.variable] : bound;
    const copy = { ...node } as Record<string, unknown>;
    for (const [key, part] of Object.entries(node)) {
      const within = key === 'body' ? inner : bound;
      const parts = Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : [];
      const found = parts.map((one) => this.#node(one, of, within));
      if (found.includes(null)) return null;
      if (Array.isArray(part) && parts.length > 0) copy[key] = found;
      else if (isNode(part)) copy[key] = found[0];
    }
    return copy as unknown as ExpressionNode;
  }

  #place(
    path: string,
    node: ExpressionNode,
    of: StepPredicate['of'],
    bound: readonly string[],
  ): ExpressionNode | null {
    const from = placeOf(path, of);
    const { place } = node;
    if (from === 'action.name' && this.#tool !== null) return { kind: 'literal', value: this.#tool, place };
    const input = this.#places.get(from);
    if (input === undefined || bound.includes(input.name)) return null;
    // Records of the state may have fields that policies do not see.
    if (from.startsWith('state.') && input.type.kind === 'list' && input.type.of.kind === 'record')
      return null;
    return { kind: 'name', name: input.name, place };
  }
}

const NOWHERE = { line: 1, column: 1, offset: 0 };

function isAbsent({ name, optional }: PolicyInput, read: ReadonlySet<string>): boolean {
  return optional === true || !read.has(name);
}

/** An input against a constant. */
export function compared(input: string, operator: '==' | '>=', value: string | number | null): Expression {
  return {
    name: input,
    root: {
      kind: 'binary',
      operator,
      left: { kind: 'name', name: input, place: NOWHERE },
      right: { kind: 'literal', value, place: NOWHERE },
      place: NOWHERE,
    },
  };
}

function isNothing(input: string): Claim {
  return isTrue(compared(input, '==', null));
}

/** The dotted path of a node that reads a field of a step; null for any other node. */
function pathOf(node: ExpressionNode, bound: readonly string[]): string | null {
  if (node.kind === 'name') return bound.includes(node.name) ? null : node.name;
  if (node.kind !== 'field') return null;
  const object = pathOf(node.object, bound);
  return object === null ? null : `${object}.${node.field}`;
}

/** Whether a comparison is one of the tool's name with texts. */
function comparesName({ operator, left, right }: NodeOf<'binary'>, bound: readonly string[]): boolean {
  const isText = (node: ExpressionNode): boolean => node.kind === 'literal' && typeof node.value === 'string';
  const isName = (node: ExpressionNode): boolean => pathOf(node, bound) === 'action.name';
  if (operator === 'in') return isName(left) && right.kind === 'list' && right.elements.every(isText);
  if (operator !== '==' && operator !== '!=') return false;
  return (isName(left) && isText(right)) || (isText(left) && isName(right));
}

/** Where an input would have what a predicate reads. */
function placeOf(path: string, of: StepPredicate['of']): string {
  if (of === 'arguments') return `action.arguments.${path}`;
  if (path === 'time') return 'time';
  return path === 'action' || path.startsWith('action.') ? path : `state.${path}`;
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'place' in value;
}
