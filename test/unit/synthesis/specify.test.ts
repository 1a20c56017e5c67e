import { describe, expect, it } from 'vitest';
import {
  clarify,
  DraftFile,
  type ReadingQuestion,
  specifyPolicy,
} from '../../../bindings/proofs/synthesis/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { saying } from './models.js';

const DRAFT = `version: 1
inputs: { cents: { integer: [-100000, 100000] }, vip: { type: boolean } }
policies:
  refund: { tools: [refund], request: 'Up to 200 dollars the agent refunds by itself.' }
`;

const reading = (permit: string) => ({
  ensures: { limit: `permitted == (${permit})` },
  permit: { small: permit },
});
const READINGS = [
  'cents <= 20000',
  'cents < 20000 && cents > 0',
  'cents > 0 && cents <= 20000',
  '0 < cents && cents < 20001',
];

const policy = (permit: string) =>
  parsePolicies(
    JSON.stringify({
      version: 1,
      inputs: { cents: { integer: [-100000, 100000] }, vip: { type: 'boolean' } },
      policies: { refund: { tools: ['refund'], permit: { small: permit } } },
    }),
  );

/** A person who means `cents` from 1 to 20000. */
const person = (asked: ReadingQuestion[]) => async (question: ReadingQuestion) => {
  asked.push(question);
  const { cents } = question.input as { cents: number };
  return cents > 0 && cents <= 20000 ? ('permit' as const) : ('deny' as const);
};

describe('what a request means', () => {
  it('is told by inputs on which its readings differ; those that decide alike are one', async () => {
    const asked: ReadingQuestion[] = [];
    const found = await clarify(READINGS.map(policy), person(asked));
    expect(found).toMatchObject({ reading: 2, open: false });
    expect(asked.length).toBeLessThanOrEqual(2);
    for (const { permitting, denying } of asked) expect(Math.min(permitting, denying)).toBeGreaterThan(0);
    expect(found.examples).toHaveLength(asked.length);
  });

  it('takes as many questions as halving needs, and no more than stated', async () => {
    const bounds = Array.from({ length: 16 }, (_, i) => `cents <= ${i * 10}`);
    const meant = 70;
    let questions = 0;
    const ask = async ({ input }: ReadingQuestion) => {
      questions++;
      return (input.cents as number) <= meant ? ('permit' as const) : ('deny' as const);
    };
    const found = await clarify(bounds.map(policy), ask);
    expect(found).toMatchObject({ reading: 7, open: false });
    expect(questions).toBeLessThanOrEqual(4);
    expect(await clarify(bounds.map(policy), ask, 1)).toMatchObject({ open: true });
  });

  it('is asked about no further where nobody cares', async () => {
    const found = await clarify(READINGS.map(policy), async () => 'either');
    expect(found).toMatchObject({ reading: 0, examples: [] });
    expect(found.questions.length).toBeLessThanOrEqual(7);
  });

  it('is said to be none of the readings, where none agrees with the answers', async () => {
    const file = new DraftFile(DRAFT, 'refund.yaml');
    const model = saying(...['vip', 'vip && cents > 5'].map((permit) => JSON.stringify(reading(permit))));
    let asked = 0;
    const contrary = async ({ input }: ReadingQuestion) => {
      asked++;
      return input.vip === true && (input.cents as number) > 5 ? ('deny' as const) : ('permit' as const);
    };
    const { clarification } = await specifyPolicy(file, 'refund', model, { readings: 2, ask: contrary });
    expect([asked, clarification.reading]).toEqual([1, 0]);
  });
});

describe('properties that a model drafts', () => {
  it('are those of the reading that agrees, with the answers as examples; readings that are none are dropped', async () => {
    const file = new DraftFile(DRAFT, 'refund.yaml');
    const asked: ReadingQuestion[] = [];
    const model = saying(
      ...READINGS.map((permit) => JSON.stringify(reading(permit))),
      'prose',
      JSON.stringify(reading('centz < 1')),
    );
    const { draft, candidate, dropped } = await specifyPolicy(file, 'refund', model, {
      readings: 6,
      ask: person(asked),
    });
    expect(draft.ensures).toEqual({ limit: `permitted == (${READINGS[2]})` });
    expect(candidate.permit).toEqual({ small: READINGS[2] });
    expect(draft.examples.length).toBe(asked.length);
    expect(dropped).toEqual([
      expect.stringMatching(/^reading 5: the answer is not a JSON object/),
      expect.stringMatching(/^reading 6: .*centz.*did you mean/s),
    ]);
  });

  it('that no reading gives are an error', async () => {
    const file = new DraftFile(DRAFT, 'refund.yaml');
    await expect(specifyPolicy(file, 'refund', saying('no'), { ask: async () => 'either' })).rejects.toThrow(
      /^no reading can be used: reading 1: the answer is not a JSON object/,
    );
  });
});
