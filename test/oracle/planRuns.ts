/*
 * All runs of small plans, for all that tools may give: an interpreter of its own, with data that carry where they come from. It shares no code with the proof.
 */

export type Plain = null | boolean | number | string | readonly Plain[];

/** Where data come from. `ties` are sources for flows and readers, of which some were endorsed; `untrusted` are those that are not trusted. */
export interface Origin {
  readonly ties: ReadonlySet<string>;
  readonly untrusted: ReadonlySet<string>;
}

export interface Tagged {
  readonly value: Plain;
  readonly origin: Origin;
  /** Of lists, the elements, each with its own origin; `origin` is that of their number. */
  readonly items?: readonly Tagged[];
}

const NOTHING: Origin = { ties: new Set(), untrusted: new Set() };

export function joined(...origins: readonly Origin[]): Origin {
  return {
    ties: new Set(origins.flatMap(({ ties }) => [...ties])),
    untrusted: new Set(origins.flatMap(({ untrusted }) => [...untrusted])),
  };
}

export function literal(value: Plain): Tagged {
  return Array.isArray(value)
    ? { value, origin: NOTHING, items: value.map((one) => literal(one as Plain)) }
    : { value, origin: NOTHING };
}

export function wholeOrigin({ origin, items = [] }: Tagged): Origin {
  return joined(origin, ...items.map(wholeOrigin));
}

/** A value of a small plan. */
export type SmallValue =
  | { readonly kind: 'literal'; readonly value: Plain }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly index: number }
  | { readonly kind: 'list'; readonly of: readonly SmallValue[] };

/** A condition: how it is written, the names that it reads, and its value; undefined if it has none. */
export interface SmallCondition {
  readonly source: string;
  readonly reads: readonly string[];
  /** Whether it reads of lists their size alone. */
  readonly holds: (names: (name: string) => Plain) => boolean | undefined;
  /** A name that it says to be one of literals. */
  readonly pins: string | null;
}

export type SmallStep = { readonly id: string } & (
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly given: Readonly<Record<string, SmallValue>>;
      readonly as: string | null;
      readonly skip: boolean;
    }
  | { readonly kind: 'ask'; readonly about: readonly SmallValue[]; readonly as: string }
  | { readonly kind: 'let'; readonly name: string; readonly be: SmallValue }
  | {
      readonly kind: 'if';
      readonly condition: SmallCondition;
      readonly then: readonly SmallStep[];
      readonly else: readonly SmallStep[];
      readonly yields: Readonly<Record<string, readonly [SmallValue, SmallValue]>>;
    }
  | {
      readonly kind: 'forEach';
      readonly in: SmallValue;
      readonly item: string;
      readonly atMost: number | null;
      readonly do: readonly SmallStep[];
      readonly collect: Readonly<Record<string, SmallValue>>;
    }
  | {
      readonly kind: 'fold';
      readonly in: SmallValue;
      readonly item: string;
      readonly from: SmallValue;
      readonly accumulator: string;
      readonly do: readonly SmallStep[];
      readonly next: SmallValue;
      readonly as: string;
    }
  | { readonly kind: 'require'; readonly condition: SmallCondition }
  | { readonly kind: 'return'; readonly value: SmallValue }
);

export interface SmallTool {
  /** What it may give for these arguments. */
  readonly gives: (given: Readonly<Record<string, Plain>>, notes: readonly Plain[]) => readonly Plain[];
  readonly isTrusted: boolean;
  readonly isPure: boolean;
  readonly endorses: boolean;
  readonly reads: boolean;
  readonly writes: boolean;
}

export interface SmallCall {
  readonly step: string;
  readonly tool: string;
  readonly given: Readonly<Record<string, Tagged>>;
  /** What decided that it is made. */
  readonly pc: Origin;
  readonly ok: boolean;
}

export interface SmallRun {
  readonly calls: readonly SmallCall[];
  readonly end: 'returned' | 'required' | 'failed';
  /** The choices that were made, in order. */
  readonly choices: readonly SmallChoice[];
}

/** What a tool, a model or a failure gave. */
export interface SmallChoice {
  readonly tool: string;
  /** How many values it might have given, and which it gave. */
  readonly of: number;
  readonly taken: number;
  /** The step, with the rounds around it. */
  readonly at: string;
  /** What it was given and could read, as JSON. */
  readonly given: string;
}

