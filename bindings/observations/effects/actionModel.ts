import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import {
  compileConstraint,
  compilePredicate,
  type Evaluate,
  freeNames,
  freePaths,
  type PartialEvaluate,
  parseExpression,
  type Trilean,
} from '../../languages/expression/index.js';
import {
  argumentsRead,
  type ConstraintDefinitions,
  checkConstraint,
  type PredicateDefinition,
  parseConstraint,
} from '../abstraction/index.js';
import { bit } from '../abstraction/runtime/index.js';
import type { Action } from '../trace/index.js';
import type { DeclaredActions } from './declaration.js';
import { DeclaredCall } from './declaredCall.js';
import { DeclaredTool } from './declaredTool.js';
import { PredicateIndex } from './names.js';

/** The declared actions, and what they are about. */
export interface ActionModelOptions {
  readonly actions: DeclaredActions;
  /** All predicates, in the order of their bits. What one without an expression reads is not known: it counts as one of the state. */
  readonly predicates: readonly (Pick<PredicateDefinition, 'name'> & Partial<PredicateDefinition>)[];
  /** What follows a call meets `state` and `transition`. Default: everything does. */
  readonly constraints?: ConstraintDefinitions;
}

/**
 * How a predicate gets its value:
 *
 * - `declared`: some action is declared to set, clear or change it; any other declared action leaves it as it is;
 * - `call`: it reads the proposed call (`action`), so that its value at a step follows from the call of that step;
 * - `history`: it reads the calls before, and nothing is declared of it, so that its value after a call is not known;
 * - `environment`: nothing is declared of it. It is taken to stay as it is.
 */
export type PredicateRole = 'declared' | 'call' | 'history' | 'environment';

/** What may follow a call. */
export interface Outcomes {
  /** Whether the call can be executed; null if that depends on arguments that it leaves open. */
  readonly executable: boolean | null;
  /** All valuations that may follow if it is executed; empty if it cannot be. Predicates over the call are false: the next call is not known. */
  readonly valuations: readonly Readonly<Record<string, boolean>>[];
  /** Why it cannot be executed: what it requires does not hold, or no valuation that could follow meets the constraints. */
  readonly because: 'requires' | 'constraints' | null;
}

/** Fields of a state that say what was called before. */
export const OF_HISTORY: ReadonlySet<string> = new Set([
  'calls',
  'failures',
  'history',
  'lastTool',
  'lastToolFailed',
  'lastArguments',
  'lastResult',
  'lastDetected',
]);

/** What the declared actions do to valuations of predicates, as in STRIPS with conditional and uncertain effects. */
export class ActionModel {
  /** Names, in the order of their bits. */
  readonly predicates: readonly string[];
  /** For each predicate, how it gets its value. */
  readonly roles: readonly PredicateRole[];
  /** All calls with listed values of arguments, in the order in which they are declared. */
  readonly calls: readonly DeclaredCall[];
  /** 32-bit words that a packed valuation takes. */
  readonly words: number;
  /** The predicates that constraints on states and transitions read. */
  readonly constrained: ReadonlySet<string>;
  readonly #tools: ReadonlyMap<string, DeclaredTool>;
  readonly #all: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #bits: ReadonlyMap<string, number>;
  readonly #readers: readonly (CallReader | null)[];
  /** The bits of the predicates over the call. */
  readonly #ofCall: Uint32Array;
  readonly #known = new Map<string, DeclaredCall>();
  readonly #state: PartialEvaluate | null;
  readonly #transition: PartialEvaluate | null;

  /** @internal Use `createActionModel`. */
  constructor({ actions, predicates, constraints = {} }: ActionModelOptions) {
    this.predicates = predicates.map(({ name }) => name);
    this.words = Math.max(1, Math.ceil(predicates.length / 32));
    this.#bits = new Map(this.predicates.map((name, i) => [name, i]));
    const index = new PredicateIndex(this.predicates);
    this.#tools = new Map(
      Object.entries(actions).map(([name, action]) => [name, new DeclaredTool(name, action, index)]),
    );
    const all = new Map<string, Set<string>>();
    for (const tool of this.#tools.values())
      for (const [name, predicate] of tool.valued())
        all.set(name, (all.get(name) ?? new Set()).add(predicate));
    this.#all = all;
    this.calls = [...this.#tools.values()].flatMap((tool) =>
      tool.combinations().map((given) => this.#ground(tool, given)),
    );
    for (const call of this.calls) this.#known.set(keyOf(call.action.name, call.action.arguments), call);
    const touched = new Set(this.calls.flatMap((call) => [...call.touched]));
    this.roles = predicates.map(({ name, expression }) => roleOf(touched.has(name), expression, name));
    this.#ofCall = new Uint32Array(this.words);
    this.roles.forEach((role, i) => {
      if (role === 'call') this.#ofCall[i >>> 5] |= 1 << (i & 31);
    });
    this.#readers = predicates.map(({ name, expression }, i) =>
      this.roles[i] === 'call' ? callReader(expression as string, name) : null,
    );
    for (const kind of ['state', 'transition'] as const)
      if (constraints[kind] !== undefined) checkConstraint(kind, constraints[kind], this.predicates);
    this.constrained = new Set(
      (['state', 'transition'] as const).flatMap((kind) => {
        const source = constraints[kind];
        const read = source === undefined ? [] : freePaths(parseConstraint(kind, source));
        return read.map(({ path }) => path.replace(/^(?:from|to)\./, ''));
      }),
    );
    this.#state = compiled('state', constraints);
    this.#transition = compiled('transition', constraints);
  }

