import { wordsOf } from '../../base/words.js';
import { compileExpression, type Evaluate } from '../../languages/expression/index.js';
import type { ValueType } from '../contract/index.js';
import { parsed } from './canonical.js';
import type { Json, Plan, PlanExpression, Step, Value } from './plan.js';

/** What a plan wants of whoever runs it: the result of a call, or the answer of a model. `rounds` has the round, from 0, of each loop around the step. */
export type Wanted =
  | {
      readonly kind: 'call';
      readonly step: string;
      readonly rounds: readonly number[];
      readonly tool: string;
      readonly arguments: Readonly<Record<string, Json>>;
    }
  | {
      readonly kind: 'answer';
      readonly step: string;
      readonly rounds: readonly number[];
      readonly question: string;
      readonly about: readonly Json[];
      readonly type: ValueType;
    };

/** What it is given: plain data, or that there is none. */
export type Given =
  | { readonly kind: 'result'; readonly value: Json }
  | { readonly kind: 'failed'; readonly text: string };

/** How a run of a plan ends. */
export type Ended =
  | { readonly kind: 'returned'; readonly value: Json }
  /** After the last step, without a `return`. */
  | { readonly kind: 'finished' }
  | {
      readonly kind: 'stopped';
      readonly step: string;
      readonly rounds: readonly number[];
      /** `require`: its condition does not hold. `failed`: a call or a model gave nothing. `value`: a value has no part, or an expression no value, that the plan reads. `rounds`: a list is longer than `atMost`. */
      readonly because: 'require' | 'failed' | 'value' | 'rounds';
      readonly text: string;
    };

/**
 * Runs a plan, step by step: gives what it wants next, takes what came of it, and returns how it ended. It does nothing else: the same inputs and results give
 * the same run. A plan must have been read (`readPlan`) and typed; values that nevertheless lack what is read of them end the run.
 *
 * @param enter is told each step before it is taken; what it throws comes out of the generator
 */
export function* interpret(
  plan: Plan,
  inputs: Readonly<Record<string, Json>>,
  enter: (step: string) => void = () => undefined,
): Generator<Wanted, Ended, Given> {
  const names: Names = Object.assign(Object.create(null), inputs);
  try {
    return (yield* walk(plan.steps, names, { rounds: [], enter })) ?? { kind: 'finished' };
  } catch (error) {
    if (error instanceof Stop) return error.ended;
    throw error;
  }
}

type Names = Record<string, Json>;

/** Ends the run, from any depth. Never leaves `interpret`. */
class Stop {
  readonly ended: Ended;
  constructor(
    step: string,
    rounds: readonly number[],
    because: (Ended & { kind: 'stopped' })['because'],
    text: string,
  ) {
    this.ended = { kind: 'stopped', step, rounds, because, text };
  }
}

/** Where a run is: the rounds of the loops around it, and who is told of each step. */
interface Place {
  readonly rounds: readonly number[];
  readonly enter: (step: string) => void;
}

