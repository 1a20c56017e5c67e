import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileCondition,
  loadRegexEngine,
  loadTextOperations,
  parseExpression,
} from '../../bindings/languages/expression/index.js';
import type { Inputs } from '../../bindings/languages/inputs/index.js';
import { Decider } from '../../bindings/solvers/decide/index.js';
import { type Certificate, type Claim, Rechecker } from '../../bindings/solvers/recheck/index.js';
import { productValues } from '../../bindings/solvers/recheck/product.js';
import { withoutStacks } from '../withoutStacks.js';
import { runs } from './runs.js';

beforeAll(loadRegexEngine);
beforeAll(loadTextOperations);

const inputs: Inputs = {
  to: { type: { kind: 'list', of: { kind: 'text', most: 1000 }, most: 50 } },
  path: { type: { kind: 'text', most: 1000 } },
  note: { type: { kind: 'text', most: 1000 }, optional: true },
  amount: { type: { kind: 'number' } },
  count: { type: { kind: 'integer', least: 0, most: 1_000_000 } },
  role: { type: { kind: 'enum', values: ['nurse', 'physician', 'clerk'] } },
  columns: { type: { kind: 'list', of: { kind: 'enum', values: ['age', 'dose', 'bill'] }, most: 10 } },
};
const PREDICATES = [
  'path.startsWith("/a")',
  'path.contains("..")',
  'path.matches("^[a-c/]*$")',
  'isUnder(path, "/a")',
  'isUnder(path, "/a/b")',
  'isUnder(path, "/")',
  'extension(path) == "b"',
  'size(path) < 4',
  'trim(path) == "a"',
  'lowerAscii(path) == "/ab"',
  'domainOf(path) == "a.b"',
  'path.endsWith("@a.b")',
  'hostOf(path) == "a.b"',
  'to.all(e, domainOf(e) == "a.b")',
  'to.exists(e, e.endsWith("@a.b"))',
  'to.exists_one(e, e.startsWith("a"))',
  'size(to) < 2',
  '"b" in to',
  'size(to.filter(e, e.endsWith("b"))) >= 2',
  'note == null',
  'note.startsWith("a")',
  'amount > 2',
  'amount >= 2.5',
  'amount in [1, 3]',
  'count > 10',
  'count < 12',
  'count == 11',
  'role == "nurse"',
  'columns.all(c, c in {"nurse": ["age"], "physician": ["dose"], "clerk": []}[role])',
  '"dose" in columns',
];
const expression = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...PREDICATES),
    fc.tuple(tie('e'), fc.constantFrom('&&', '||'), tie('e')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('e').map((e) => `!(${e})`),
  ),
})).e;
const claim = fc
  .array(
    fc.tuple(
      expression,
      fc.constantFrom<('true' | 'false' | 'none')[]>(['true'], ['false'], ['none'], ['true', 'none']),
    ),
    {
      minLength: 2,
      maxLength: 4,
    },
  )
  .map(
    (parts): Claim => ({
      kind: 'and',
      of: parts.map(([text, values]) => ({ kind: 'is', values, of: parseExpression(text) })),
    }),
  );

type Open<T> = { -readonly [K in keyof T]: Open<T[K]> };
type Written = Open<Certificate>;
type WrittenInput = Written['cases'][number]['inputs'][number];

/** All inputs of a certificate, elements of lists too. */
const inputsOf = (certificate: Written): WrittenInput[] =>
  certificate.cases.flatMap(({ inputs: all }) =>
    all.flatMap((one) => (one.elements ? [one, one.elements] : [one])),
  );
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

/** Faults of a decider, as they would show in its certificates; some of them make no difference. */
const FAULTS: Record<string, (certificate: Written, a: number, b: number) => void> = {
  'a case is left out': ({ cases }, a) => void cases.splice(a % cases.length, 1),
  'an input is left out': (certificate, a) => {
    const one = pick(certificate.cases, a)!;
    one.inputs.splice(a % Math.max(1, one.inputs.length), 1);
  },
  'a vector is left out': (certificate, a, b) => {
    const one = pick(inputsOf(certificate), a);
    one?.vectors.splice(b % one.vectors.length, 1);
  },
  'vectors are without values': (certificate, a) => {
    const one = pick(inputsOf(certificate), a);
    if (one) one.vectors = one.vectors.filter((values) => !values.includes(4));
  },
  'a transition leads elsewhere': (certificate, a, b) => {
    const machine = machineAt(certificate, a);
    if (machine) machine.next[b % machine.next.length] = (a * 7 + b) % machine.outcomes.length;
  },
  'a state says something else': (certificate, a, b) => {
    const machine = machineAt(certificate, a);
    if (machine) machine.outcomes[b % machine.outcomes.length] = a % machine.possible.length;
  },
  'a class holds characters of another': (certificate, a, b) => {
    const text = pick(
      inputsOf(certificate).flatMap((one) => one.text ?? []),
      a,
    );
    if (text) text.classes[b % text.classes.length] = a % (Math.max(...text.classes) + 1);
  },
  'nothing is in doubt': (certificate) => {
    for (const { text } of inputsOf(certificate))
      for (const machine of text?.machines ?? []) {
        machine.exactBelow = null;
        machine.doubts = machine.doubts.map(() => 0);
      }
  },
};

