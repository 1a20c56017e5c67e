import type { Formula, Window } from '../../bindings/languages/logic/index.js';

// Reads what `sayFormula` wrote, with no code or table of it: all ways in which the words can be taken apart.

const place = { line: 1, column: 1, offset: 0 };

/** How a predicate may be said: its sentence, the opposite, and those with "never" and "always" where they exist. */
export interface SaidPredicate {
  readonly name: string;
  readonly holds: string;
  readonly not: string;
  readonly never?: string;
  readonly always?: string;
}

/** The words for a predicate that is said by its name. */
export function bareWords(name: string): SaidPredicate {
  return {
    name,
    holds: `\`${name}\` holds`,
    not: `\`${name}\` does not hold`,
    never: `\`${name}\` never holds`,
    always: `\`${name}\` always holds`,
  };
}

type Env = Readonly<Record<string, Formula | number>>;
type Found = readonly [value: Formula | number, end: number];

const not = (operand: Formula): Formula => ({ kind: 'not', operand, place });
const two =
  (kind: 'and' | 'or' | 'implies' | 'iff') =>
  (left: Formula, right: Formula): Formula => ({ kind, left, right, place });
const [and, or, implies, iff] = [two('and'), two('or'), two('implies'), two('iff')];
const one =
  (operator: 'X' | 'WX' | 'Y' | 'WY' | 'F' | 'G' | 'O' | 'H') =>
  (operand: Formula, window: Window | null = null): Formula => ({
    kind: 'unary',
    operator,
    operand,
    window,
    place,
  });
const [X, WX, Y, WY, F, G, O, H] = [
  one('X'),
  one('WX'),
  one('Y'),
  one('WY'),
  one('F'),
  one('G'),
  one('O'),
  one('H'),
];
const pair =
  (operator: 'U' | 'W' | 'R' | 'S') =>
  (left: Formula, right: Formula, window: Window | null = null): Formula => ({
    kind: 'binary',
    operator,
    left,
    right,
    window,
    place,
  });
const [U, W, R, S] = [pair('U'), pair('W'), pair('R'), pair('S')];
const constant = (value: boolean): Formula => ({ kind: 'constant', value, place });
const upTo = (k: number): Window => ({ from: '0', to: `${k}`, unit: 'steps' });
const final = not(X(constant(true)));
const rise = (p: Formula): Formula => and(p, not(Y(p)));

/** p in more than k stretches, told by how often it begins. */
const begun = (p: Formula, operator: '>=' | '<=' | '=', times: number): Formula =>
  F(and(final, { kind: 'count', operator, times, operand: rise(p), window: null, place }));
const counted = (p: Formula, operator: '>=' | '<=' | '=', times: number): Formula =>
  F(and(final, { kind: 'count', operator, times, operand: p, window: null, place }));

