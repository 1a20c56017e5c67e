import type { Goal } from '../../bindings/proofs/planProof/index.js';
import type { Plan, Step, Value } from '../../bindings/proofs/workflow/index.js';
import {
  type Plain,
  type SmallCondition,
  type SmallStep,
  type SmallTool,
  type SmallValue,
  TEXTS,
} from '../oracle/planRuns.js';

/** Random numbers of one seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export type Readers = 'everyone' | 'me' | 'nobody';

/** Contracts of small tools, as they are declared and as the oracle judges by them. */
export interface SmallContracts {
  readonly declared: object;
  readonly tools: Readonly<Record<string, SmallTool>>;
  readonly readers: Readonly<Record<string, Readers>>;
  readonly trustedTo: boolean;
  readonly bodyReaders: Readers | 'none';
  readonly consequential: boolean;
  readonly observable: Readers | 'none';
  readonly isPublic: boolean;
  readonly requires: string | null;
  readonly from: readonly string[];
  readonly unless: string | null;
  /** A rule of order; null: none. */
  readonly rule: (typeof RULES)[number] | null;
  readonly theme: Theme;
  readonly implicit: 'full' | 'data';
}

/** Conditions on the arguments of `send` by how they are written. */
export const ON_SEND: Readonly<Record<string, (to: Plain, body: Plain) => boolean>> = {
  'to == "a"': (to) => to === 'a',
  'to != body': (to, body) => to !== body,
  'to in ["a", "c"]': (to) => to === 'a' || to === 'c',
  'body == "a" || to == "b"': (to, body) => body === 'a' || to === 'b',
};

export const RULES = [
  'G (send -> O approve)',
  'G (send -> WX G !send)',
  'G (approve -> F send)',
  'G !sendA',
  'G (sendA -> O approve)',
  'G (send -> Y approve)',
  'G (read -> WX G !act)',
  'F approve',
] as const;

export class Draw {
  readonly #random: () => number;
  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)];
  }
}

/** What plans are mostly about, so that few of them break contracts for other reasons. */
export type Theme = 'data' | 'stores' | 'loops' | 'order' | 'effects' | 'mixed';
const THEMES: readonly Theme[] = ['data', 'stores', 'loops', 'order', 'effects', 'mixed'];

/** The tools that plans of a theme call; those that stand twice are called twice as often. */
const TOOLS_OF: Readonly<Record<Theme, readonly string[]>> = {
  data: ['read', 'look', 'flag', 'copy', 'clean', 'send', 'send', 'send'],
  stores: ['read', 'read', 'note', 'note', 'recall', 'recall', 'send', 'send', 'flag'],
  loops: ['list', 'list', 'read', 'look', 'send', 'send', 'act', 'copy'],
  order: ['flag', 'count', 'approve', 'approve', 'send', 'send', 'act', 'list'],
  effects: ['flag', 'look', 'remove', 'remove', 'clear', 'save', 'list'],
  mixed: [
    'read',
    'look',
    'flag',
    'count',
    'list',
    'copy',
    'clean',
    'note',
    'recall',
    'approve',
    'act',
    'send',
    'send',
    'remove',
    'clear',
    'save',
  ],
};

