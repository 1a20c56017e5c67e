import { compileExpression, type Evaluate } from '../../languages/expression/index.js';
import { fits } from '../contract/index.js';
import {
  type Json,
  type Plan,
  type PlanExpression,
  parsed,
  type Step,
  type Value,
} from '../workflow/index.js';

/** A call that a run made. */
export interface MadeCall {
  readonly step: string;
  /** The rounds of the loops around it, outermost first. */
  readonly rounds: readonly number[];
  readonly tool: string;
  readonly given: Readonly<Record<string, Json>>;
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** What the tool gave; null if it failed. */
  readonly result: Json;
}

/** What a tool, or a model that is asked, answers; `failed` if it does not. */
export type Reply = { readonly kind: 'result'; readonly value: Json } | { readonly kind: 'failed' };

/** What a run reads beside its inputs. */
export interface World {
  call(step: string, rounds: readonly number[], tool: string, given: Readonly<Record<string, Json>>): Reply;
  ask(step: string, rounds: readonly number[]): Reply;
}

/** How a run ended. */
export type RunEnd =
  /** At the last step, or at `return`. */
  | { readonly kind: 'returned'; readonly value: Json }
  /** At a `require` whose condition was false. */
  | { readonly kind: 'required'; readonly step: string }
  /** At a call that failed, a question without an answer, or a value that there is not. */
  | { readonly kind: 'failed'; readonly step: string; readonly reason: string };

export interface Run {
  readonly calls: readonly MadeCall[];
  /** The steps taken. */
  readonly steps: readonly string[];
  readonly end: RunEnd;
}

/** Runs a plan: each step in order, with what the world answers. Values are plain JSON; nothing is changed but what is returned. */
export function runConcretely(
  plan: Plan,
  inputs: Readonly<Record<string, Json>>,
  world: World,
  most = 100_000,
): Run {
  return new Interpreter(plan, world, most).run(inputs);
}

class Ended extends Error {
  readonly end: RunEnd;
  constructor(end: RunEnd) {
    super(end.kind);
    this.end = end;
  }
}

type Names = ReadonlyMap<string, Json>;

class Interpreter {
  readonly #plan: Plan;
  readonly #world: World;
  readonly #most: number;
  readonly #calls: MadeCall[] = [];
  readonly #steps: string[] = [];
  #rounds: readonly number[] = [];

  constructor(plan: Plan, world: World, most: number) {
    this.#plan = plan;
    this.#world = world;
    this.#most = most;
  }

