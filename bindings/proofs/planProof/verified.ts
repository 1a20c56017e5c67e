import { InvalidArgumentError } from '../../base/errors.js';
import { hashJson } from '../../base/hashJson.js';
import type { Contracts, ReaderTerm, ToolContract } from '../contract/index.js';
import type { Json, Plan } from '../workflow/index.js';
import type { CallSources } from './callSources.js';
import type { Goal } from './goal.js';
import type { PlanLabel, Question } from './question.js';
import type { Assumption } from './verdict.js';

/** What was proved. */
export interface Proved extends Question {
  /** Conditions that were not proved, and are checked before the call of the step. */
  readonly atRunTime: readonly { readonly step: string; readonly condition: string }[];
  /** Calls that a person must approve, with the values that they then have. */
  readonly questions: readonly PlanQuestion[];
  /** Where the data of each call may come from. */
  readonly sources: readonly CallSources[];
  readonly assumes: readonly Assumption[];
  /** `planHash` of the question. */
  readonly hash: string;
}

/** A call about which a person is asked. */
export interface PlanQuestion {
  readonly step: string;
  /** Why, a sentence each. */
  readonly texts: readonly string[];
}

const KEY = Symbol('verifyPlan');

/** A plan that was proved to keep to contracts in every run, frozen. Only `verifyPlan` makes one, and `runWorkflow` takes nothing else. */
export class VerifiedPlan {
  readonly plan: Plan;
  readonly contracts: Contracts;
  readonly goal: Goal | null;
  readonly inputs: Readonly<Record<string, Json>>;
  readonly label: PlanLabel;
  readonly returnsTo: ReaderTerm | null;
  readonly atRunTime: Proved['atRunTime'];
  readonly questions: Proved['questions'];
  readonly sources: Proved['sources'];
  readonly assumes: Proved['assumes'];
  /** SHA-256 of all that was proved, in hexadecimal. */
  readonly hash: string;
  /** No object of another class has it. */
  readonly #isProved = true;

  private constructor(key: symbol, proved: Proved) {
    if (key !== KEY) throw new InvalidArgumentError('only verifyPlan makes a verified plan');
    // `verifyPlan` has copied and frozen what it was given.
    this.plan = proved.plan;
    this.contracts = frozenContracts(proved.contracts);
    this.goal = proved.goal;
    this.inputs = proved.inputs;
    this.label = proved.label;
    this.returnsTo = proved.returnsTo;
    this.atRunTime = frozenCopy(proved.atRunTime);
    this.questions = frozenCopy(proved.questions);
    // Nobody else has these yet.
    this.sources = frozen(proved.sources);
    this.assumes = frozen(proved.assumes);
    this.hash = proved.hash;
    Object.freeze(this);
  }

  /** Whether a value is a plan that `verifyPlan` proved in this program. */
  static is(value: unknown): value is VerifiedPlan {
    return typeof value === 'object' && value !== null && #isProved in value;
  }

  /** @internal */
  static make(proved: Proved): VerifiedPlan {
    return new VerifiedPlan(KEY, proved);
  }
}

/** SHA-256 of plan, contracts, goal, known inputs and label. */
export function planHash({ plan, contracts, goal, inputs, label, returnsTo }: Question): string {
  return hashJson({ plan, contracts: contracts.hash, goal, inputs, label, returnsTo });
}

/** A copy of data that cannot be changed. */
export function frozenCopy<T>(value: T): T {
  return frozen(structuredClone(value));
}

/** Freezes data with all their parts; objects of classes stay as they are. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

function frozenTool(tool: ToolContract): ToolContract {
  return frozen({
    ...tool,
    arguments: new FrozenMap([...tool.arguments].map(([name, one]) => [name, frozen(one)])),
  });
}

/** A copy whose maps cannot be changed. */
function frozenContracts(contracts: Contracts): Contracts {
  return Object.freeze({
    ...contracts,
    readers: new FrozenMap(contracts.readers),
    stores: new FrozenMap(contracts.stores),
    tools: new FrozenMap([...contracts.tools].map(([name, tool]) => [name, frozenTool(tool)])),
    flows: new FrozenMap(contracts.flows),
    events: new FrozenMap(contracts.events),
    rules: new FrozenMap(contracts.rules),
  });
}

class FrozenMap<K, V> extends Map<K, V> {
  readonly #isFull: boolean = false;

  constructor(entries: Iterable<readonly [K, V]>) {
    super();
    for (const [key, value] of entries) super.set(key, value);
    this.#isFull = true;
    Object.freeze(this);
  }

  override set(key: K, value: V): this {
    if (this.#isFull) throw new InvalidArgumentError('the contracts of a verified plan cannot be changed');
    return super.set(key, value);
  }

  override delete(): boolean {
    throw new InvalidArgumentError('the contracts of a verified plan cannot be changed');
  }

  override clear(): void {
    throw new InvalidArgumentError('the contracts of a verified plan cannot be changed');
  }
}
