import fc from 'fast-check';
import type { ValueType } from '../../../bindings/proofs/contract/index.js';
import {
  type Json,
  listOf,
  literal,
  type Plan,
  type PlanExpression,
  parsed,
  readExpression,
  recordOf,
  type Step,
  type ToolTypes,
  textOf,
  type Value,
  valueOfExpression,
} from '../../../bindings/proofs/workflow/index.js';

const TEXT: ValueType = { kind: 'text' };
const NUMBER: ValueType = { kind: 'number' };
const TRUTH: ValueType = { kind: 'boolean' };
const TEXTS: ValueType = { kind: 'list', of: TEXT };
const required = (type: ValueType) => ({ type, optional: false });
const MAIL: ValueType = {
  kind: 'record',
  fields: {
    from: required(TEXT),
    subject: required(TEXT),
    size: required(NUMBER),
    isRead: required(TRUTH),
    tags: required(TEXTS),
  },
  others: 'denied',
};
const MAILS: ValueType = { kind: 'list', of: MAIL };

type Kind = 'text' | 'number' | 'truth' | 'texts' | 'mail' | 'mails';
const TYPES: Readonly<Record<Kind, ValueType>> = {
  text: TEXT,
  number: NUMBER,
  truth: TRUTH,
  texts: TEXTS,
  mail: MAIL,
  mails: MAILS,
};

interface Tool {
  readonly with: Readonly<Record<string, readonly [Kind, 'optional'?]>>;
  readonly gives: Kind;
}

/** Tools of random plans. The name of one is no identifier. */
const TOOLS: Readonly<Record<string, Tool>> = {
  fetchMails: { with: { folder: ['text'] }, gives: 'mails' },
  sendMail: { with: { to: ['text'], body: ['text'], urgent: ['truth', 'optional'] }, gives: 'truth' },
  'web.search': {
    with: { query: ['text'], limit: ['number', 'optional'], 'within-sites': ['texts', 'optional'] },
    gives: 'texts',
  },
  count: { with: { mails: ['mails'], at: ['number'] }, gives: 'number' },
  latest: { with: {}, gives: 'mail' },
};

export const RANDOM_TOOLS: ToolTypes = {
  tools: new Map(
    Object.entries(TOOLS).map(([name, tool]) => [
      name,
      {
        arguments: new Map(
          Object.entries(tool.with).map(([argument, [kind, optional]]) => [
            argument,
            { type: TYPES[kind], optional: optional === 'optional' },
          ]),
        ),
        result: { type: TYPES[tool.gives] },
      },
    ]),
  ),
};

/** What stub tools answer: it depends on the tool, the arguments, and how many calls came before. */
export function stubAnswer(tool: string, given: unknown, calls: number): Json {
  const text = `${tool} ${JSON.stringify(given)} ${calls}`;
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) % 100_003;
  return answerOf(TOOLS[tool]?.gives ?? 'text', hash);
}

export function answerOf(kind: Kind, hash: number): Json {
  const words = ['alpha', 'beta', 'gamma', 'delta'];
  switch (kind) {
    case 'text':
      return words[hash % 4] + (hash % 3);
    case 'number':
      return (hash % 9) - 2;
    case 'truth':
      return hash % 2 === 0;
    case 'texts':
      return words.slice(0, hash % 4);
    case 'mail':
      return {
        from: `${words[hash % 4]}@home.example`,
        subject: words[(hash >> 2) % 4],
        size: hash % 5,
        isRead: hash % 3 === 0,
        tags: words.slice(0, hash % 3),
      };
    case 'mails':
      return Array.from({ length: hash % 4 }, (_, i) => answerOf('mail', hash * 7 + i));
  }
}

interface Known {
  readonly name: string;
  readonly kind: Kind;
}

/** Draws plans in which every name and type is right, from numbers, so that failures shrink. */
class Drawing {
  readonly #choices: readonly number[];
  readonly #unusual: boolean;
  #at = 0;
  #names = 0;
  #steps = 0;

  /** @param unusual whether ids, notes, fields and texts are drawn that no one would write */
  constructor(choices: readonly number[], unusual: boolean) {
    this.#choices = choices;
    this.#unusual = unusual;
  }

  plan(): Plan {
    const inputs: Known[] = this.pick([
      [],
      [{ name: 'me', kind: 'text' }],
      [
        { name: 'limit', kind: 'number' },
        { name: 'seen', kind: 'mails' },
      ],
    ]);
    const types = inputs.map(({ name, kind }) => [name, TYPES[kind]] as const);
    return { version: 1, goal: this.text(), inputs: Object.fromEntries(types), steps: this.steps(inputs, 0) };
  }