/** What sentences mean: `<p>` is a clause, `<p?>` a condition before a comma, `<p never>` an adverb, `#` a number. Written with the past where patterns are with the future. */
const SENTENCES: Readonly<Record<string, (e: Record<'p' | 'q' | 'r' | 's', Formula>, k: number) => Formula>> =
  {
    'every run is right': () => constant(true),
    'no run is right': () => constant(false),
    '<p never>': ({ p }) => not(F(p)),
    '<p always>': ({ p }) => not(F(not(p))),
    'eventually, <p>': ({ p }) => F(p),
    'at the last step, <p>': ({ p }) => G(or(X(constant(true)), p)),
    'once <p>, this stays so': ({ p }) => G(implies(O(p), p)),
    'it never happens at two steps in a row that <p>': ({ p }) => G(not(and(p, Y(p)))),
    '<p> during at most # stretches': ({ p }, k) => begun(p, '<=', k),
    '<p> during at least # stretches': ({ p }, k) => begun(p, '>=', k),
    '<p> during exactly # stretches': ({ p }, k) => begun(p, '=', k),
    '<p> at no more than # steps of the run': ({ p }, k) => counted(p, '<=', k),
    '<p> at no fewer than # steps of the run': ({ p }, k) => counted(p, '>=', k),
    '<p> at exactly # steps of the run': ({ p }, k) => counted(p, '=', k),
    '<p never> before <q>': ({ p, q }) => G(implies(p, O(q))),
    '<p never> before <q>, and that must come': ({ p, q }) => and(F(q), G(implies(p, O(q)))),
    '<p never> before or just when <q>': ({ p, q }) => G(implies(p, Y(O(q)))),
    '<p> until <q>, if that ever comes': ({ p, q }) => G(or(O(q), p)),
    '<p> until <q>, which must come': ({ p, q }) => and(F(q), G(or(O(q), p))),
    'whenever <p?>, <q>': ({ p, q }) => G(implies(p, q)),
    'whenever <p?>, eventually <q>': ({ p, q }) => G(implies(p, F(q))),
    'it never happens at the same step that <p> and that <q>': ({ p, q }) => G(not(and(p, q))),
    'at every step, <p> or <q>': ({ p, q }) => G(or(p, q)),
    'at every step, <p> if and only if <q>': ({ p, q }) => G(iff(p, q)),
    'whenever <p?>, <q> at the next step, which must come': ({ p, q }) =>
      and(G(implies(Y(p), q)), not(F(and(final, p)))),
    'whenever <p?>, <q> at the next step, if it comes': ({ p, q }) => G(implies(Y(p), q)),
    'whenever <p?>, eventually <q> at a later step': ({ p, q }) => G(implies(p, X(F(q)))),
    'each time that <p?> anew, <q>': ({ p, q }) => G(implies(rise(p), q)),
    'each time that <p?> anew, eventually <q>': ({ p, q }) => G(implies(rise(p), F(q))),
    'from the first step on at which <p>, <q never>': ({ p, q }) => G(implies(O(p), not(q))),
    'from the first step on at which <p>, <q always>': ({ p, q }) => G(implies(O(p), q)),
    'from the first step on at which <p>, eventually <q>': ({ p, q }) => implies(F(p), F(and(O(p), q))),
    'if eventually <p>, <q never> before that': ({ p, q }) => implies(F(p), not(F(and(q, not(O(p)))))),
    'if eventually <p>, <q always> before that': ({ p, q }) => implies(F(p), not(F(and(not(q), not(O(p)))))),
    'if eventually <p>, then eventually <q>': ({ p, q }) => or(G(not(p)), F(q)),
    'eventually <p>, and at that step or later <q>': ({ p, q }) => F(and(q, O(p))),
    'eventually <p>, and at a later step <q>': ({ p, q }) => F(and(q, Y(O(p)))),
    'eventually <p> and eventually <q>': ({ p, q }) => and(F(p), F(q)),
    'eventually <p> or eventually <q>': ({ p, q }) => F(or(p, q)),
    'whenever <p?>, <q> within # steps': ({ p, q }, k) => G(implies(p, F(q, upTo(k)))),
    'whenever <p?>, <q> within # steps unless the run ends before': ({ p, q }, k) =>
      not(F(and(p, and(G(not(q), upTo(k)), F(constant(true), { from: `${k}`, to: `${k}`, unit: 'steps' }))))),
    'each time that <p?> anew, <q> within # steps': ({ p, q }, k) => G(implies(rise(p), F(q, upTo(k)))),
    'each time that <p?> anew, <q> within # steps unless the run ends before': ({ p, q }, k) =>
      not(
        F(
          and(
            rise(p),
            and(G(not(q), upTo(k)), F(constant(true), { from: `${k}`, to: `${k}`, unit: 'steps' })),
          ),
        ),
      ),
    'whenever <p?>, <q> then and for # more steps': ({ p, q }, k) => G(implies(O(p, upTo(k)), q)),
    // In a stretch after p and before q, both of them not now.
    'between when <p> and when <q>, <r never>': ({ p, q, r }) =>
      G(implies(and(F(q), S(not(q), and(p, not(q)))), implies(not(q), not(r)))),
    'between when <p> and when <q>, <r always>': ({ p, q, r }) =>
      G(implies(and(F(q), S(not(q), and(p, not(q)))), or(q, r))),
    'between when <p> and when <q>, eventually <r>': ({ p, q, r }) =>
      G(implies(q, or(not(Y(S(not(q), and(p, not(q))))), Y(missed(p, q, r))))),
    'from when <p> until <q>, <r never>': ({ p, q, r }) =>
      G(implies(and(not(q), S(not(q), and(p, not(q)))), not(r))),
    'from when <p> until <q>, <r always>': ({ p, q, r }) =>
      G(implies(and(not(q), S(not(q), and(p, not(q)))), r)),
    'from when <p> on and before <q>, eventually <r>': ({ p, q, r }) =>
      and(
        G(implies(q, or(not(Y(S(not(q), and(p, not(q))))), Y(missed(p, q, r))))),
        F(and(final, or(not(S(not(q), and(p, not(q)))), missed(p, q, r)))),
      ),
    'from the first step on at which <p>, <q never> before <r>': ({ p, q, r }) =>
      G(implies(q, or(not(O(p)), O(and(r, O(p)))))),
    'from the first step on at which <p>, whenever <q?>, eventually <r>': ({ p, q, r }) =>
      G(implies(and(O(p), q), F(r))),
    'from the first step on at which <p>, whenever <q?>, <r>': ({ p, q, r }) => G(implies(and(O(p), q), r)),
    'if eventually <p>, <q never> before <r> or that': ({ p, q, r }) =>
      implies(F(p), G(implies(q, O(or(p, r))))),
    'if eventually <p>, whenever <q?> before that, <r> from then on and before that': ({ p, q, r }) =>
      implies(F(p), G(implies(and(q, not(O(p))), F(and(r, not(O(p))))))),
    'whenever <p?>, <q> until <r>, if that ever comes': ({ p, q, r }) =>
      G(or(not(S(not(r), and(p, not(r)))), q)),
    'whenever <p?>, <q> until <r>, which must come': ({ p, q, r }) =>
      and(G(or(not(S(not(r), and(p, not(r)))), q)), F(and(final, not(S(not(r), and(p, not(r))))))),
    'whenever <p?>, eventually <q>, and at a later step <r>': ({ p, q, r }) =>
      G(implies(p, F(and(q, X(F(r)))))),
    'eventually <p>, at a later step <q>, and at a step after that <r>': ({ p, q, r }) =>
      F(and(r, Y(O(and(q, Y(O(p))))))),
    'eventually <p>, eventually <q> and eventually <r>': ({ p, q, r }) => and(F(r), and(F(q), F(p))),
    'between when <p> and when <q>, <r never> before <s>': ({ p, q, r, s }) =>
      G(implies(and(and(r, F(q)), unseen(p, q, s)), s)),
    'from when <p> until <q>, <r never> before <s>': ({ p, q, r, s }) =>
      G(implies(and(r, unseen(p, q, s)), s)),
    'between when <p> and when <q>, whenever <r?>, <s> from then on and before <q>': ({ p, q, r, s }) =>
      G(implies(q, not(Y(unanswered(p, q, r, s))))),
    'from when <p> until <q>, whenever <r?>, <s> from then on and before <q>': ({ p, q, r, s }) =>
      and(G(implies(q, not(Y(unanswered(p, q, r, s))))), F(and(final, not(unanswered(p, q, r, s))))),
  };

