import fc from 'fast-check';
import ts from 'typescript';
import { Random } from '../../bindings/base/random.js';
import * as library from '../../bindings/languages/policyScript/index.js';

/** A number from 0 on below another. */
type Draw = (below: number) => number;

/** The file of policies for a script over all kinds of inputs. */
export const POLICIES = JSON.stringify({
  version: 1,
  inputs: {
    to: { list: 'text', max: 6 },
    modes: { list: ['draft', 'final'] },
    nums: { list: 'number' },
    path: { type: 'text' },
    url: { type: 'text' },
    subject: { type: 'text', optional: true },
    flag: { type: 'boolean', optional: true },
    secret: { type: 'boolean' },
    cents: { integer: [-50, 1000] },
    amount: { type: 'number' },
    mode: { enum: ['draft', 'final'] },
  },
  policies: { p: { tools: ['t'], source: 'p.policy.ts' } },
});

const HEAD = `import { deny, domainOf, emails, extension, glob, hostOf, isUnder, localPart, lowerAscii, permit, size, trim, type Decision } from 'foreguard/policy';

interface Inputs {
  readonly to: readonly string[];
  readonly modes: readonly ('draft' | 'final')[];
  readonly nums: readonly number[];
  readonly path: string;
  readonly url: string;
  readonly subject: string | null;
  readonly flag: boolean | null;
  readonly secret: boolean;
  readonly cents: number;
  readonly amount: number;
  readonly mode: 'draft' | 'final';
}
`;

const address = fc.constantFrom(
  'x@a.b',
  'y@c.d',
  'X@A.B',
  'x@a.b,y@c.d',
  '',
  '@a.b',
  '\u{1F600}@a.b',
  '\ud800',
);
const path = fc.constantFrom(
  '/a',
  '/a/b.txt',
  '/a/../b',
  '/ab',
  'a',
  '',
  '/a/%2e%2e',
  '/a/\u{1F600}',
  '/b\n',
  '..',
  'K',
);
const url = fc.constantFrom('https://a.b/', 'https://A.b:80/x', 'ftp://u@a.b/', 'a.b', 'x@a.b', '/a');
const number = fc.constantFrom(-1, 0, 2, 2.5, 10, 0.1, 1e300, -1e308, Number.MAX_VALUE, 5e-324);

/** Values of the inputs. */
export const call = fc.record({
  to: fc.array(address, { maxLength: 4 }),
  modes: fc.array(fc.constantFrom('draft', 'final'), { maxLength: 3 }),
  nums: fc.array(number, { maxLength: 3 }),
  path,
  url,
  subject: fc.option(fc.oneof(path, address)),
  flag: fc.option(fc.boolean()),
  secret: fc.boolean(),
  cents: fc.constantFrom(-50, -1, 0, 1, 2, 10, 999, 1000),
  amount: number,
  mode: fc.constantFrom('draft', 'final'),
});

/** Names that an expression may read, by kind. */
interface Names {
  readonly truths: readonly string[];
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

/** A script at random, with consts, branches and nested conditions. */
export function randomScript(seed: number): string {
  const random = new Random(seed);
  const draw = (below: number) => Math.floor(random.next() * below);
  return `${HEAD}\nexport function p(inputs: Inputs): Decision {\n  const { to, modes, nums, path, url, subject, flag, secret, cents, amount, mode } = inputs;\n${new Writer(draw).body()}}\n`;
}

class Writer {
  readonly #draw: Draw;
  #count = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  body(): string {
    const names = {
      truths: ['secret'],
      texts: ['path', 'url', 'path', 'inputs.url'],
      numbers: ['cents', 'amount', 'to.length'],
    };
    return this.#statements(names, 3, '  ', true);
  }

  #one<T>(...options: readonly T[]): T {
    return options[this.#draw(options.length)];
  }