  run(inputs: Readonly<Record<string, Json>>): Run {
    let end: RunEnd = { kind: 'returned', value: null };
    try {
      this.#list(this.#plan.steps, new Map(Object.entries(inputs)));
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      end = error.end;
    }
    return { calls: this.#calls, steps: this.#steps, end };
  }

  #list(steps: readonly Step[], before: Names): Names {
    const names = new Map(before);
    for (const step of steps) {
      if (this.#steps.push(step.id) > this.#most) this.#fail(step, `more than ${this.#most} steps`);
      for (const [name, value] of this.#step(step, names)) names.set(name, value);
    }
    return names;
  }

  /** @returns the names that the step gives */
  #step(step: Step, names: Names): readonly (readonly [string, Json])[] {
    const value = (of: Value) => this.#value(step, of, names);
    switch (step.kind) {
      case 'call':
        return this.#call(
          step,
          Object.entries(step.with).map(([name, of]) => [name, value(of)]),
        );
      case 'ask': {
        for (const of of step.about) value(of);
        const reply = this.#world.ask(step.id, this.#rounds);
        if (reply.kind === 'failed' || fits(reply.value, step.type) !== null)
          return this.#fail(step, 'no answer');
        return [[step.as, reply.value]];
      }
      case 'let':
        return [[step.name, value(step.be)]];
      case 'if': {
        const holds = this.#truth(step, step.condition, names);
        const inner = this.#list(holds ? step.then : step.else, names);
        return Object.entries(step.yields ?? {}).map(([name, pair]) => [
          name,
          this.#value(step, pair[holds ? 0 : 1], inner),
        ]);
      }
      case 'forEach':
        return this.#forEach(step, this.#elements(step, value(step.in)), names);
      case 'fold': {
        let accumulator = value(step.from);
        for (const [i, item] of this.#elements(step, value(step.in)).entries())
          this.#round(i, () => {
            const inner = this.#list(
              step.do,
              new Map([...names, [step.item, item], [step.accumulator, accumulator]]),
            );
            accumulator = this.#value(step, step.next, inner);
          });
        return [[step.as, accumulator]];
      }
      case 'require':
        if (!this.#truth(step, step.condition, names)) throw new Ended({ kind: 'required', step: step.id });
        return [];
      case 'return':
        throw new Ended({ kind: 'returned', value: value(step.value) });
    }
  }

  #call(
    step: Step & { kind: 'call' },
    entries: readonly (readonly [string, Json])[],
  ): readonly (readonly [string, Json])[] {
    const given = Object.fromEntries(entries);
    const reply = this.#world.call(step.id, this.#rounds, step.tool, given);
    const ok = reply.kind === 'result';
    const result = ok ? reply.value : null;
    this.#calls.push({ step: step.id, rounds: this.#rounds, tool: step.tool, given, ok, result });
    if (!ok && step.onError !== 'skip') return this.#fail(step, 'the call failed');
    return ok && step.as !== undefined && step.onError !== 'skip' ? [[step.as, result]] : [];
  }

  #forEach(
    step: Step & { kind: 'forEach' },
    elements: readonly Json[],
    names: Names,
  ): readonly (readonly [string, Json])[] {
    if (step.atMost !== undefined && elements.length > step.atMost)
      return this.#fail(
        step,
        `the list has ${elements.length} elements, and ${step.atMost} at most are allowed`,
      );
    const collected = Object.entries(step.collect ?? {}).map(([name, value]) => ({
      name,
      value,
      list: [] as Json[],
    }));
    for (const [i, item] of elements.entries())
      this.#round(i, () => {
        const inner = this.#list(step.do, new Map([...names, [step.item, item]]));
        for (const { value, list } of collected) list.push(this.#value(step, value, inner));
      });
    return collected.map(({ name, list }) => [name, list]);
  }

  #round(number: number, work: () => void): void {
    const before = this.#rounds;
    this.#rounds = [...before, number];
    work();
    this.#rounds = before;
  }

  #elements(step: Step, list: Json): readonly Json[] {
    return Array.isArray(list) ? list : this.#fail(step, 'it goes through a value that is no list');
  }

  #truth(step: Step, expression: PlanExpression, names: Names): boolean {
    const value = this.#expression(step, expression, names);
    return typeof value === 'boolean' ? value : this.#fail(step, 'its condition is not true or false');
  }

  #value(step: Step, value: Value, names: Names): Json {
    switch (value.kind) {
      case 'literal':
        return value.value;
      case 'reference': {
        let found: Json | undefined = names.get(value.name);
        for (const key of value.path) found = partOf(found, key);
        return found === undefined
          ? this.#fail(step, `there is no ${[value.name, ...value.path].join('.')}`)
          : found;
      }
      case 'list':
        return value.of.map((one) => this.#value(step, one, names));
      case 'record':
        return Object.fromEntries(
          Object.entries(value.fields).map(([name, one]) => [name, this.#value(step, one, names)]),
        );
      case 'text':
        return value.of
          .map((one) => {
            const part = this.#value(step, one, names);
            if (['string', 'number', 'boolean'].includes(typeof part)) return String(part);
            return this.#fail(step, 'a part of a text is no text, no number and no truth value');
          })
          .join('');
      case 'expression':
        return this.#expression(step, value.expression, names);
    }
  }

  #expression(step: Step, expression: PlanExpression, names: Names): Json {
    try {
      return compiled(expression)(Object.fromEntries(names), {}) as Json;
    } catch (error) {
      return this.#fail(step, error instanceof Error ? error.message : String(error));
    }
  }

  #fail(step: Step, reason: string): never {
    throw new Ended({ kind: 'failed', step: step.id, reason });
  }
}

function partOf(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return typeof key === 'string' && Object.hasOwn(value, key)
    ? (value as Record<string, Json>)[key]
    : undefined;
}

const evaluators = new WeakMap<PlanExpression, Evaluate>();

function compiled(expression: PlanExpression): Evaluate {
  let evaluate = evaluators.get(expression);
  if (evaluate === undefined) {
    evaluate = compileExpression(parsed(expression));
    evaluators.set(expression, evaluate);
  }
  return evaluate;
}