export function drawContracts(draw: Draw): SmallContracts {
  const theme = draw.one(THEMES);
  const readersOf = (): Readers => draw.one(['everyone', 'everyone', 'me', 'nobody'] as const);
  const readers = {
    read: readersOf(),
    look: 'everyone',
    flag: readersOf(),
    count: readersOf(),
    list: readersOf(),
  } as const;
  const flagTrusted = draw.chance(0.5);
  const trustedTo = draw.chance(0.4);
  const bodyReaders = draw.one(['none', 'none', 'everyone', 'me'] as const);
  const consequential = draw.chance(0.4);
  const observable = draw.one(['none', 'none', 'everyone', 'me'] as const);
  const isPublic = draw.chance(0.3);
  const requires = draw.chance(theme === 'stores' || theme === 'loops' ? 0.15 : 0.4)
    ? draw.one(Object.keys(ON_SEND))
    : null;
  const from = draw.one([['read'], ['flag'], ['read', 'list'], ['*'], ['look']]);
  const unless = draw.chance(0.4) ? draw.one(Object.keys(ON_SEND)) : null;
  const rule = draw.chance(theme === 'order' ? 1 : theme === 'mixed' ? 0.5 : 0) ? draw.one(RULES) : null;
  const implicit = draw.chance(0.75) ? 'full' : 'data';
  const text = { enum: [...TEXTS] };
  const any = { enum: ['a', 'b', 'c'] };
  const result = (type: object, name: keyof typeof readers, trusted: boolean) => ({
    ...type,
    integrity: trusted ? 'trusted' : 'untrusted',
    readers: readers[name],
  });
  const declared = {
    version: 1,
    readers: { me: ['me'] },
    stores: { notes: { public: isPublic }, files: { key: { type: 'string' } } },
    tools: {
      read: { result: result(text, 'read', false) },
      look: { result: result(text, 'look', true) },
      flag: { result: result({ type: 'boolean' }, 'flag', flagTrusted) },
      count: { result: result({ type: 'integer', minimum: 0, maximum: 2 }, 'count', true) },
      list: { result: result({ type: 'list', of: text, maxItems: 2 }, 'list', false) },
      copy: { arguments: { x: any }, pure: true, result: text, ensures: 'x == "c" || result == x' },
      clean: { arguments: { x: any }, pure: true, result: text, endorses: ['leak'] },
      note: { arguments: { x: any }, writes: ['notes'], consequential: false },
      recall: { result: { ...text, integrity: 'trusted', readers: 'everyone' }, reads: ['notes'] },
      approve: { consequential: false },
      act: { consequential: true },
      send: {
        arguments: {
          to: { ...any, integrity: trustedTo ? 'trusted' : 'any' },
          body: { ...any, sink: true, ...(bodyReaders !== 'none' && { readers: bodyReaders }) },
        },
        consequential,
        ...(observable !== 'none' && { observable }),
        ...(requires !== null && { requires }),
      },
      remove: { arguments: { x: any }, effects: { removes: { files: 'key == x' } }, consequential: false },
      clear: {
        arguments: { pattern: { format: 'glob' } },
        effects: { removes: { files: 'glob(key, pattern)' } },
        consequential: false,
      },
      save: { arguments: { x: any }, effects: { writes: { files: 'key == x' } }, consequential: false },
    },
    flows: { leak: { from, to: 'send.body', ...(unless !== null && { unless }), through: 'clean' } },
    events: { sendA: { tool: 'send', when: 'to == "a"' } },
    ...(rule !== null && { rules: { order: rule } }),
    implicit,
  };
  const tool = (gives: SmallTool['gives'], more: Partial<SmallTool> = {}): SmallTool => ({
    gives,
    isTrusted: true,
    isPure: false,
    endorses: false,
    reads: false,
    writes: false,
    ...more,
  });
  const nothing = () => [null];
  const tools = {
    read: tool(() => TEXTS, { isTrusted: false }),
    look: tool(() => TEXTS),
    flag: tool(() => [true, false], { isTrusted: flagTrusted }),
    count: tool(() => [0, 1, 2]),
    list: tool(() => LISTS, { isTrusted: false }),
    copy: tool(({ x }) => (x === 'c' ? TEXTS : [x]), { isPure: true }),
    clean: tool(() => TEXTS, { isPure: true, endorses: true }),
    note: tool(nothing, { writes: true }),
    recall: tool(() => TEXTS, { reads: true }),
    approve: tool(nothing),
    act: tool(nothing),
    send: tool(nothing),
    remove: tool(nothing),
    clear: tool(nothing),
    save: tool(nothing),
  };
  return {
    declared,
    tools,
    readers,
    trustedTo,
    bodyReaders,
    consequential,
    observable,
    isPublic,
    requires,
    from,
    unless,
    rule,
    theme,
    implicit,
  };
}

/** All values of the declared type of `list`. */
const LISTS: readonly Plain[] = [
  [],
  ...TEXTS.map((one) => [one]),
  ...TEXTS.flatMap((a) => TEXTS.map((b) => [a, b])),
];

type Kind = 'text' | 'flag' | 'number' | 'list';
/** What tools give. */
const KINDS: Readonly<Record<string, Kind>> = {
  read: 'text',
  look: 'text',
  flag: 'flag',
  count: 'number',
  list: 'list',
  copy: 'text',
  clean: 'text',
  recall: 'text',
};

type Known = readonly { readonly name: string; readonly kind: Kind }[];

/** Draws small plans that fit the types of the tools. */
export class SmallPlans {
  readonly #draw: Draw;
  #count = 0;
  #calls = 0;

  readonly #theme: Theme;

  constructor(draw: Draw, theme: Theme) {
    this.#draw = draw;
    this.#theme = theme;
  }