function* walk(
  steps: readonly Step[],
  names: Names,
  place: Place,
): Generator<Wanted, Ended | undefined, Given> {
  for (const step of steps) {
    place.enter(step.id);
    // A call takes no generator of its own: most steps of a long run are calls.
    if (step.kind === 'call') {
      give(step, yield wantedCall(step, names, place.rounds), names, place.rounds);
      continue;
    }
    const ended = yield* take(step, names, place);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

type CallStep = Step & { readonly kind: 'call' };

function wantedCall(step: CallStep, names: Names, rounds: readonly number[]): Wanted {
  const given: Record<string, Json> = {};
  for (const name of Object.keys(step.with)) {
    const value = evaluate(step.with[name], names, step.id, rounds);
    // An argument of the name `__proto__` is one, too.
    if (name === '__proto__')
      Object.defineProperty(given, name, { value, enumerable: true, configurable: true, writable: true });
    else given[name] = value;
  }
  return { kind: 'call', step: step.id, rounds, tool: step.tool, arguments: given };
}

/** Takes what came of a call. */
function give(step: CallStep, came: Given, names: Names, rounds: readonly number[]): void {
  if (came.kind === 'result') {
    if (step.as !== undefined) names[step.as] = came.value;
  } else if (step.onError !== 'skip') throw new Stop(step.id, rounds, 'failed', came.text);
}

function* take(
  step: Exclude<Step, CallStep>,
  names: Names,
  place: Place,
): Generator<Wanted, Ended | undefined, Given> {
  const { rounds } = place;
  const at = (value: Value): Json => evaluate(value, names, step.id, rounds);
  switch (step.kind) {
    case 'ask': {
      const about = step.about.map(at);
      const came = yield {
        kind: 'answer',
        step: step.id,
        rounds,
        question: step.question,
        about,
        type: step.type,
      };
      if (came.kind === 'failed') throw new Stop(step.id, rounds, 'failed', came.text);
      names[step.as] = came.value;
      return undefined;
    }
    case 'let':
      names[step.name] = at(step.be);
      return undefined;
    case 'if': {
      const holds = truth(step.condition, names, step.id, rounds);
      const inner: Names = Object.assign(Object.create(null), names);
      const ended = yield* walk(holds ? step.then : step.else, inner, place);
      if (ended !== undefined) return ended;
      for (const [name, [then, otherwise]] of Object.entries(step.yields ?? {}))
        names[name] = evaluate(holds ? then : otherwise, inner, step.id, rounds);
      return undefined;
    }
    case 'forEach': {
      const list = elements(at(step.in), step.id, rounds);
      if (step.atMost !== undefined && list.length > step.atMost)
        throw new Stop(
          step.id,
          rounds,
          'rounds',
          `the list has ${list.length} elements; the plan allows for ${step.atMost}`,
        );
      const collected = Object.entries(step.collect ?? {}).map(([name, value]) => ({
        name,
        value,
        all: [] as Json[],
      }));
      for (const [i, item] of list.entries()) {
        const inner: Names = Object.assign(Object.create(null), names);
        inner[step.item] = item;
        const within = [...rounds, i];
        const ended = yield* walk(step.do, inner, { ...place, rounds: within });
        if (ended !== undefined) return ended;
        for (const { value, all } of collected) all.push(evaluate(value, inner, step.id, within));
      }
      for (const { name, all } of collected) names[name] = all;
      return undefined;
    }
    case 'fold': {
      let value = at(step.from);
      for (const [i, item] of elements(at(step.in), step.id, rounds).entries()) {
        const inner: Names = Object.assign(Object.create(null), names);
        inner[step.item] = item;
        inner[step.accumulator] = value;
        const within = [...rounds, i];
        const ended = yield* walk(step.do, inner, { ...place, rounds: within });
        if (ended !== undefined) return ended;
        value = evaluate(step.next, inner, step.id, within);
      }
      names[step.as] = value;
      return undefined;
    }
    case 'require':
      if (!truth(step.condition, names, step.id, rounds))
        throw new Stop(step.id, rounds, 'require', step.otherwise);
      return undefined;
    case 'return':
      return { kind: 'returned', value: at(step.value) };
  }
}

function evaluate(value: Value, names: Names, step: string, rounds: readonly number[]): Json {
  if (value.kind === 'literal') return value.value;
  const inside = (one: Value): Json => evaluate(one, names, step, rounds);
  switch (value.kind) {
    case 'reference': {
      if (!Object.hasOwn(names, value.name))
        throw new Stop(step, rounds, 'value', `nothing is known by the name "${value.name}"`);
      let part: Json = names[value.name];
      let read = value.name;
      for (const key of value.path) {
        read += typeof key === 'number' ? `[${key}]` : `.${key}`;
        const isElement = Array.isArray(part) && typeof key === 'number';
        const isField =
          typeof part === 'object' && part !== null && !Array.isArray(part) && typeof key === 'string';
        if (!(isElement || isField) || !Object.hasOwn(part as object, key))
          throw new Stop(step, rounds, 'value', `there is no ${read}`);
        part = (part as Readonly<Record<string | number, Json>>)[key];
      }
      return part;
    }
    case 'list':
      return value.of.map(inside);
    case 'record': {
      const fields: Record<string, Json> = {};
      // A field of the name `__proto__` is a field, too.
      for (const [name, one] of Object.entries(value.fields))
        Object.defineProperty(fields, name, {
          value: inside(one),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      return fields;
    }
    case 'text':
      return value.of
        .map((one) => {
          const part = inside(one);
          if (typeof part === 'object')
            throw new Stop(
              step,
              rounds,
              'value',
              'a list, a record or null is joined to a text; expected a text, a number or a truth value',
            );
          return String(part);
        })
        .join('');
    case 'expression':
      return expressionValue(value.expression, names, step, rounds);
  }
}

function expressionValue(
  expression: PlanExpression,
  names: Names,
  step: string,
  rounds: readonly number[],
): Json {
  try {
    return compiled(expression)(names, {}) as Json;
  } catch (error) {
    throw new Stop(step, rounds, 'value', wordsOf(error));
  }
}

function truth(expression: PlanExpression, names: Names, step: string, rounds: readonly number[]): boolean {
  const value = expressionValue(expression, names, step, rounds);
  if (typeof value !== 'boolean')
    throw new Stop(step, rounds, 'value', `${expression.source} is neither true nor false`);
  return value;
}

function elements(value: Json, step: string, rounds: readonly number[]): readonly Json[] {
  if (!Array.isArray(value)) throw new Stop(step, rounds, 'value', 'what the loop goes over is no list');
  return value;
}

const known = new WeakMap<PlanExpression, Evaluate>();

/** Rounds of a loop evaluate the same expressions. */
function compiled(expression: PlanExpression): Evaluate {
  let one = known.get(expression);
  if (one === undefined) {
    one = compileExpression(parsed(expression));
    known.set(expression, one);
  }
  return one;
}
