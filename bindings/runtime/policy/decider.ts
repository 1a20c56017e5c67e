import { InvalidArgumentError } from '../../base/errors.js';
import { type Cell, compileOnCells, readExpressionTree } from '../../languages/expression/runtime/index.js';
import { type Misfit, misfitFinder } from '../../languages/inputs/index.js';
import { ARGUMENT, inputReader, type ReadInput } from './inputReader.js';
import type { PolicyDenial } from './policyJudgement.js';
import type { Policy, PolicyInput, PolicyRule, PolicySet } from './policySet.js';

/** A proposed call. */
export interface DecidedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What was answered about the call before, by name; one without an answer throws when it is read. */
  readonly detected?: Readonly<Record<string, boolean | number | string>>;
}

/**
 * Decides calls by policies. Total: every call gets an answer, and a fault is a denial. A decision that permits allocates nothing.
 */
export class PolicyDecider {
  readonly #set: PolicySet;
  readonly #byTool = new Map<string, readonly CompiledPolicy[]>();
  readonly #readers: readonly InputReader[];
  /** The arguments that inputs name, and what of them. */
  readonly #known: Seen;

  /** @throws InvalidArgumentError, ParseError if the set is damaged */
  constructor(set: PolicySet) {
    if (set?.format !== 'foreguard-policies' || set.version !== 1)
      throw new InvalidArgumentError(
        'found no policies of version 1; compile them anew with foreguard policy compile',
      );
    this.#set = set;
    this.#readers = set.inputs.map((input) => ({
      input,
      cell: { value: null, path: input.name },
      read: inputReader(input),
      misfit: misfitFinder(input),
    }));
    const cells = new Map(this.#readers.map(({ input, cell }) => [input.name, cell]));
    const policies = set.policies.map((policy) => compilePolicy(policy, cells));
    for (const tool of new Set(set.policies.flatMap(({ tools }) => tools))) {
      this.#byTool.set(
        tool,
        policies.filter(({ policy }) => policy.tools.includes(tool)),
      );
    }
    this.#known = seenOf(this.#readers);
  }

  /**
   * Decides on a call.
   *
   * @returns null if it is permitted; else why not, by the first policy that denies it
   */
  denial(call: DecidedCall, state: Readonly<Record<string, unknown>>): PolicyDenial | null {
    const found = this.#decide(call, state, true);
    return found.length === 0 ? null : found[0];
  }

  /**
   * Decides on a call.
   *
   * @returns all that is against it: nothing if it is permitted; what denies it before any policy, alone; else what each policy has against it, in their order
   */
  denials(call: DecidedCall, state: Readonly<Record<string, unknown>>): readonly PolicyDenial[] {
    return this.#decide(call, state, false);
  }

  /** @param isOneEnough whether only the first denial is looked for */
  #decide(
    call: DecidedCall,
    state: Readonly<Record<string, unknown>>,
    isOneEnough: boolean,
  ): readonly PolicyDenial[] {
    const policies = this.#byTool.get(call.name);
    if (policies === undefined)
      return this.#set.uncoveredTools === 'permit' ? NONE : [{ policy: '', denial: { kind: 'uncovered' } }];
    const readers = this.#readers;
    for (let i = 0; i < readers.length; i++) readers[i].cell.value = undefined;
    const argument = takeArguments(call.arguments, this.#known);
    if (argument !== null) return [{ policy: '', denial: { kind: 'extra', argument } }];
    for (let i = 0; i < readers.length; i++) {
      const { input, cell, read, misfit } = readers[i];
      const value = cell.value === undefined ? read(call, state) : cell.value;
      const wrong = misfit(value);
      cell.value = wrong === null ? (value ?? null) : null;
      if (wrong === null || (wrong === 'absent' && !isReadBy(policies, input.name))) continue;
      return [{ policy: '', denial: { kind: wrong, input: input.name } }];
    }
    let found = NONE;
    for (let i = 0; i < policies.length; i++) {
      found = judged(policies[i], found, isOneEnough);
      if (isOneEnough && found.length > 0) return found;
    }
    return found;
  }
}