/** Runs the plan once for each combination of what tools may give, at most so many times. @returns null if there are more */
export function allRuns(
  steps: readonly SmallStep[],
  tools: Readonly<Record<string, SmallTool>>,
  most: number,
  implicit: 'full' | 'data',
): SmallRun[] | null {
  const runs: SmallRun[] = [];
  let prefix: number[] = [];
  for (;;) {
    const run = new SmallInterpreter(tools, prefix, implicit).run(steps);
    runs.push(run);
    if (runs.length > most) return null;
    const taken = run.choices.map((choice) => choice.taken);
    let at = taken.length - 1;
    while (at >= 0 && taken[at] + 1 >= run.choices[at].of) at--;
    if (at < 0) return runs;
    prefix = [...taken.slice(0, at), taken[at] + 1];
  }
}

class Stop extends Error {
  readonly how: SmallRun['end'];
  constructor(how: SmallRun['end']) {
    super(how);
    this.how = how;
  }
}

type Names = Map<string, Tagged>;

class SmallInterpreter {
  readonly #tools: Readonly<Record<string, SmallTool>>;
  readonly #prefix: readonly number[];
  readonly #choices: SmallChoice[] = [];
  #round: readonly number[] = [];
  readonly #calls: SmallCall[] = [];
  readonly #notes: Plain[] = [];
  #stored: Origin = NOTHING;
  #pc: Origin = NOTHING;
  #stopped: Origin = NOTHING;

  readonly #implicit: 'full' | 'data';

  constructor(
    tools: Readonly<Record<string, SmallTool>>,
    prefix: readonly number[],
    implicit: 'full' | 'data',
  ) {
    this.#implicit = implicit;
    this.#tools = tools;
    this.#prefix = prefix;
  }

  run(steps: readonly SmallStep[]): SmallRun {
    let end: SmallRun['end'] = 'returned';
    try {
      this.#list(steps, new Map());
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      end = error.how;
    }
    return { calls: this.#calls, end, choices: this.#choices };
  }

  /** What decides that the step is taken, as far as that is looked at. */
  get #decided(): Origin {
    return this.#implicit === 'full' ? joined(this.#pc, this.#stopped) : NOTHING;
  }

  #choose(tool: string, of: number, step: string, given: readonly unknown[]): number {
    const taken = this.#prefix[this.#choices.length] ?? 0;
    const at = [step, ...this.#round].join(' ');
    this.#choices.push({ tool, of, taken, at, given: JSON.stringify(given) });
    return taken;
  }

