import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { householdTasks, Random } from '../../../worlds/src/index.js';
import { example } from './example.js';

const { readConstraints } = await example('safety-chip/constraints.mjs');
const { House } = await example('safety-chip/house.mjs');
const { drawSet, search } = await example('safety-chip/search.mjs');
const { modelNamed, modelWays, runModel } = await example('safety-chip/model.mjs');

const folder = mkdtempSync(join(tmpdir(), 'foreguard-chip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const constraints = readConstraints();
const [told, refused, both] = modelWays;
const cases = householdTasks.slice(0, 6).map((task, t) => {
  const house = new House(task, 3);
  return { house, set: drawSet(house, constraints, 3, new Random(4, t)) };
});

interface Told {
  answers: string[];
  done: string[];
  next: string | null;
  constraints?: string[];
  refused?: { action: string; why: string }[];
}
type Answer = (data: Told) => string;

/** A server that answers as a model would; the runs against it. */
async function against<T>(
  answer: Answer,
  use: (model: string) => Promise<T>,
): Promise<{ result: T; asked: Told[] }> {
  const asked: Told[] = [];
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await textOf(request));
    const data = JSON.parse(messages.at(-1).content);
    asked.push(data);
    response.end(
      JSON.stringify({ choices: [{ message: { content: answer(data) }, finish_reason: 'stop' }] }),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    return {
      result: await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#small`),
      asked,
    };
  } finally {
    server.close();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

/** Works on and then ends; where it is refused it goes where the reason says, else somewhere. */
const willing: Answer = ({ answers, refused = [] }) => {
  const left = answers.filter((one) => refused.every(({ action }) => action !== one));
  const named = left.find((one) => refused.some(({ why }) => why.includes(one.replace('walk to', 'go to'))));
  const planned = left.find((one) => one === 'work') ?? left.find((one) => one === 'end');
  return JSON.stringify({ action: named ?? planned ?? left[0] });
};

describe('a language model as the agent of the Safety Chip', () => {
  it('breaks nothing where it is refused, whatever it answers, and is told why', async () => {
    let asks = 0;
    const wild: Answer = ({ answers }) =>
      ['no JSON', '{"action": "fly"}', JSON.stringify({ action: answers[asks % answers.length] })][
        asks++ % 3
      ];
    for (const answer of [willing, wild]) {
      const { result, asked } = await against(answer, async (name) => {
        const model = modelNamed(name);
        const runs = [];
        for (const { house, set } of cases) runs.push(await runModel(refused, house, set, model));
        return runs;
      });
      for (const run of result) expect(run.isKept).toBe(true);
      expect(asked.every(({ constraints: known }) => known === undefined)).toBe(true);
      const reasons = asked.flatMap(({ refused: all = [] }) => all.map(({ why }) => why));
      expect(reasons.some((why) => /^It would break the constraint "[A-Z].*\."/.test(why))).toBe(true);
      if (answer === wild) {
        expect(result.some(({ inexecutable }) => inexecutable > 0)).toBe(true);
        expect(reasons).toContain('This is none of the answers.');
      } else expect(result.some(({ isDone, isEndKept }) => isDone && isEndKept)).toBe(true);
    }
  });

  it('is told the constraints, and breaks them if it does not heed them and nobody refuses', async () => {
    const { result, asked } = await against(
      ({ answers }) => JSON.stringify({ action: answers.includes('work') ? 'work' : 'end' }),
      async (name) => {
        const runs = [];
        for (const { house, set } of cases) runs.push(await runModel(told, house, set, modelNamed(name)));
        return runs;
      },
    );
    // The planner alone breaks each of these sets: that is how they are drawn.
    for (const run of result) expect([run.isEndKept, run.isDone, run.refusals]).toEqual([false, true, 0]);
    expect(asked[0].constraints).toEqual(cases[0].set.map(({ sentence }: { sentence: string }) => sentence));
    expect(asked[0].answers.at(-1)).toBe('end');
  });

  it('gives recorded answers again, and finds an error where the record has none', async () => {
    const [{ house, set }] = cases;
    const file = join(folder, 'answers.jsonl');
    const { result } = await against<{ steps: number; proposals: number }>(willing, (name) =>
      runModel(both, house, set, modelNamed(name, file)),
    );
    const recorded = modelNamed(`recorded:${file}`);
    expect(await runModel(both, house, set, recorded)).toEqual(result);
    expect(readFileSync(file, 'utf8').trim().split('\n').length).toBe(result.proposals);
    await expect(runModel(told, cases[1].house, cases[1].set, recorded)).rejects.toThrow(/record it anew/);
    expect(search(house, set).length - 1).toBeLessThanOrEqual(result.steps);
    expect(() => modelNamed('qwen3')).toThrow(/expected URL#NAME/);
  });
});
