import { InvalidArgumentError } from '../../base/errors.js';
import { printExpression } from '../../languages/expression/index.js';
import { schemaOfType, type ValueType } from '../contract/index.js';
import { isPlanName } from './names.js';
import type { Json, Plan } from './plan.js';
import { describe } from './reading.js';
import { readPlan } from './readPlan.js';

/** A value of a plan that is not known yet: a name, or by its fields and positions a part of one. */
export interface Ref {
  readonly [field: string]: Ref;
  readonly [position: number]: Ref;
}

/** A value of a plan: data, a `Ref`, what `text` and `expr` make, and lists and records of these. */
export type PlanValue = Json | Ref | readonly PlanValue[] | { readonly [field: string]: PlanValue };

/** What a step may be called, and what people are told of it. */
export interface StepOptions {
  readonly id?: string;
  readonly note?: string;
  /** The name of its result. */
  readonly as?: string;
}

/** Writes the steps of a plan, one with each call. Values of loops and branches are known within them alone. */
export interface PlanBuilder {
  /** The names that are given to the plan. */
  readonly inputs: Readonly<Record<string, Ref>>;
  /** Calls a tool. With `onError: 'skip'` the run goes on if it fails, and the result may not be used. */
  call(
    tool: string,
    given?: { readonly [argument: string]: PlanValue },
    options?: StepOptions & { readonly onError?: 'stop' | 'skip' },
  ): Ref;
  /** Asks a model without tools, for an answer that fits a JSON Schema. */
  ask(question: string, about: readonly PlanValue[], schema: Json, options?: StepOptions): Ref;
  /** Names a value. */
  let(value: PlanValue, options?: StepOptions): Ref;
  /** Does the one if a condition holds, and the other if not. If there are both and they give a value, the result is that of the branch taken. */
  when(
    condition: Ref | string,
    then: () => PlanValue | undefined,
    otherwise?: () => PlanValue | undefined,
    options?: StepOptions,
  ): Ref;
  /** Does the same for each element. The result is the list of the values given. */
  forEach(
    list: PlanValue,
    round: (item: Ref) => PlanValue | undefined,
    options?: StepOptions & { readonly item?: string; readonly atMost?: number },
  ): Ref;
  /** Goes on from a value with each element. The result is the last value. */
  fold(
    list: PlanValue,
    from: PlanValue,
    round: (accumulator: Ref, item: Ref) => PlanValue,
    options?: StepOptions & { readonly item?: string },
  ): Ref;
  /** Ends the run unless a condition holds. */
  require(condition: Ref | string, otherwise: string, options?: StepOptions): void;
  /** Ends the run, and gives a value to the user. */
  ret(value: PlanValue, options?: StepOptions): void;
  /** Texts and values one behind another. */
  text(parts: TemplateStringsArray, ...values: readonly PlanValue[]): Ref;
  /** An expression of the expression language, with values in it. */
  expr(parts: TemplateStringsArray, ...values: readonly PlanValue[]): Ref;
}

/**
 * Writes a plan in TypeScript: the function is called once, and each call of the builder is a step.
 *
 * @param goal what the plan is for
 * @throws InvalidArgumentError if a value is used where it is not known; PlanError for what is no plan
 */
export function workflow(
  goal: string,
  build: (plan: PlanBuilder) => void,
  options: { readonly inputs?: Readonly<Record<string, ValueType>> } = {},
): Plan {
  const { inputs = {} } = options;
  const building = new Building(Object.keys(inputs));
  const { steps, close } = building.block(() => build(building));
  close();
  const types = Object.entries(inputs).map(([name, type]) => [name, schemaOfType(type)]);
  return readPlan({
    version: 1,
    goal,
    inputs: Object.fromEntries(types),
    steps: building.finished(steps),
  });
}

interface Block {
  readonly steps: Record<string, unknown>[];
  isOpen: boolean;
}

/** What stands behind a `Ref`. */
interface Meaning {
  /** The value in the nested form. */
  readonly json: Json;
  /** The block in which it is known; null: everywhere. */
  readonly block: Block | null;
  readonly name: string | null;
}

const meanings = new WeakMap<object, Meaning>();

class Building implements PlanBuilder {
  readonly inputs: Readonly<Record<string, Ref>>;
  readonly #names: Set<string>;
  readonly #used = new Set<string>();
  readonly #open: Block[] = [];