  /** The call as it is declared; null if its tool is not declared, or an argument has a value that is not listed. */
  callOf({ name, arguments: given = {} }: Action): DeclaredCall | null {
    const tool = this.#tools.get(name);
    if (tool === undefined || !tool.covers(given)) return null;
    const read = tool.argumentsOf(given);
    if (tool.open.length > 0) return this.#ground(tool, read);
    return this.#known.get(keyOf(name, read)) ?? null;
  }

  /**
   * What may follow a call: all combinations of what it may do, under the constraints. What it does not change, stays.
   *
   * @param valuation the value of each predicate before the call, by name
   * @returns null if nothing is declared of the call
   * @throws InvalidArgumentError if a predicate has no value (the message suggests the nearest name); NotSupportedError if too many valuations may follow
   */
  after(valuation: Readonly<Record<string, boolean>>, action: Action): Outcomes | null {
    const call = this.callOf(action);
    if (call === null) return null;
    const before = this.pack(valuation);
    const executable = call.executable(before);
    if (executable === false) return { executable, valuations: [], because: 'requires' };
    const valuations = this.outcomes(call, before).map((one) => this.unpack(one));
    if (valuations.length === 0) return { executable: false, valuations, because: 'constraints' };
    return { executable: executable ?? null, valuations, because: null };
  }

  /**
   * As `after`, of packed valuations: those that may follow and meet the constraints, whatever the call requires.
   * @param known has a bit for each predicate whose value is known; the others may be either. Default: all are known
   */
  outcomes(call: DeclaredCall, before: Uint32Array, known: Uint32Array | null = null): Uint32Array[] {
    const outcomes = call.outcomes(before, known);
    // The call at the next step is not known.
    for (const outcome of outcomes) for (let w = 0; w < this.words; w++) outcome[w] &= ~this.#ofCall[w];
    if (this.#state === null && this.#transition === null) return outcomes;
    return outcomes.filter((outcome) => this.#isAllowed(before, known, outcome));
  }

  /**
   * The value of a predicate at a step with this call, null standing for none: undefined if it also depends on the state or on an open argument.
   * @param predicate its number; one that reads the call
   */
  atCall(predicate: number, call: DeclaredCall | null): Trilean {
    return this.#readers[predicate]?.(call);
  }

  /** Packs the value of each predicate; of those over the call, a missing one is false. @throws InvalidArgumentError if another has no value */
  pack(valuation: Readonly<Record<string, boolean>>): Uint32Array {
    const packed = new Uint32Array(this.words);
    this.predicates.forEach((name, i) => {
      const value = valuation[name];
      if (typeof value === 'boolean') {
        if (value) packed[i >>> 5] |= 1 << (i & 31);
      } else if (this.roles[i] !== 'call') {
        const nearest = nearestName(name, Object.keys(valuation));
        throw new InvalidArgumentError(
          `predicate "${name}" is ${value}, expected true or false${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
        );
      }
    });
    return packed;
  }

  /** The value of each predicate of a packed valuation. */
  unpack(valuation: Uint32Array): Record<string, boolean> {
    return Object.fromEntries(this.predicates.map((name, i) => [name, bit(valuation, 0, i)]));
  }

  #ground(tool: DeclaredTool, given: Readonly<Record<string, unknown>>): DeclaredCall {
    return new DeclaredCall(tool.name, given, tool.ground(given, this.#all), this.#bits);
  }

  #isAllowed(before: Uint32Array, known: Uint32Array | null, after: Uint32Array): boolean {
    const value = (valuation: Uint32Array, name: string): Trilean => {
      const i = this.#bits.get(name) as number;
      const isKnown = valuation === after || known === null || bit(known, 0, i);
      return this.roles[i] === 'call' || !isKnown ? undefined : bit(valuation, 0, i);
    };
    if (this.#state?.((name) => value(after, name)) === false) return false;
    return (
      this.#transition?.((path) =>
        path.startsWith('from.') ? value(before, path.slice(5)) : value(after, path.slice(3)),
      ) !== false
    );
  }
}

/**
 * Reads declared actions over predicates.
 *
 * @throws ParseError, NotSupportedError, InvalidArgumentError if what is declared is malformed, or names what does not exist; each names the action, and the word
 * under which something is wrong, and suggests the nearest name
 */
export function createActionModel(options: ActionModelOptions): ActionModel {
  return new ActionModel(options);
}

type CallReader = (call: DeclaredCall | null) => Trilean;

/** The value of a predicate that reads the call, as far as the call decides it. */
function callReader(source: string, name: string): CallReader {
  const expression = parseExpression(source, { name: `predicate "${name}"` });
  const evaluate: Evaluate<boolean> = compilePredicate(expression, name);
  // `has` of an argument that is left open would be false; all else fails if it is read.
  const asked = /\bhas\s*\(/.test(source) ? argumentsRead(expression).map((argument) => argument.name) : [];
  return (call) => {
    if (call !== null && asked.some((argument) => !Object.hasOwn(call.action.arguments, argument)))
      return undefined;
    try {
      return evaluate({}, call === null ? {} : { action: call.action });
    } catch {
      return undefined;
    }
  };
}

function roleOf(isDeclared: boolean, expression: string | undefined, name: string): PredicateRole {
  if (isDeclared) return 'declared';
  if (expression === undefined) return 'environment';
  const read = freeNames(parseExpression(expression, { name: `predicate "${name}"` }));
  if (read.includes('action')) return 'call';
  return read.some((one) => OF_HISTORY.has(one)) ? 'history' : 'environment';
}

function compiled(
  kind: 'state' | 'transition',
  { [kind]: source }: ConstraintDefinitions,
): PartialEvaluate | null {
  return source === undefined ? null : compileConstraint(parseConstraint(kind, source));
}

function keyOf(name: string, given: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([name, ...Object.entries(given).map(([, value]) => value)]);
}
