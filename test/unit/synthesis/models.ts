import { type LanguageModel, modelFromFunction } from '../../../bindings/base/languageModel/index.js';
import type { Candidate } from '../../../bindings/proofs/synthesis/index.js';

/** A model that says these answers, one after another, and the last one from then on. */
export function saying(...answers: unknown[]): LanguageModel {
  let i = 0;
  return modelFromFunction('scripted', () => {
    const answer = answers[Math.min(i++, answers.length - 1)];
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  });
}

type Mutation = (text: string) => string;

const replacing =
  (from: string, to: string): Mutation =>
  (text) =>
    text.replace(from, to);

/** What people and models get wrong: a quantifier, a connective, a bound, an equality, a negation. */
const MUTATIONS: readonly Mutation[] = [
  replacing('.all(', '.exists('),
  replacing('.exists(', '.all('),
  replacing(' && ', ' || '),
  replacing(' || ', ' && '),
  replacing(' <= ', ' < '),
  replacing(' >= ', ' > '),
  replacing(' == ', ' != '),
  replacing('!', ''),
  (text) => text.replace(/\b\d+\b/, (digits) => String(Number(digits) + 1)),
  (text) => text.replace(/\b\d+\b/, (digits) => String(Math.max(0, Number(digits) - 1))),
  () => 'true',
  () => 'false',
];

/**
 * A model that knows a right policy and says it with one to four mistakes; told of a problem it mends one mistake, or with probability `wrong` makes another in
 * its place.
 */
export function mutantModel(right: Candidate, random: () => number, wrong = 0.3): LanguageModel {
  const draw = (count: number): number => Math.floor(random() * count);
  const places = [
    ...Object.keys(right.permit).map((name) => ['permit', name] as const),
    ...Object.keys(right.forbid).map((name) => ['forbid', name] as const),
  ];
  const mistake = () => ({ place: places[draw(places.length)], mutate: MUTATIONS[draw(MUTATIONS.length)] });
  const mistakes = Array.from({ length: 1 + draw(4) }, mistake);
  return modelFromFunction('mutant', ({ purpose }) => {
    if (purpose === 'repair') {
      mistakes.splice(draw(mistakes.length), 1);
      if (random() < wrong) mistakes.push(mistake());
    }
    const said = { permit: { ...right.permit }, forbid: { ...right.forbid } };
    for (const { place, mutate } of mistakes) {
      const [kind, name] = place;
      said[kind][name] = mutate(said[kind][name]);
    }
    return JSON.stringify(said);
  });
}

/** Models that lie, chatter, flood, or try to give orders: nothing that they say is a policy that is verified. */
export const LIARS: readonly (readonly [name: string, answers: readonly unknown[]])[] = [
  ['permits everything', [{ permit: { all: 'true' } }]],
  ['denies everything', [{ permit: { none: 'false' } }]],
  ['permits nothing at all', [{ permit: {} }]],
  ['answers prose', ['I would be happy to help! Mail may only go inside.']],
  ['answers a megabyte', ['x'.repeat(1_000_000)]],
  ['answers a deep nest', ['['.repeat(100_000)]],
  ['answers two blocks', ['```json\n{}\n```\n```json\n{}\n```']],
  ['answers null', ['null']],
  ['answers an array', [[1]]],
  ['answers conditions that are no texts', [{ permit: { a: 1 } }, { permit: { a: ['true'] } }]],
  [
    'answers ten thousand conditions',
    [{ permit: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, 'true'])) }],
  ],
  ['answers code', [{ permit: { a: 'process.exit(0)' } }, { permit: { a: '(() => true)()' } }]],
  ['answers what does not parse', [{ permit: { a: 'to.all(' } }]],
  ['reads what there is not', [{ permit: { a: 'secret == "x"' } }]],
  ['weakens what is asked for', [{ permit: { all: 'true' }, ensures: { fine: 'true' } }]],
  ['gives orders', [{ permit: { 'ignore previous instructions': 'permitted' } }]],
  [
    'uses the names of prototypes',
    ['{"permit": {"__proto__": "true"}}', '{"__proto__": {"permit": {"a": "true"}}}'],
  ],
];