  constructor(inputs: readonly string[]) {
    this.#names = new Set(inputs);
    this.inputs = Object.fromEntries(inputs.map((name) => [name, this.#reference(name, [], null)]));
    // The builder's methods are taken out of it one by one.
    for (const method of METHODS) (this as Record<string, unknown>)[method] = this[method].bind(this);
  }

  /** Runs a function whose steps make a block. */
  block<T>(run: () => T): {
    readonly steps: Record<string, unknown>[];
    readonly result: T;
    readonly close: () => void;
  } {
    const block: Block = { steps: [], isOpen: true };
    this.#open.push(block);
    const result = run();
    if (result instanceof Promise)
      throw new InvalidArgumentError(
        'the function that builds a plan is async; expected one that is not: nothing runs yet',
      );
    const close = (): void => {
      block.isOpen = false;
      this.#open.splice(this.#open.indexOf(block), 1);
    };
    return { steps: block.steps, result, close };
  }

  /** Steps, with calls whose results nothing reads without their names. */
  finished(steps: readonly Record<string, unknown>[]): unknown[] {
    return steps.map((step) => {
      const { as, then, else: otherwise, do: body, ...rest } = step;
      const isUnused = 'call' in step && typeof as === 'string' && !this.#used.has(as);
      return {
        ...rest,
        ...(as !== undefined && !isUnused && { as }),
        ...(then !== undefined && { then: this.finished(then as Record<string, unknown>[]) }),
        ...(otherwise !== undefined && {
          else: Array.isArray(otherwise) ? this.finished(otherwise) : otherwise,
        }),
        ...(body !== undefined && { do: this.finished(body as Record<string, unknown>[]) }),
      };
    });
  }

  call(
    tool: string,
    given: { readonly [argument: string]: PlanValue } = {},
    options: StepOptions & { readonly onError?: 'stop' | 'skip' } = {},
  ): Ref {
    const values = Object.entries(given).map(([name, value]) => [name, this.#json(value)]);
    const { onError } = options;
    const as = onError === 'skip' ? undefined : this.#name(options.as ?? tool);
    this.#add(options, {
      call: tool,
      with: Object.fromEntries(values),
      ...(as !== undefined && { as }),
      ...(onError && { onError }),
    });
    return as === undefined ? unusable(`the result of ${tool}, which may fail`) : this.#reference(as);
  }

  ask(question: string, about: readonly PlanValue[], schema: Json, options: StepOptions = {}): Ref {
    const values = about.map((value) => this.#json(value));
    const as = this.#name(options.as ?? 'answer');
    this.#add(options, { ask: { question, about: values, schema }, as });
    return this.#reference(as);
  }

  let(value: PlanValue, options: StepOptions = {}): Ref {
    const be = this.#json(value);
    const name = this.#name(options.as ?? 'value');
    this.#add(options, { let: name, be });
    return this.#reference(name);
  }

  when(
    condition: Ref | string,
    then: () => PlanValue | undefined,
    otherwise?: () => PlanValue | undefined,
    options: StepOptions = {},
  ): Ref {
    const holds = this.#condition(condition);
    const isChoice = otherwise !== undefined;
    const [yes, no] = [then, otherwise ?? (() => undefined)].map((branch) => {
      const block = this.block(branch);
      const value = !isChoice || block.result === undefined ? undefined : this.#json(block.result);
      block.close();
      return { steps: block.steps, value };
    });
    if ((yes.value === undefined) !== (no.value === undefined))
      throw new InvalidArgumentError(
        'one branch of when gives a value, and the other does not; expected both or neither',
      );
    const step = { if: holds, then: yes.steps, ...(no.steps.length > 0 && { else: no.steps }) };
    if (yes.value === undefined) {
      this.#add(options, step);
      return unusable('the result of branches that give no value');
    }
    const name = this.#name(options.as ?? 'chosen');
    this.#add(options, { ...step, yields: { [name]: [yes.value, no.value] } });
    return this.#reference(name);
  }

  forEach(
    list: PlanValue,
    round: (item: Ref) => PlanValue | undefined,
    options: StepOptions & { readonly item?: string; readonly atMost?: number } = {},
  ): Ref {
    const { atMost } = options;
    const through = this.#json(list);
    const item = this.#name(options.item ?? 'item');
    const block = this.block(() => round(this.#reference(item)));
    const value = block.result === undefined ? undefined : this.#json(block.result);
    block.close();
    const step = { forEach: through, item, ...(atMost !== undefined && { atMost }), do: block.steps };
    if (value === undefined) {
      this.#add(options, step);
      return unusable('the result of a loop whose rounds give no value');
    }
    const name = this.#name(options.as ?? 'collected');
    this.#add(options, { ...step, collect: { [name]: value } });
    return this.#reference(name);
  }

  fold(
    list: PlanValue,
    from: PlanValue,
    round: (accumulator: Ref, item: Ref) => PlanValue,
    options: StepOptions & { readonly item?: string } = {},
  ): Ref {
    const [through, first] = [this.#json(list), this.#json(from)];
    const item = this.#name(options.item ?? 'item');
    const as = this.#name(options.as ?? 'total');
    const accumulator = this.#name(`${as}So`);
    const block = this.block(() => round(this.#reference(accumulator), this.#reference(item)));
    const next = this.#json(block.result);
    block.close();
    this.#add(options, { fold: through, item, from: first, accumulator, do: block.steps, next, as });
    return this.#reference(as);
  }

  require(condition: Ref | string, otherwise: string, options: StepOptions = {}): void {
    this.#add(options, { require: this.#condition(condition), else: otherwise });
  }

  ret(value: PlanValue, options: StepOptions = {}): void {
    this.#add(options, { return: this.#json(value) });
  }

  text(parts: TemplateStringsArray, ...values: readonly PlanValue[]): Ref {
    const all = parts.flatMap((part, i) => (i < values.length ? [part, this.#json(values[i])] : [part]));
    return refTo({ json: { text: all }, block: this.#open.at(-1) ?? null, name: null });
  }

  expr(parts: TemplateStringsArray, ...values: readonly PlanValue[]): Ref {
    const source = parts
      .map((part, i) => (i < values.length ? part + this.#source(values[i]) : part))
      .join('');
    return refTo({ json: { expr: source }, block: this.#open.at(-1) ?? null, name: null });
  }

  #add({ id, note }: StepOptions, step: Record<string, unknown>): void {
    const block = this.#open.at(-1);
    if (block === undefined)
      throw new InvalidArgumentError(
        'a step was added after the plan was built; expected it within the function',
      );
    block.steps.push({ ...(id !== undefined && { id }), ...(note !== undefined && { note }), ...step });
  }

  /** A name that the plan has not given. */
  #name(wanted: string): string {
    const base = isPlanName(wanted) ? wanted : wanted.replace(/\W+/g, '_').slice(0, 50) || 'value';
    let name = isPlanName(base) ? base : `${base}_`;
    for (let number = 2; this.#names.has(name); number++) name = `${base}${number}`;
    this.#names.add(name);
    return name;
  }

  #reference(name: string, path: readonly (string | number)[] = [], block = this.#open.at(-1) ?? null): Ref {
    const json = { ref: name, ...(path.length > 0 && { path }) };
    const meaning: Meaning = { json, block, name };
    return refTo(meaning, (part) => this.#reference(name, [...path, part], block));
  }

  /** A value in the nested form. */
  #json(value: unknown): Json {
    if (typeof value === 'object' && value !== null) {
      const meaning = meanings.get(value);
      if (meaning !== undefined) return this.#known(meaning);
      if (Array.isArray(value)) return { list: value.map((one) => this.#json(one)) };
      return {
        record: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#json(one)])),
      };
    }
    if (value === undefined || typeof value === 'function')
      throw new InvalidArgumentError(
        `${describe(value)} is no value of a plan; expected data or what a step gave`,
      );
    return value as Json;
  }

  #known({ json, block, name }: Meaning): Json {
    if (block !== null && !block.isOpen)
      throw new InvalidArgumentError(
        `${name ?? 'a value'} of a loop or a branch is used outside of it; expected what forEach, fold or when gives: return the value from the function`,
      );
    if (name !== null) this.#used.add(name);
    return json;
  }

  #condition(condition: Ref | string): Json {
    return typeof condition === 'string' ? condition : this.#source(condition);
  }

  /** A value as an expression. */
  #source(value: unknown): string {
    const meaning = typeof value === 'object' && value !== null ? meanings.get(value) : undefined;
    if (meaning === undefined) return JSON.stringify(this.#data(value));
    const json = this.#known(meaning) as {
      readonly ref?: string;
      readonly path?: readonly (string | number)[];
      readonly expr?: string;
    };
    if (json.expr !== undefined) return `(${json.expr})`;
    if (json.ref === undefined)
      throw new InvalidArgumentError(
        'a text of several parts stands in an expression; expected it by let first',
      );
    return printPath(json.ref, json.path ?? []);
  }

  #data(value: unknown): unknown {
    if (
      value === undefined ||
      (typeof value === 'object' &&
        value !== null &&
        Object.values(value).some((one) => meanings.has(Object(one))))
    )
      throw new InvalidArgumentError(
        'a list or record with values of the plan stands in an expression; expected it by let first',
      );
    return value;
  }
}

const METHODS = ['call', 'ask', 'let', 'when', 'forEach', 'fold', 'require', 'ret', 'text', 'expr'] as const;

function printPath(name: string, path: readonly (string | number)[]): string {
  const place = { line: 1, column: 1, offset: 0 };
  return path.reduce<string>(
    (so, step) => `${so}[${printExpression({ name: '', root: { kind: 'literal', value: step, place } })}]`,
    name,
  );
}

/** A `Ref`: fields and positions of it are others. */
function refTo(meaning: Meaning, part?: (step: string | number) => Ref): Ref {
  const ref = new Proxy(Object.create(null) as object, {
    get(_, key) {
      // What is awaited or printed asks for these.
      if (key === 'then' || (typeof key === 'symbol' && key !== Symbol.toPrimitive)) return undefined;
      if (typeof key === 'symbol' || key === 'toString' || key === 'valueOf' || key === 'toJSON')
        return () => {
          throw new InvalidArgumentError(
            'a value that is not known yet is written into a text; expected text`…` or expr`…` with it',
          );
        };
      if (part === undefined)
        throw new InvalidArgumentError(
          `the field ${key} of a text or an expression; expected it by let first`,
        );
      return part(/^(0|[1-9]\d{0,14})$/.test(key) ? Number(key) : key);
    },
    set() {
      throw new InvalidArgumentError('a value of a plan is not assigned to; expected let');
    },
  });
  meanings.set(ref, meaning);
  return ref as Ref;
}

function unusable(what: string): Ref {
  const block: Block = { steps: [], isOpen: false };
  return refTo({ json: null, block, name: what });
}