/** @param before what others have against the call. @returns the same with what this policy has against it */
function judged(
  { policy, requires, permit, forbid }: CompiledPolicy,
  before: readonly PolicyDenial[],
  isOneEnough: boolean,
): readonly PolicyDenial[] {
  if (requires !== null && requires() !== true) return denied(before, policy, { kind: 'required' });
  let found = before;
  for (let i = 0; i < forbid.length; i++) {
    const holds = forbid[i]();
    if (holds === false) continue;
    const rule = policy.forbid[i].name;
    found = denied(found, policy, { kind: holds === null ? 'unreadable' : 'forbidden', rule });
    if (isOneEnough) return found;
  }
  let unread = -1;
  for (let i = 0; i < permit.length; i++) {
    const holds = permit[i]();
    if (holds === true) return found;
    if (holds === null && unread < 0) unread = i;
  }
  return unread < 0
    ? denied(found, policy, { kind: 'notPermitted' })
    : denied(found, policy, { kind: 'unreadable', rule: policy.permit[unread].name });
}

const NONE: readonly PolicyDenial[] = Object.freeze([]);

function denied(
  before: readonly PolicyDenial[],
  { name }: Policy,
  denial: PolicyDenial['denial'],
): readonly PolicyDenial[] {
  return [...before, { policy: name, denial }];
}

/** Null: it has no value. */
type Condition = () => boolean | null;

interface CompiledPolicy {
  readonly policy: Policy;
  readonly requires: Condition | null;
  readonly permit: readonly Condition[];
  readonly forbid: readonly Condition[];
}

interface InputReader {
  readonly input: PolicyInput;
  /** Its value in the call that is decided; one cell for all calls. */
  readonly cell: Cell;
  readonly read: ReadInput;
  readonly misfit: (value: unknown) => Misfit;
}

/** An input that no policy of the tool reads may be absent: it is an argument of another tool. */
function isReadBy(policies: readonly CompiledPolicy[], input: string): boolean {
  for (let i = 0; i < policies.length; i++) if (policies[i].policy.reads.includes(input)) return true;
  return false;
}

function compilePolicy(policy: Policy, cells: ReadonlyMap<string, Cell>): CompiledPolicy {
  const compile = ({ name, expression, tree }: PolicyRule): Condition =>
    compileOnCells(readExpressionTree(tree, expression, `policy "${policy.name}", ${name}`), cells);
  const requires = policy.requires === null ? null : compile(policy.requires);
  return { policy, requires, permit: policy.permit.map(compile), forbid: policy.forbid.map(compile) };
}

/** The fields of arguments that inputs name. */
type Seen = ReadonlyMap<string, SeenField>;

interface SeenField {
  /** Of the inputs that read it. */
  readonly cells: Cell[];
  /** Null if an input reads it as a whole. */
  fields: Map<string, SeenField> | null;
}

function seenOf(readers: readonly InputReader[]): Seen {
  const root = new Map<string, SeenField>();
  for (const { input, cell } of readers) {
    if (!input.from.startsWith(ARGUMENT)) continue;
    const path = input.from.slice(ARGUMENT.length).split('.');
    let fields: Map<string, SeenField> | null = root;
    for (let i = 0; i < path.length && fields !== null; i++) {
      let field = fields.get(path[i]);
      if (field === undefined) {
        field = { cells: [], fields: new Map() };
        fields.set(path[i], field);
      }
      if (i === path.length - 1) {
        field.cells.push(cell);
        field.fields = null;
      }
      fields = field.fields;
    }
  }
  return root;
}

/**
 * Puts arguments into their cells, in one pass over them: an engine reads fields in the order of an object without looking for their names. What the pass does
 * not come to is left for `inputReader`.
 *
 * @returns the first argument, or field of one, that no input names; null if there is none
 */
function takeArguments(value: Readonly<Record<string, unknown>>, seen: Seen): string | null {
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const part = seen.get(name);
    if (part === undefined) return name;
    const inner = value[name];
    if (inner === undefined || inner === null) continue;
    if (part.fields === null) {
      for (let i = 0; i < part.cells.length; i++) part.cells[i].value = inner;
      continue;
    }
    // What has no fields is seen by no input that reads one.
    if (typeof inner !== 'object' || Array.isArray(inner)) return name;
    const found = takeArguments(inner as Readonly<Record<string, unknown>>, part.fields);
    if (found !== null) return `${name}.${found}`;
  }
  return null;
}