  #list(steps: readonly SmallStep[], names: Names): Names {
    const inner = new Map(names);
    for (const step of steps) this.#step(step, inner);
    return inner;
  }

  #step(step: SmallStep, names: Names): void {
    switch (step.kind) {
      case 'call':
        this.#call(step, names);
        break;
      case 'ask': {
        const asked = step.about.map((one) => this.#value(one, names));
        const about = asked.map(wholeOrigin);
        const data = asked.map(({ value }) => value);
        const value = TEXTS[this.#choose('ask', TEXTS.length, step.id, data)];
        const own: Origin = { ties: new Set(['ask']), untrusted: new Set(['ask']) };
        names.set(step.as, { value, origin: joined(own, this.#decided, ...about) });
        break;
      }
      case 'let':
        names.set(step.name, this.#value(step.be, names));
        break;
      case 'if': {
        const { holds, origin } = this.#condition(step.condition, names);
        const before = this.#pc;
        this.#pc = joined(before, origin);
        const inner = this.#list(holds ? step.then : step.else, names);
        for (const [name, pair] of Object.entries(step.yields))
          names.set(name, raised(this.#value(pair[holds ? 0 : 1], inner), origin));
        this.#pc = before;
        break;
      }
      case 'forEach': {
        const list = this.#value(step.in, names);
        if (step.atMost !== null && (list.items?.length ?? 0) > step.atMost) throw new Stop('failed');
        const collected = new Map(Object.keys(step.collect).map((name) => [name, [] as Tagged[]]));
        this.#rounds(list, (item) => {
          const inner = this.#list(step.do, new Map([...names, [step.item, item]]));
          for (const [name, value] of Object.entries(step.collect))
            collected.get(name)?.push(this.#value(value, inner));
        });
        // That there is an element is decided by the number of rounds: it leaves its round as the name of a `yields` leaves its branch.
        const origin = joined(list.origin, this.#decided);
        for (const [name, items] of collected)
          names.set(name, {
            value: items.map(({ value }) => value),
            items: items.map((item) => raised(item, origin)),
            origin,
          });
        break;
      }
      case 'fold': {
        let accumulator = this.#value(step.from, names);
        const list = this.#value(step.in, names);
        this.#rounds(list, (item) => {
          const inner = this.#list(
            step.do,
            new Map([...names, [step.item, item], [step.accumulator, accumulator]]),
          );
          accumulator = this.#value(step.next, inner);
        });
        names.set(step.as, raised(accumulator, list.origin));
        break;
      }
      case 'require': {
        const { holds, origin } = this.#condition(step.condition, names);
        if (!holds) throw new Stop('required');
        const pin = step.condition.pins;
        const pinned = pin === null ? undefined : names.get(pin);
        if (pin !== null && pinned !== undefined)
          names.set(pin, { ...pinned, origin: { ties: pinned.origin.ties, untrusted: new Set() } });
        // That the plan goes on tells of the condition. Whoever can make it stop gains nothing.
        this.#stopped = joined(this.#stopped, this.#pc, { ties: origin.ties, untrusted: new Set() });
        break;
      }
      case 'return':
        this.#value(step.value, names);
        throw new Stop('returned');
    }
  }

  #rounds(list: Tagged, round: (item: Tagged) => void): void {
    const before = this.#pc;
    this.#pc = joined(before, list.origin);
    const around = this.#round;
    for (const [i, item] of (list.items ?? []).entries()) {
      this.#round = [...around, i];
      round(item);
    }
    this.#round = around;
    this.#pc = before;
  }

  #call(step: SmallStep & { kind: 'call' }, names: Names): void {
    const given = Object.fromEntries(
      Object.entries(step.given).map(([name, value]) => [name, this.#value(value, names)]),
    );
    const tool = this.#tools[step.tool];
    const ok = !step.skip || this.#choose('failing', 2, step.id, []) === 0;
    this.#calls.push({ step: step.id, tool: step.tool, given, pc: this.#decided, ok });
    const of = joined(this.#decided, ...Object.values(given).map(wholeOrigin));
    if (tool.writes) {
      this.#stored = joined(this.#stored, of);
      this.#notes.push(Object.values(given)[0]?.value ?? null);
    }
    if (!ok) return;
    const values = tool.gives(
      Object.fromEntries(Object.entries(given).map(([name, { value }]) => [name, value])),
      this.#notes,
    );
    const could = [Object.values(given).map(({ value: one }) => one), tool.reads ? this.#notes : []];
    const value = values[this.#choose(step.tool, values.length, step.id, could)];
    if (step.as === null) return;
    const own: Origin = {
      ties: new Set([step.tool]),
      untrusted: new Set(tool.isPure || tool.isTrusted ? [] : [step.tool]),
    };
    let origin = joined(own, of, tool.reads ? this.#stored : NOTHING);
    if (tool.endorses)
      origin = {
        ...origin,
        ties: new Set([...origin.ties].map((tie) => (tie.endsWith('!') ? tie : `${tie}!`))),
      };
    const items = Array.isArray(value) ? value.map((one) => ({ value: one as Plain, origin })) : undefined;
    names.set(step.as, { value, origin, ...(items && { items }) });
  }

  #condition(condition: SmallCondition, names: Names): { readonly holds: boolean; readonly origin: Origin } {
    const holds = condition.holds((name) => (names.get(name) as Tagged).value);
    if (holds === undefined) throw new Stop('failed');
    const origins = condition.reads.map((name) => {
      const value = names.get(name) as Tagged;
      return condition.source.includes('size(') ? value.origin : wholeOrigin(value);
    });
    return { holds, origin: joined(...origins) };
  }

  #value(value: SmallValue, names: Names): Tagged {
    switch (value.kind) {
      case 'literal':
        return literal(value.value);
      case 'name':
        return names.get(value.name) as Tagged;
      case 'element': {
        const item = names.get(value.name)?.items?.[value.index];
        if (item === undefined) throw new Stop('failed');
        return item;
      }
      case 'list': {
        const items = value.of.map((one) => this.#value(one, names));
        return { value: items.map((one) => one.value), items, origin: NOTHING };
      }
    }
  }
}

function raised(value: Tagged, origin: Origin): Tagged {
  return {
    ...value,
    origin: joined(value.origin, origin),
    ...(value.items && { items: value.items.map((item) => raised(item, origin)) }),
  };
}

export const TEXTS = ['a', 'b'] as const;