/** Faults that hide an input which fulfils the claim: a text of it leads elsewhere, or its last state says something else. */
const HIDING: Record<
  string,
  (certificate: Written, input: Record<string, unknown>, a: number, b: number) => void
> = {
  'a transition of it leads elsewhere': (certificate, input, a, b) => {
    const path = pathOf(certificate, input, a);
    const at = path && pick(path.edges, b);
    if (path && at !== undefined) path.machine.next[at] = (b * 7 + a) % path.machine.outcomes.length;
  },
  'its state says something else': (certificate, input, a, b) => {
    const path = pathOf(certificate, input, a);
    if (path) path.machine.outcomes[path.end] = b % path.machine.possible.length;
  },
  'its vector is left out': (certificate, input, a) => {
    const one = pick(
      certificate.cases.flatMap((part) => part.inputs),
      a,
    );
    if (one === undefined) return;
    const values = one.atoms.map((atom) => evaluatedAt(atom, { [one.input]: input[one.input] }));
    one.vectors = one.vectors.filter((vector) => vector.join() !== values.join());
  },
};

function evaluatedAt(text: string, values: Record<string, unknown>): number {
  try {
    return compileCondition(parseExpression(text))(values, {}) ? 2 : 1;
  } catch {
    return 4;
  }
}

/** The way of a text of an input through one of its automata. */
function pathOf(certificate: Written, input: Record<string, unknown>, a: number) {
  const all = inputsOf(certificate).filter(({ text }) => text !== undefined);
  const one = pick(all, a);
  const machine = one && pick(one.text!.machines, a >> 4);
  if (one === undefined || machine === undefined) return undefined;
  const value = one.input === '(element)' ? pick(input.to as string[], a >> 8) : input[one.input];
  if (typeof value !== 'string') return undefined;
  const { starts, classes } = one.text!;
  const size = Math.max(...classes) + 1;
  const edges: number[] = [];
  let state = 0;
  for (const character of value) {
    const interval = starts.findLastIndex((start) => start <= character.codePointAt(0)!);
    edges.push(state * size + classes[interval]);
    state = machine.next[edges.at(-1)!];
  }
  return { machine, edges, end: state };
}

function machineAt(certificate: Written, a: number) {
  return pick(
    inputsOf(certificate).flatMap((one) => one.text?.machines ?? []),
    a,
  );
}

/** Makes the vectors of texts those of their automata, as a decider with the fault would. */
function consistent(certificate: Written): Written {
  for (const one of inputsOf(certificate)) {
    if (one.text === undefined) continue;
    const { machines, classes } = one.text;
    const order = machines.flatMap(({ atoms }) => atoms);
    const found = productValues(machines, Math.max(...classes) + 1, 1000);
    one.vectors = found.map((values) => {
      const vector: number[] = [];
      for (const [k, i] of order.entries()) vector[i] = values[k];
      return vector;
    });
    if (one.input === 'note') one.vectors.push(one.atoms.map((atom) => (atom.includes('null') ? 2 : 4)));
  }
  return certificate;
}

describe('the checker of certificates', () => {
  it('confirms what the decider proves, and accepts no faulty proof of what is not so', () => {
    const seen = { confirmed: 0, harmful: 0, noticed: 0 };
    const faults = fc.constantFrom(...Object.keys(FAULTS), ...Object.keys(HIDING), ...Object.keys(HIDING));
    fc.assert(
      fc.property(claim, faults, fc.nat(), fc.nat(), (one, fault, a, b) => {
        const decider = new Decider(inputs);
        const answer = withoutStacks(() => decider.find(one));
        const certificate = withoutStacks(() => decider.certificate(one));
        const check = (given: Certificate) =>
          withoutStacks(() => new Rechecker(inputs, { evaluations: 400 }).check(one, given));
        if (answer.kind === 'none') {
          seen.confirmed++;
          expect(check(certificate)).toBe(null);
        }
        const faulty: Written = JSON.parse(JSON.stringify(certificate));
        if (Object.hasOwn(FAULTS, fault)) FAULTS[fault](faulty, a, b);
        else if (answer.kind === 'some') HIDING[fault](faulty, answer.input, a, b);
        for (const given of [faulty, consistent(JSON.parse(JSON.stringify(faulty)))]) {
          const isNoticed = check(given) !== null;
          if (answer.kind === 'some') {
            seen.harmful++;
            expect([fault, isNoticed]).toEqual([fault, true]);
          } else if (isNoticed) seen.noticed++;
        }
      }),
      { numRuns: runs(60) },
    );
    expect(seen.confirmed).toBeGreaterThan(8);
    expect(seen.harmful).toBeGreaterThan(20);
    expect(seen.noticed).toBeGreaterThan(2);
  });
});