  #number(least: number, most: number): number {
    return least + this.#draw(most - least + 1);
  }

  /** @param mustEnd whether the last statement returns on every path */
  #statements(given: Names, depth: number, indent: string, mustEnd: boolean): string {
    let names = given;
    let written = '';
    for (let i = this.#number(depth > 2 ? 2 : 0, 3); i > 0; i--) {
      if (this.#number(0, 2) === 0) {
        const name = `c${this.#count++}`;
        const kind = this.#one('truths', 'texts', 'numbers');
        const value = {
          truths: () => this.#truth(names, 2),
          texts: () => this.#text(names, 2),
          numbers: () => this.#numeric(names, 2),
        }[kind]();
        written += `${indent}const ${name} = ${value};\n`;
        if (kind === 'texts' && this.#number(0, 2) === 0)
          written += `${indent}const n${name} = domainOf(${name}).length;\n${indent}const b${name} = n${name} > 0;\n`;
        names = { ...names, [kind]: [...names[kind], name] };
      } else written += this.#if(names, depth, indent, false);
    }
    if (!mustEnd) return written;
    return (
      written +
      (depth > 0 && this.#number(0, 3) === 0
        ? this.#if(names, depth, indent, true)
        : this.#return(names, indent))
    );
  }

  #if(names: Names, depth: number, indent: string, mustEnd: boolean): string {
    if (depth === 0) return '';
    const ends = mustEnd || this.#number(0, 2) > 0;
    const inner = () => this.#statements(names, depth - 1, `${indent}  `, ends);
    const head = `${indent}if (${this.#truth(names, 2)}) {\n${inner()}${indent}}`;
    if (!mustEnd && this.#number(0, 1) === 0) return `${head}\n`;
    return `${head} else {\n${this.#statements(names, depth - 1, `${indent}  `, mustEnd)}${indent}}\n`;
  }

  #return(names: Names, indent: string): string {
    const decision = () => this.#one('permit()', "deny('no')", `deny('no ${this.#count++}')`);
    const choice = this.#number(0, 3) === 0 ? `${this.#truth(names, 1)} ? ${decision()} : ` : '';
    return `${indent}return ${choice}${decision()};\n`;
  }

  #truth(names: Names, depth: number): string {
    if (depth === 0)
      return this.#one(
        ...names.truths,
        "mode === 'draft'",
        'flag === true',
        'subject === null',
        'true',
        '(flag !== null && flag)',
      );
    const truth = () => this.#truth(names, depth - 1);
    const text = () => this.#text(names, depth - 1);
    const numeric = () => this.#numeric(names, depth - 1);
    const within = (write: (element: string, inner: Names) => string) => {
      const element = `e${this.#count++}`;
      return write(element, { ...names, texts: [element, element, element, ...names.texts] });
    };
    const list = () =>
      this.#one(
        'to',
        'to',
        `emails(${this.#text(names, 0)})`,
        '["/a", "x@a.b"]',
        `["a.b", ${text()}]`,
        `[domainOf(${text()}), "/a"]`,
        '[]',
      );
    const quantified = (method: string) =>
      within((element, inner) => `${list()}.${method}(${element} => ${this.#truth(inner, depth - 1)})`);
    return this.#one(
      () => `(${truth()} && ${truth()})`,
      () => `(${truth()} || ${truth()} || ${truth()})`,
      () => `!(${truth()})`,
      () => `(${truth()} ? ${truth()} : ${truth()})`,
      () => `((${truth()}) ${this.#one('===', '!==')} (${truth()}))`,
      () => `(${numeric()} ${this.#one('<', '<=', '>', '>=', '===', '!==')} ${numeric()})`,
      () => `(${text()} ${this.#one('===', '!==')} ${text()})`,
      () => `${text()}.${this.#one('startsWith', 'endsWith', 'includes')}(${text()})`,
      () => quantified('every'),
      () => quantified('some'),
      () =>
        within(
          (element, inner) =>
            `(to.filter((${element}: string) => ${this.#truth(inner, depth - 1)}).length ${this.#one('>', '===')} ${numeric()})`,
        ),
      () =>
        within((e, inner) =>
          within(
            (f) =>
              `to.filter(${e} => ${this.#truth(inner, 0)}).${this.#one('every', 'some')}(${f} => ${f}.startsWith(${this.#text(names, 0)}))`,
          ),
        ),
      () => `${list()}.includes(${text()})`,
      () => `nums.includes(${numeric()})`,
      () => `modes.some(m${this.#count} => m${this.#count++} === mode)`,
      () => `["draft", "other"].includes(mode)`,
      () => `isUnder(${text()}, ${text()})`,
      () => `glob(${text()}, ${this.#one("'/a/*'", "'**'", "'/?'")})`,
      () =>
        `${this.#one('/^[a-z]+$/', '/@a\\.b$/i', '/^.$/u', '/[^/]\\s*$/u', '/^\\/a(?:\\/|$)/', '/\\w{2,3}?x|K/i', '/^$/', '/./su', '/\\ba\\b/')}.test(${text()})`,
      () => `(${text()}.length ${this.#one('=== 0', '> 0', '< 1', '!== 0')})`,
      () => `(subject !== null && subject.endsWith(${text()}))`,
      () => `(subject === null || (flag ?? ${truth()}) || size(subject) > 2)`,
      () => `(subject ${this.#one('===', '!==')} ${text()})`,
    )();
  }

  #text(names: Names, depth: number): string {
    if (depth === 0) return this.#one(...names.texts, "'a.b'", "'/a'", "'x@a.b'", "''", 'trim(mode)');
    const text = () => this.#text(names, depth - 1);
    return this.#one(
      () => this.#text(names, 0),
      () => this.#text(names, 0),
      () => `${this.#one('domainOf', 'localPart', 'hostOf', 'extension', 'lowerAscii', 'trim')}(${text()})`,
      () => `(${this.#truth(names, depth - 1)} ? ${text()} : ${text()})`,
      () => `(${text()} + ${text()})`,
      () => `(subject ?? ${text()})`,
    )();
  }

  #numeric(names: Names, depth: number): string {
    if (depth === 0) return this.#one(...names.numbers, '0', '1', '10', '0x10', '1e308');
    const small = () => this.#one('cents', '3', 'cents', '-7', '0.5');
    return this.#one(
      () => this.#numeric(names, 0),
      () => this.#numeric(names, 0),
      () => `(${small()} ${this.#one('+', '-', '*')} ${small()})`,
      () => `-(${small()} * ${small()})`,
      () => `(amount ${this.#one('+', '-', '*')} ${this.#one('amount', '2', 'cents')})`,
      () => `size(${this.#text(names, depth - 1)})`,
      () => `(size(${this.#text(names, depth - 1)}) * 0)`,
      () => `(${this.#truth(names, depth - 1)} ? ${this.#numeric(names, 0)} : ${small()})`,
    )();
  }
}

