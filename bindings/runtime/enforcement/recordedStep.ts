import { kindOf } from '../../base/objectKind.js';
import { type Action, callArguments, type PastCall } from '../../observations/trace/index.js';
import { PRINCIPAL } from './principal.js';
import { ANY, follow, type HiddenFields, type Path } from './redaction.js';
import type { ToolCall } from './toolCall.js';
import type { KeptStep } from './traceSink.js';
import type { State } from './world.js';

/** Deeper, and more, than what predicates read. */
const MAX_DEPTH = 1000;
const MAX_VALUES = 1_000_000;

/** A step as it was seen. */
export interface SeenStep {
  readonly state: State;
  readonly time?: number;
  /** What was done in it; null for nothing. */
  readonly call: ToolCall | null;
  /** The calls that answered since the step before. */
  readonly answered: readonly PastCall[];
}

/** A step as a trace holds it. */
export interface RecordedStep {
  readonly step: KeptStep;
  /** The fields that the step lacks although predicates could read them, or although they were there, and why. */
  readonly notRecorded: Readonly<Record<string, string>>;
}

/**
 * Copies a step for a trace: what is hidden, and what JSON cannot express, is left out and named in `notRecorded`, so that no predicate takes it for absent.
 * Infinity stays; a list with an element that must be left out is left out as a whole. The `history` of a state is left to `answered`.
 *
 * @param lacking fields that the state lacks because they could not be read
 */
export function recordedStep(
  { state, time, call, answered }: SeenStep,
  hidden: HiddenFields,
  lacking: readonly string[] = [],
): RecordedStep {
  const copy = new StepCopy(hidden);
  for (const field of lacking) copy.notRecorded[field] = UNREADABLE;
  const step = {
    state: copy.state(state),
    ...(call !== null && { action: copy.action(call) }),
    ...(time !== undefined && { time }),
    ...copy.answered(answered),
  };
  return { step, notRecorded: copy.notRecorded };
}

const UNREADABLE = 'it could not be read';
const HIDDEN = 'it is hidden by redact';

/** Thrown where a value is left out, with the reason. */
class LeftOut extends Error {}

class StepCopy {
  readonly notRecorded: Record<string, string> = {};
  readonly #hidden: HiddenFields;
  /** Paths to hide within the arguments of a call. */
  readonly #inArguments: readonly Path[];
  /** Whether the arguments of a call are hidden as a whole. */
  readonly #hidesArguments: boolean;
  readonly #place: string[] = [];
  /** The objects being copied: an object that contains itself would never end. */
  readonly #open = new Set<object>();
  #values = 0;

  constructor(hidden: HiddenFields) {
    this.#hidden = hidden;
    const [isHidden, below] = follow(hidden.paths, 'arguments');
    this.#inArguments = below;
    this.#hidesArguments = isHidden || hidden.names.has('arguments');
  }