  number(below: number): number {
    return (this.#choices[this.#at++] ?? 0) % below;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.number(of.length)];
  }

  name(): string {
    return `${this.pick(['mails', 'summary', 'x', 'total'])}${this.#names++ || ''}`;
  }

  text(): string {
    const usual = ['', 'inbox', 'a b', 'Total: ', 'it\'s "so"', 'line\nbreak', 'alpha'];
    return this.pick(
      this.#unusual ? [...usual, '`$', '{x}`', '\\', '*/', '\u2028', '\u{1f600}', '//'] : usual,
    );
  }

  steps(known: readonly Known[], depth: number): Step[] {
    const scope = [...known];
    const steps: Step[] = [];
    const count = this.number(depth === 0 ? 6 : 3) + (depth === 0 ? 1 : 0);
    for (let i = 0; i < count && this.#steps < 25; i++) {
      this.#steps++;
      steps.push(this.step(scope, depth));
    }
    const [isLast] = [this.number(5) === 1];
    if (isLast) steps.push({ ...this.head('return'), kind: 'return', value: this.any(scope) });
    return steps;
  }

  head(base: string): { id: string; note?: string } {
    const id = this.number(3) === 1 ? `s${this.#steps}-${this.#names++}` : `${base}_${this.#names++}`;
    return { id, ...(this.number(6) === 1 && { note: this.text() }) };
  }

  step(scope: Known[], depth: number): Step {
    const kinds = ['call', 'call', 'let', 'ask', 'require', 'if', 'forEach', 'fold'] as const;
    const kind = kinds[this.number(depth < 2 ? 8 : 5)];
    const give = (of: Kind): string => {
      const name = this.name();
      scope.push({ name, kind: of });
      return name;
    };
    switch (kind) {
      case 'call': {
        const tool = this.pick(Object.keys(TOOLS));
        const { with: takes, gives } = TOOLS[tool];
        const given = Object.entries(takes).flatMap(([name, [of, optional]]) =>
          optional && this.number(2) === 0 ? [] : [[name, this.value(of, scope)] as const],
        );
        const last = this.number(4);
        const rest = last === 0 ? {} : last === 1 ? ({ onError: 'skip' } as const) : { as: '' };
        const call = { ...this.head(tool.replace('.', '_')), kind, tool, with: Object.fromEntries(given) };
        return 'as' in rest ? { ...call, as: give(gives) } : { ...call, ...rest };
      }
      case 'let': {
        const of = this.pick<Kind>(['text', 'number', 'truth', 'texts', 'mails', 'mail']);
        const be = this.value(of, scope);
        return { ...this.head('let'), kind, name: give(of), be };
      }
      case 'ask': {
        const of = this.pick<Kind>(['text', 'number', 'truth', 'texts']);
        const about = Array.from({ length: this.number(3) }, () => this.any(scope));
        return { ...this.head('ask'), kind, question: this.text(), about, type: TYPES[of], as: give(of) };
      }
      case 'require':
        return { ...this.head('require'), kind, condition: this.condition(scope), otherwise: this.text() };
      case 'if': {
        const condition = this.condition(scope);
        const then = this.steps(scope, depth + 1);
        const otherwise = this.number(2) === 0 ? [] : this.steps(scope, depth + 1);
        if (this.number(3) !== 1) return { ...this.head('if'), kind, condition, then, else: otherwise };
        const of = this.pick<Kind>(['text', 'number']);
        const pair = [this.value(of, scope), this.value(of, scope)] as const;
        const yields = { [give(of)]: pair };
        return { ...this.head('if'), kind, condition, then, else: otherwise, yields };
      }
      case 'forEach': {
        const of = this.pick<'texts' | 'mails'>(['mails', 'texts']);
        const list = this.value(of, scope);
        const item = this.name();
        const inner = [...scope, { name: item, kind: of === 'mails' ? 'mail' : 'text' } as const];
        const body = this.steps(inner, depth + 1);
        const most = this.number(4) === 1 ? { atMost: this.number(9) } : {};
        if (this.number(2) === 0) return { ...this.head('each'), kind, in: list, item, ...most, do: body };
        const value = this.value('text', inner);
        return {
          ...this.head('each'),
          kind,
          in: list,
          item,
          ...most,
          do: body,
          collect: { [give('texts')]: value },
        };
      }
      default: {
        const list = this.value('mails', scope);
        const [item, accumulator] = [this.name(), this.name()];
        const of = this.pick<Kind>(['number', 'text']);
        const from = this.value(of, scope);
        const inner = [...scope, { name: item, kind: 'mail' } as const, { name: accumulator, kind: of }];
        const body = this.steps(inner, depth + 1);
        const next = this.value(of, inner);
        return {
          ...this.head('fold'),
          kind: 'fold',
          in: list,
          item,
          from,
          accumulator,
          do: body,
          next,
          as: give(of),
        };
      }
    }
  }

  any(scope: readonly Known[]): Value {
    if (this.number(4) === 1)
      return recordOf([
        [
          this.#unusual ? this.pick(['a', '__proto__', 'b-c', 'constructor']) : 'a',
          this.value('text', scope),
        ],
        ['n', this.value('number', scope)],
      ]);
    if (this.number(4) === 1)
      return listOf([this.value('text', scope), this.value('number', scope), literal(null)]);
    return this.value(this.pick<Kind>(['text', 'number', 'truth', 'texts', 'mail', 'mails']), scope);
  }

  value(kind: Kind, scope: readonly Known[]): Value {
    const form = this.number(4);
    if (form === 0) return literal(this.literal(kind));
    if (form === 1 && kind === 'text')
      return textOf(
        Array.from({ length: this.number(4) }, () =>
          this.value(this.pick<Kind>(['text', 'number', 'truth']), scope),
        ),
      );
    if (form === 1 && kind === 'texts') return listOf([this.value('text', scope), this.value('text', scope)]);
    return valueOfExpression(parsed(readExpression(this.expression(kind, scope, 0))).root);
  }

  literal(kind: Kind): Json {
    switch (kind) {
      case 'text':
        return this.text();
      case 'number':
        return this.pick([0, 1, -3, 2.5, 40]);
      case 'truth':
        return this.number(2) === 1;
      case 'texts':
        return this.pick<Json>([[], ['alpha'], ['beta', 'b b']]);
      default:
        return answerOf(kind, this.number(50));
    }
  }

  condition(scope: readonly Known[]): PlanExpression {
    return readExpression(this.expression('truth', scope, 0));
  }

  /** An expression whose parts are all computed, so that what stops early elsewhere makes no difference. */
  expression(kind: Kind, scope: readonly Known[], depth: number): string {
    const known = scope.filter((one) => one.kind === kind);
    const mails = scope.filter((one) => one.kind === 'mail');
    const inner = (of: Kind) => this.expression(of, scope, depth + 1);
    if (known.length > 0 && this.number(2) === 0) return this.pick(known).name;
    const field = {
      text: ['from', 'subject'],
      number: ['size'],
      truth: ['isRead'],
      texts: ['tags'],
      mail: [],
      mails: [],
    }[kind];
    if (mails.length > 0 && field.length > 0 && this.number(2) === 0)
      return `${this.pick(mails).name}.${this.pick(field)}`;
    if (depth > 2) return this.written(kind);
    if (this.number(6) === 1) return `(${inner('truth')} ? ${inner(kind)} : ${inner(kind)})`;
    const macro = (list: Kind, of: (name: string) => string, name: string, body: Kind): string => {
      const variable = this.name();
      const within = [...scope, { name: variable, kind: list === 'mails' ? 'mail' : 'text' } as const];
      return `${inner(list)}.${name}(${variable}, ${of(this.expression(body, within, depth + 1))})`;
    };
    const same = (body: string) => body;
    switch (kind) {
      case 'text':
        return this.pick([() => this.written(kind), () => `(${inner('text')} + ${inner('text')})`])();
      case 'number':
        return this.pick([
          () => this.written(kind),
          () => `(${inner('number')} ${this.pick(['+', '-', '*'])} ${inner('number')})`,
          () => `(-${inner('number')})`,
          () => `size(${inner(this.pick<Kind>(['texts', 'mails']))})`,
        ])();
      case 'truth':
        return this.pick([
          () => this.written(kind),
          () => `(${inner('number')} ${this.pick(['<', '<=', '>', '>=', '==', '!='])} ${inner('number')})`,
          () => `(${inner('text')} ${this.pick(['==', '!='])} ${inner('text')})`,
          () => `(${inner('truth')} ${this.pick(['&&', '||'])} ${inner('truth')})`,
          () => `(!${inner('truth')})`,
          () => `${inner('text')}.${this.pick(['startsWith', 'endsWith', 'contains'])}(${inner('text')})`,
          () => `(${inner('text')} in ${inner('texts')})`,
          () => macro('mails', same, this.pick(['exists', 'all', 'exists_one']), 'truth'),
        ])();
      case 'texts':
        return this.pick([
          () => this.written(kind),
          () => macro('mails', same, 'map', 'text'),
          () => macro('texts', same, 'filter', 'truth'),
        ])();
      case 'mails':
        return this.pick([() => this.written(kind), () => macro('mails', same, 'filter', 'truth')])();
      case 'mail':
        return this.written(kind);
    }
  }

  written(kind: Kind): string {
    return JSON.stringify(this.literal(kind));
  }
}

/** Plans whose names and types are right, of at most 25 steps or so. */
export function randomPlans({ unusual }: { readonly unusual: boolean }): fc.Arbitrary<Plan> {
  return fc
    .array(fc.nat(1 << 20), { maxLength: 220, size: 'max' })
    .map((choices) => new Drawing(choices, unusual).plan());
}