type Decide = (inputs: object) => library.Decision;

/**
 * The function of a script, ready for an engine to run.
 *
 * @returns the function with what the script imports; the argument has functions in place of some of these
 */
export function runnable(source: string): (changed?: Partial<typeof library>) => Decide {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const run = new Function('exports', 'require', outputText);
  return (changed = {}) => {
    const exports: Record<string, Decide> = {};
    run(exports, () => ({ ...library, ...changed }));
    // A function may have another name, if it is the only one.
    return exports.p ?? Object.values(exports).find((value) => typeof value === 'function')!;
  };
}

/**
 * A list that looks at all elements: `every` and `some` throw only if no element decides. This is how policies read lists, whose elements stand in no order.
 */
export class Unordered<T> extends Array<T> {
  // @ts-expect-error as a guard of types, it is that of no other list
  override every(holds: (element: T, i: number, all: T[]) => unknown): boolean {
    return !this.some((element, i, all) => !holds(element, i, all));
  }

  override some(holds: (element: T, i: number, all: T[]) => unknown): boolean {
    let thrown: unknown[] = [];
    for (const element of this) {
      try {
        if (holds(element, 0, this as unknown as T[])) return true;
      } catch (error) {
        thrown = [error];
      }
    }
    if (thrown.length > 0) throw thrown[0];
    return false;
  }
}