/** What is asked in each stretch that opens with p, without q, and lasts until q: `inside` where one is open. */
const inside = (p: Formula, q: Formula): Formula => S(not(q), and(p, not(q)));
/** A stretch is open, and some opening step of it lies after the last s. */
const unseen = (p: Formula, q: Formula, s: Formula): Formula =>
  S(and(not(q), not(s)), and(and(p, not(q)), not(s)));
const unanswered = (p: Formula, q: Formula, r: Formula, s: Formula): Formula =>
  S(and(not(s), not(q)), and(and(r, not(s)), inside(p, q)));

/** Since the last p of a stretch without q that has one, r came: no p since the last r, in this stretch. */
function missed(p: Formula, q: Formula, r: Formula): Formula {
  const open = and(p, and(not(q), not(r)));
  return not(S(and(not(q), not(r)), open));
}

/** All meanings of a text. */
export function readSaid(text: string, predicates: readonly SaidPredicate[]): Formula[] {
  const readings: Formula[] = [];
  for (const parts of cuts(text)) {
    const each = parts.map((sentence) => {
      const lower = sentence.replace(/^\(*\p{Lu}/u, (first) => first.toLowerCase());
      return [...new Set([sentence, lower])].flatMap((form) => new Reader(form, predicates).sentence());
    });
    const all = each.reduce<Formula[][]>(
      (so, next) => so.flatMap((list) => next.map((f) => [...list, f])),
      [[]],
    );
    readings.push(...all.map((list) => list.reduce((left, right) => and(left, right))));
  }
  return readings;
}

/** All ways in which a text can be cut into sentences. */
function cuts(text: string): string[][] {
  if (!text.endsWith('.')) return [];
  const ways: string[][] = [[text.slice(0, -1)]];
  for (let at = text.indexOf('. And: '); at >= 0; at = text.indexOf('. And: ', at + 1))
    for (const rest of cuts(text.slice(at + 7))) ways.push([text.slice(0, at), ...rest]);
  return ways;
}

class Reader {
  readonly #text: string;
  readonly #predicates: readonly SaidPredicate[];
  readonly #memo = new Map<string, Found[]>();

  constructor(text: string, predicates: readonly SaidPredicate[]) {
    this.#text = text;
    this.#predicates = predicates;
  }

  sentence(): Formula[] {
    const structural = [
      ...this.#seq(0, ['at the first step, ', 'clause'], ({ a }) => a as Formula),
      ...this.#seq(0, ['whenever ', 'condition', ', ', 'clause'], ({ a, b }) =>
        G(implies(a as Formula, b as Formula)),
      ),
      ...this.#seq(0, ['at every step, ', 'clause'], ({ a }) => G(a as Formula)),
      ...this.#soon(),
      ...this.#clause(0),
    ];
    const known = Object.entries(SENTENCES).flatMap(([sentence, meaning]) => {
      const names: ('p' | 'q' | 'r' | 's')[] = [];
      const items = sentence
        .split(/(<[pqrs](?:\?| never| always)?>|#(?: steps)?)/)
        .filter((item) => item !== '')
        .map((item) => {
          const slot = /^<([pqrs])(.*)>$/.exec(item);
          if (slot !== null) names.push(slot[1] as 'p' | 'q' | 'r' | 's');
          return slot === null ? item : ({ '': 'part', '?': 'condition' }[slot[2]] ?? slot[2].trim());
        });
      return this.#seq(0, items, (env) => {
        const formulas = Object.values(env).filter((value): value is Formula => typeof value !== 'number');
        const number = Object.values(env).find((value): value is number => typeof value === 'number') ?? 0;
        return meaning(
          Object.fromEntries(names.map((name, i) => [name, formulas[i]])) as Record<
            'p' | 'q' | 'r' | 's',
            Formula
          >,
          number,
        );
      });
    });
    return [...structural, ...known]
      .filter(([, end]) => end === this.#text.length)
      .map(([found]) => found as Formula);
  }

  /** "Whenever p, q within 0.5 s", and nothing after it. */
  #soon(): Found[] {
    const length = / within (\d[\d.]*) (steps?|s|ms)$/.exec(this.#text);
    if (length === null) return [];
    const unit = length[2].startsWith('step') ? 'steps' : (length[2] as 's' | 'ms');
    return this.#seq(0, ['whenever ', 'condition', ', ', 'part'], ({ a, b }) =>
      G(implies(a as Formula, F(b as Formula, { from: '0', to: length[1], unit }))),
    ).flatMap(([formula, end]): Found[] => (end === length.index ? [[formula, this.#text.length]] : []));
  }

  /** What follows one after the other; the values are a, b, c, … in order. */
  #seq(at: number, items: readonly string[], make: (env: Env) => Formula): Found[] {
    let open: { readonly env: Env; readonly end: number }[] = [{ env: {}, end: at }];
    for (const item of items)
      open = open.flatMap(({ env, end }) =>
        this.#item(item, end).map(([value, next]) =>
          value === null
            ? { env, end: next }
            : { env: { ...env, [String.fromCharCode(97 + Object.keys(env).length)]: value }, end: next },
        ),
      );
    return open.map(({ env, end }) => [make(env), end]);
  }

  #item(item: string, at: number): (readonly [Formula | number | null, number])[] {
    if (item === 'clause') return this.#clause(at);
    if (item === 'part') return this.#part(at);
    if (item === 'condition') return this.#condition(at);
    if (item === 'never' || item === 'always') return this.#adverb(item, at);
    if (item === '#' || item === '# steps') {
      const number = (item === '#' ? /^\d+/ : /^(?:1(?= step\b)|(?!1 )\d+(?= steps\b)) steps?/).exec(
        this.#text.slice(at),
      );
      return number === null ? [] : [[Number.parseInt(number[0], 10), at + number[0].length]];
    }
    const literal = this.#text.startsWith(item, at)
      ? item
      : this.#text.startsWith(item.replace('stretches', 'stretch'), at)
        ? item.replace('stretches', 'stretch')
        : null;
    return literal === null ? [] : [[null, at + literal.length]];
  }

  #kept(name: string, at: number, make: () => Found[]): Found[] {
    const key = `${name} ${at}`;
    const known = this.#memo.get(key);
    if (known !== undefined) return known;
    const found = make();
    this.#memo.set(key, found);
    return found;
  }

  #part(at: number): Found[] {
    return this.#kept('part', at, () => {
      const found: Found[] = [];
      const accept = (words: string, formula: Formula): void => {
        for (const form of [words, `(${words})`])
          if (this.#text.startsWith(form, at)) found.push([formula, at + form.length]);
      };
      for (const { name, holds, not: denied } of this.#predicates) {
        accept(holds, { kind: 'predicate', name, place });
        accept(denied, not({ kind: 'predicate', name, place }));
      }
      accept('`true`', constant(true));
      accept('`false`', constant(false));
      return [...found, ...this.#seq(at, ['(', 'clause', ')'], ({ a }) => a as Formula)];
    });
  }

  #condition(at: number): Found[] {
    return this.#kept('condition', at, () => {
      const found = [...this.#part(at)];
      for (const [word, join] of [
        [' and ', and],
        [' or ', or],
      ] as const) {
        let open = this.#part(at);
        while (open.length > 0) {
          open = open.flatMap(([left, end]) =>
            this.#text.startsWith(word, end)
              ? this.#part(end + word.length).map(
                  ([right, next]): Found => [join(left as Formula, right as Formula), next],
                )
              : [],
          );
          found.push(...open);
        }
      }
      return found;
    });
  }

  #adverb(word: 'never' | 'always', at: number): Found[] {
    const found: Found[] = this.#predicates.flatMap(({ name, [word]: words }): Found[] =>
      words !== undefined && this.#text.startsWith(words, at)
        ? [[{ kind: 'predicate', name, place }, at + words.length]]
        : [],
    );
    return [...found, ...this.#seq(at, [`it ${word} happens that `, 'part'], ({ a }) => a as Formula)];
  }

  #range(at: number, isAhead: boolean): (readonly [Window | null, number])[] {
    const rest = this.#text.slice(at);
    const plain = isAhead ? 'from now on' : 'up to now';
    if (rest.startsWith(plain)) return [[null, at + plain.length]];
    const match =
      /^(?:(?<least>\d[\d.]*) or more|exactly (?<same>\d[\d.]*)|at most (?<most>\d[\d.]*)|between (?<from>\d[\d.]*) and (?<to>\d[\d.]*)) (?<unit>steps?|s|ms) (?:from now|ago)/.exec(
        rest,
      );
    if (match?.groups === undefined || !match[0].endsWith(isAhead ? 'from now' : 'ago')) return [];
    const { least, same, most, from, to, unit } = match.groups;
    const window: Window = {
      from: least ?? same ?? from ?? '0',
      to: least === undefined ? (same ?? most ?? to) : null,
      unit: unit.startsWith('step') ? 'steps' : (unit as 's' | 'ms'),
    };
    return [[window, at + match[0].length]];
  }

  #clause(at: number): Found[] {
    return this.#kept('clause', at, () => {
      const seq = (items: readonly string[], make: (env: Env) => Formula): Found[] =>
        this.#seq(at, items, make);
      const f = (value: Formula | number): Formula => value as Formula;
      return [
        ...this.#condition(at),
        ...seq(['it is not so that ', 'part'], ({ a }) => not(f(a))),
        ...seq(['if ', 'condition', ', then ', 'clause'], ({ a, b }) => implies(f(a), f(b))),
        ...seq(['part', ' if and only if ', 'part'], ({ a, b }) => iff(f(a), f(b))),
        ...seq(['there is a next step'], () => X(constant(true))),
        ...seq(['there is a step before'], () => Y(constant(true))),
        ...seq(['this is the last step'], () => final),
        ...seq(['this is the first step'], () => not(Y(constant(true)))),
        ...seq(['at the next step, which must come, ', 'clause'], ({ a }) => X(f(a))),
        ...seq(['at the next step, if it comes, ', 'clause'], ({ a }) => WX(f(a))),
        ...seq(['at the step before, which there must be, ', 'clause'], ({ a }) => Y(f(a))),
        ...seq(['at the step before, if there was one, ', 'clause'], ({ a }) => WY(f(a))),
        ...seq(['eventually, ', 'clause'], ({ a }) => F(f(a))),
        ...this.#ranged(at, 'at some step ', true, F),
        ...this.#ranged(at, 'at every step ', true, G),
        ...this.#ranged(at, 'at some step ', false, O),
        ...this.#ranged(at, 'at every step ', false, H),
        ...seq(['part', ' until ', 'part', ', if that ever comes'], ({ a, b }) => W(f(a), f(b))),
        ...seq(['part', ' up to and with the step at which ', 'part', ', if that ever comes'], ({ a, b }) =>
          R(f(b), f(a)),
        ),
        ...this.#windowed(
          seq(['part', ' until ', 'part', ', which must come'], ({ a, b }) => U(f(a), f(b))),
          true,
        ),
        ...this.#windowed(
          seq(['part', ' ever since the step at which ', 'part', ', which must have come'], ({ a, b }) =>
            S(f(a), f(b)),
          ),
          false,
        ),
        ...this.#counts(at),
      ];
    });
  }

  #ranged(
    at: number,
    start: string,
    isAhead: boolean,
    make: (operand: Formula, window: Window | null) => Formula,
  ): Found[] {
    if (!this.#text.startsWith(start, at)) return [];
    return this.#range(at + start.length, isAhead).flatMap(([window, end]) =>
      this.#seq(end, [', ', 'clause'], ({ a }) => make(a as Formula, window)),
    );
  }

  #windowed(found: readonly Found[], isAhead: boolean): Found[] {
    return found.flatMap(([formula, end]) => [
      [formula, end] as const,
      ...(this.#text[end] === ' ' ? this.#range(end + 1, isAhead) : []).flatMap(([window, next]): Found[] =>
        window === null ? [] : [[{ ...(formula as Extract<Formula, { kind: 'binary' }>), window }, next]],
      ),
    ]);
  }

  #counts(at: number): Found[] {
    const match = /^in (fewer than|at most|exactly|at least|more than) (\d+) of the steps /.exec(
      this.#text.slice(at),
    );
    if (match === null) return [];
    const operator = (
      { 'fewer than': '<', 'at most': '<=', exactly: '=', 'at least': '>=', 'more than': '>' } as const
    )[match[1] as 'exactly'];
    return this.#range(at + match[0].length, false).flatMap(([window, end]) =>
      this.#seq(end, [', ', 'clause'], ({ a }) => ({
        kind: 'count',
        operator,
        times: Number(match[2]),
        operand: a as Formula,
        window,
        place,
      })),
    );
  }
}