  state(state: State): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    // Of the state, paths hide fields of the principal alone.
    const paths = this.#hidden.paths.filter(({ first }) => first === PRINCIPAL);
    for (const key of Object.keys(state)) if (!isHistory(state, key)) this.#field(state, key, copy, paths, 0);
    return copy;
  }

  action({ name, arguments: given, detected }: ToolCall): Action {
    const holder: Record<string, unknown> = {};
    const read = callArguments(given);
    this.#place.push('action');
    if (read === undefined) this.#leaveOut('arguments', UNREADABLE);
    else this.#field({ arguments: read }, 'arguments', holder, [], 0);
    if (detected !== undefined) this.#field({ detected }, 'detected', holder, [], 0);
    this.#place.pop();
    return { name: typeof name === 'string' ? name : String(name), ...holder };
  }

  /** The calls that answered; nothing if they are hidden. */
  answered(calls: readonly PastCall[]): { readonly answered?: readonly PastCall[] } {
    const { names } = this.#hidden;
    if (names.has(HISTORY) || names.has(ANY)) {
      this.#leaveOut(HISTORY, HIDDEN);
      return {};
    }
    this.#place.push(HISTORY);
    const answered = calls.map((call) => {
      const { arguments: given, detected, ...copy } = call;
      if (detected !== undefined) this.#field({ detected }, 'detected', copy, [], 0);
      if (given === undefined) this.#leaveOut('arguments', UNREADABLE);
      else this.#field(call, 'arguments', copy, [], 0);
      return copy;
    });
    this.#place.pop();
    return { answered };
  }

  #fields(from: object, paths: readonly Path[], depth: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    // Fields that are not listed are answers of detectors that did not come.
    for (const key of Object.getOwnPropertyNames(from))
      if (Object.prototype.propertyIsEnumerable.call(from, key)) this.#field(from, key, copy, paths, depth);
      else this.#leaveOut(key, UNREADABLE);
    return copy;
  }

  #field(from: object, key: string, to: object, paths: readonly Path[], depth: number): void {
    const isTop = depth === 0;
    const ofCall = isTop && (key === 'lastArguments' || key === 'arguments');
    const [isHidden, below] = follow(paths, key);
    const { names } = this.#hidden;
    if (isHidden || names.has(key) || names.has(ANY) || (ofCall && this.#hidesArguments)) {
      this.#leaveOut(key, HIDDEN);
      return;
    }
    this.#place.push(key);
    try {
      const value: unknown = (from as Readonly<Record<string, unknown>>)[key];
      if (value === undefined) return;
      const kept = this.#copy(value, ofCall ? this.#inArguments : below, depth + 1);
      // Assigned directly, `__proto__` would become the copy's prototype.
      Object.defineProperty(to, key, { value: kept, enumerable: true, writable: true, configurable: true });
    } catch (error) {
      const why = error instanceof LeftOut ? error.message : UNREADABLE;
      this.notRecorded[this.#place.join('.')] = why;
    } finally {
      this.#place.pop();
    }
  }

  #copy(value: unknown, paths: readonly Path[], depth: number): unknown {
    if (++this.#values > MAX_VALUES) throw new LeftOut(`the step has more than ${MAX_VALUES} values`);
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (Number.isNaN(value)) throw new LeftOut('it is NaN');
        return value;
      case 'object':
        if (value === null) return null;
        return this.#nested(value, paths, depth);
      default:
        throw new LeftOut(`it is ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
    }
  }

  #nested(value: object, paths: readonly Path[], depth: number): unknown {
    if (this.#open.has(value)) throw new LeftOut('it is cyclic');
    if (depth > MAX_DEPTH) throw new LeftOut(`it is nested more than ${MAX_DEPTH} deep`);
    this.#open.add(value);
    try {
      if (Array.isArray(value)) return this.#list(value, paths, depth);
      const kind = kindOf(value);
      if (kind !== 'Object') throw new LeftOut(`it is of the kind ${kind}`);
      return this.#fields(value, paths, depth);
    } finally {
      this.#open.delete(value);
    }
  }

  #list(items: readonly unknown[], paths: readonly Path[], depth: number): unknown[] {
    const copies: unknown[] = [];
    for (let i = 0; i < items.length; i++) {
      const [isHidden, below] = follow(paths, String(i));
      if (isHidden) throw new LeftOut('an element of it is hidden by redact');
      copies.push(this.#copy(items[i], [...new Set([...paths, ...below])], depth + 1));
    }
    return copies;
  }

  #leaveOut(key: string, why: string): void {
    this.notRecorded[[...this.#place, key].join('.')] = why;
  }
}

const HISTORY = 'history';

/** Whether a field is the list of calls of a `ToolHistory`, which is made when it is read; a state that was given may have a field of that name. */
function isHistory(state: State, key: string): boolean {
  return key === HISTORY && Object.getOwnPropertyDescriptor(state, key)?.get !== undefined;
}