  plan(): SmallStep[] {
    const draw = this.#draw;
    const drawn = this.#steps([], draw.below(3), 1);
    // Nothing follows a step that returns.
    const before = { ...drawn, steps: drawn.steps.filter(({ kind }) => kind !== 'return') };
    const idiom = this.#idiom(before.known);
    // Half of the plans have a pattern that can go wrong in one way, with random steps around it.
    if (draw.chance(0.5))
      return [...before.steps, ...idiom, ...this.#steps(before.known, draw.below(2), 1).steps];
    return this.#steps([], 2 + draw.below(4), 2).steps;
  }

  #made(
    tool: string,
    given: Readonly<Record<string, SmallValue>> = {},
    skip = false,
  ): SmallStep & { kind: 'call' } {
    const as = KINDS[tool] === undefined ? null : this.#fresh('v');
    return { id: this.#fresh('c'), kind: 'call', tool, given, as, skip };
  }

  #idiom(known: Known): SmallStep[] {
    const draw = this.#draw;
    const name = (of: string | null): SmallValue => ({ kind: 'name', name: of as string });
    const either = (a: SmallValue) => (draw.chance(0.7) ? a : this.#text(known));
    const source = this.#made(draw.one(['read', 'read', 'look']));
    const value = name(source.as);
    const flag = this.#made('flag');
    const onFlag = {
      source: flag.as as string,
      reads: [flag.as as string],
      holds: (of: (one: string) => Plain) => of(flag.as as string) as boolean,
      pins: null,
    };
    const branch = (
      then: SmallStep[],
      otherwise: SmallStep[] = [],
      yields: Record<string, readonly [SmallValue, SmallValue]> = {},
    ): SmallStep => ({ id: this.#fresh('i'), kind: 'if', condition: onFlag, then, else: otherwise, yields });
    const send = (body: SmallValue) => this.#made('send', { to: this.#text(known), body });
    switch (this.#theme) {
      case 'stores': {
        const note = this.#made('note', { x: either(value) });
        const recall = this.#made('recall');
        return [source, flag, draw.chance(0.3) ? branch([note]) : note, recall, send(name(recall.as))];
      }
      case 'data': {
        const clean = this.#made('clean', { x: either(value) });
        const chosen = this.#fresh('v');
        const pair = [either(name(clean.as)), either(value)] as const;
        if (draw.chance(0.4))
          return [
            source,
            flag,
            branch([{ id: this.#fresh('g'), kind: 'return', value }]),
            send({ kind: 'literal', value: 'a' }),
          ];
        return [
          source,
          clean,
          flag,
          branch([], [], { [chosen]: draw.chance(0.5) ? pair : [pair[1], pair[0]] }),
          send(name(chosen)),
        ];
      }
      case 'loops': {
        const inner = this.#made('look');
        const all = this.#fresh('v');
        const item = this.#fresh('v');
        const list: SmallValue = { kind: 'list', of: [this.#text(known), this.#text(known)] };
        const loop: SmallStep = {
          id: this.#fresh('e'),
          kind: 'forEach',
          in: list,
          item,
          atMost: null,
          do: [inner],
          collect: { [all]: name(inner.as) },
        };
        const of = (index: number): SmallValue => ({ kind: 'element', name: all, index });
        return [loop, this.#made('send', { to: of(0), body: of(draw.below(2)) })];
      }
      case 'order':
        return [
          flag,
          draw.chance(0.5)
            ? branch([this.#made('approve')], draw.chance(0.3) ? [this.#made('approve')] : [])
            : this.#made('approve', {}, draw.chance(0.4)),
          send(this.#text(known)),
        ];
      case 'effects': {
        const remove = () =>
          this.#made('remove', { x: { kind: 'literal', value: draw.one(['a', 'a', 'b']) } });
        return [
          flag,
          branch([remove()], draw.chance(0.5) ? [remove()] : []),
          ...(draw.chance(0.3) ? [this.#made('save', { x: this.#text(known) })] : []),
        ];
      }
      default:
        return [source];
    }
  }

  #fresh(prefix: string): string {
    return `${prefix}${this.#count++}`;
  }

  #steps(known: Known, most: number, depth: number): { steps: SmallStep[]; known: Known } {
    const steps: SmallStep[] = [];
    let names = known;
    for (let i = 0; i < most; i++) {
      const [step, given] = this.#step(names, depth, i === most - 1);
      steps.push(step);
      names = [...names, ...given];
      if (step.kind === 'return') break;
    }
    return { steps, known: names };
  }

  #text(known: Known): SmallValue {
    const texts = known.filter(({ kind }) => kind === 'text');
    const lists = known.filter(({ kind }) => kind === 'list');
    if (lists.length > 0 && this.#draw.chance(0.15))
      return { kind: 'element', name: this.#draw.one(lists).name, index: 0 };
    if (texts.length === 0 || this.#draw.chance(0.35))
      return { kind: 'literal', value: this.#draw.one(['a', 'b', 'c']) };
    return { kind: 'name', name: this.#draw.one(texts.slice(-3)).name };
  }

  #list(known: Known): SmallValue {
    const lists = known.filter(({ kind }) => kind === 'list');
    if (lists.length > 0 && this.#draw.chance(0.7)) return { kind: 'name', name: this.#draw.one(lists).name };
    return { kind: 'list', of: [this.#text(known), this.#text(known)] };
  }

  #condition(known: Known): SmallCondition {
    const draw = this.#draw;
    const { name, kind } = known.length === 0 ? { name: '', kind: null } : draw.one(known.slice(-4));
    switch (kind) {
      case 'flag':
        return draw.chance(0.5)
          ? { source: name, reads: [name], holds: (of) => of(name) as boolean, pins: null }
          : { source: `!${name}`, reads: [name], holds: (of) => !of(name), pins: null };
      case 'number': {
        const bound = draw.below(3);
        return {
          source: `${name} >= ${bound}`,
          reads: [name],
          holds: (of) => (of(name) as number) >= bound,
          pins: null,
        };
      }
      case 'list':
        return {
          source: `size(${name}) > 0`,
          reads: [name],
          holds: (of) => (of(name) as readonly Plain[]).length > 0,
          pins: null,
        };
      case 'text': {
        const text = draw.one(['a', 'b']);
        const other = draw.one(known.filter((one) => one.kind === 'text')).name;
        if (draw.chance(0.25))
          return {
            source: `${name} == ${other}`,
            reads: [name, other],
            holds: (of) => of(name) === of(other),
            pins: null,
          };
        if (draw.chance(0.3))
          return {
            source: `${name} != "${text}"`,
            reads: [name],
            holds: (of) => of(name) !== text,
            pins: null,
          };
        return {
          source: `${name} == "${text}"`,
          reads: [name],
          holds: (of) => of(name) === text,
          pins: name,
        };
      }
      default:
        return { source: 'true', reads: [], holds: () => true, pins: null };
    }
  }

  #step(known: Known, depth: number, isLast: boolean): [SmallStep, Known] {
    const draw = this.#draw;
    if (isLast && depth < 2 && draw.chance(0.1))
      return [{ id: this.#fresh('g'), kind: 'return', value: this.#text(known) }, []];
    const choice = draw.below(this.#calls > 7 ? 4 : 20);
    if (choice === 0) {
      const name = this.#fresh('v');
      const isList = draw.chance(0.3);
      const be = isList ? this.#list(known) : this.#text(known);
      return [{ id: this.#fresh('l'), kind: 'let', name, be }, [{ name, kind: isList ? 'list' : 'text' }]];
    }
    if (choice === 1)
      return [{ id: this.#fresh('r'), kind: 'require', condition: this.#condition(known) }, []];
    if (choice === 2 && isLast)
      return [{ id: this.#fresh('g'), kind: 'return', value: this.#text(known) }, []];
    if (choice <= 3) {
      const as = this.#fresh('v');
      return [
        { id: this.#fresh('q'), kind: 'ask', about: [this.#text(known)], as },
        [{ name: as, kind: 'text' }],
      ];
    }
    if (choice <= 6 && depth > 0) return this.#branch(known, depth);
    if (choice <= (this.#theme === 'loops' ? 11 : 8) && depth > 0) return this.#loop(known, depth);
    return this.#call(known);
  }

  #branch(known: Known, depth: number): [SmallStep, Known] {
    const condition = this.#condition(known);
    const then = this.#steps(known, 1 + this.#draw.below(2), depth - 1);
    const otherwise = this.#draw.chance(0.5) ? this.#steps(known, 1, depth - 1) : { steps: [], known };
    const name = this.#fresh('v');
    const yields = this.#draw.chance(0.4)
      ? { [name]: [this.#text(then.known), this.#text(otherwise.known)] as const }
      : {};
    const given: Known = Object.keys(yields).map((one) => ({ name: one, kind: 'text' }));
    return [
      { id: this.#fresh('i'), kind: 'if', condition, then: then.steps, else: otherwise.steps, yields },
      given,
    ];
  }

  #loop(known: Known, depth: number): [SmallStep, Known] {
    const list = this.#list(known);
    const item = this.#fresh('v');
    const inner: Known = [...known, { name: item, kind: 'text' }];
    if (this.#draw.chance(0.3)) {
      const accumulator = this.#fresh('v');
      const body = this.#steps([...inner, { name: accumulator, kind: 'text' }], 1, depth - 1);
      const as = this.#fresh('v');
      const from = this.#text(known);
      const next = this.#text(body.known);
      return [
        { id: this.#fresh('f'), kind: 'fold', in: list, item, from, accumulator, do: body.steps, next, as },
        [{ name: as, kind: 'text' }],
      ];
    }
    const body = this.#steps(inner, 1 + this.#draw.below(2), depth - 1);
    const name = this.#fresh('v');
    const collect = this.#draw.chance(0.4) ? { [name]: this.#text(body.known) } : {};
    const given: Known = Object.keys(collect).map((one) => ({ name: one, kind: 'list' }));
    const atMost = this.#draw.chance(0.2) ? 1 : null;
    return [
      { id: this.#fresh('e'), kind: 'forEach', in: list, item, atMost, do: body.steps, collect },
      given,
    ];
  }

  #call(known: Known): [SmallStep, Known] {
    this.#calls++;
    const draw = this.#draw;
    const text = () => this.#text(known);
    const tool = draw.one(TOOLS_OF[this.#theme]);
    const kind = KINDS[tool] ?? null;
    const given: Record<string, SmallValue> =
      tool === 'send'
        ? { to: text(), body: text() }
        : tool === 'clear'
          ? { pattern: { kind: 'literal', value: draw.one(['a', 'b*', '*']) } }
          : ['copy', 'clean', 'note', 'remove', 'save'].includes(tool)
            ? { x: text() }
            : {};
    const as = kind === null ? null : this.#fresh('v');
    const skip = kind === null && draw.chance(0.1);
    const given2: Known = as === null || kind === null ? [] : [{ name: as, kind }];
    return [{ id: this.#fresh('c'), kind: 'call', tool, given, as, skip }, given2];
  }
}

/** The plan as it is verified. */
export function planOf(steps: readonly SmallStep[]): Plan {
  return { version: 1, goal: 'small', inputs: {}, steps: steps.map(stepOf) };
}

function stepOf(step: SmallStep): Step {
  switch (step.kind) {
    case 'call':
      return {
        id: step.id,
        kind: 'call',
        tool: step.tool,
        with: mapped(step.given),
        ...(step.as !== null && { as: step.as }),
        ...(step.skip && { onError: 'skip' as const }),
      };
    case 'ask':
      return {
        id: step.id,
        kind: 'ask',
        question: '?',
        about: step.about.map(asValue),
        type: { kind: 'text', values: [...TEXTS] },
        as: step.as,
      };
    case 'let':
      return { id: step.id, kind: 'let', name: step.name, be: asValue(step.be) };
    case 'if':
      return {
        id: step.id,
        kind: 'if',
        condition: { source: step.condition.source },
        then: step.then.map(stepOf),
        else: step.else.map(stepOf),
        yields: Object.fromEntries(
          Object.entries(step.yields).map(([name, [a, b]]) => [name, [asValue(a), asValue(b)]]),
        ),
      };
    case 'forEach':
      return {
        id: step.id,
        kind: 'forEach',
        in: asValue(step.in),
        item: step.item,
        ...(step.atMost !== null && { atMost: step.atMost }),
        do: step.do.map(stepOf),
        collect: mapped(step.collect),
      };
    case 'fold':
      return {
        id: step.id,
        kind: 'fold',
        in: asValue(step.in),
        item: step.item,
        from: asValue(step.from),
        accumulator: step.accumulator,
        do: step.do.map(stepOf),
        next: asValue(step.next),
        as: step.as,
      };
    case 'require':
      return {
        id: step.id,
        kind: 'require',
        condition: { source: step.condition.source },
        otherwise: 'stop',
      };
    case 'return':
      return { id: step.id, kind: 'return', value: asValue(step.value) };
  }
}

function mapped(values: Readonly<Record<string, SmallValue>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asValue(value)]));
}

function asValue(value: SmallValue): Value {
  switch (value.kind) {
    case 'literal':
      return { kind: 'literal', value: value.value };
    case 'name':
      return { kind: 'reference', name: value.name, path: [] };
    case 'element':
      return { kind: 'reference', name: value.name, path: [value.index] };
    case 'list':
      return { kind: 'list', of: value.of.map(asValue) };
  }
}

export const GOALS: readonly (Goal | null)[] = [
  null,
  { removed: { files: ['a'] }, unchanged: 'rest' },
  { removed: { files: ['a', 'b'] } },
  { written: { files: ['a'] }, unchanged: 'rest' },
];