/**
 * A formula with what is said alike made alike: conjunctions and disjunctions as lists, WX and WY kept, and windowed W and R as the negations of U that define them.
 */
export function normal(formula: Formula): unknown {
  switch (formula.kind) {
    case 'constant':
      return formula.value;
    case 'predicate':
      return formula.name;
    case 'not':
      return ['not', normal(formula.operand)];
    case 'and':
    case 'or': {
      const { kind, left, right } = formula;
      const members = (part: Formula): unknown[] =>
        part.kind === kind ? [...members(part.left), ...members(part.right)] : [normal(part)];
      return [kind, ...members(left), ...members(right)];
    }
    case 'implies':
    case 'iff':
      return [formula.kind, normal(formula.left), normal(formula.right)];
    case 'unary':
      return [formula.operator, formula.window, normal(formula.operand)];
    case 'count':
      return ['count', formula.operator, formula.times, formula.window, normal(formula.operand)];
    case 'binary': {
      const { operator, left, right, window } = formula;
      if (window !== null && operator === 'R') return normal(not(U(not(left), not(right), window)));
      if (window !== null && operator === 'W')
        return normal(not(U(and(left, not(right)), and(not(left), not(right)), window)));
      return [operator, window, normal(left), normal(right)];
    }
    default:
      throw new Error(`no normal form: ${formula.kind}`);
  }
}
