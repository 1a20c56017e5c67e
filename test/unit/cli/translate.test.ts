import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { modelFromFunction, recordingModel } from '../../../bindings/base/languageModel/index.js';
import { translateSentence } from '../../../bindings/face/cli/english/translate.js';
import { parseSpecification, vocabularyOf } from '../../../bindings/rules/specification/index.js';
import { translate } from '../../../bindings/rules/translate/index.js';

const SPECIFICATION = `version: 1
predicates:
  inBathroom: { when: room == "Bathroom", say: the robot is in the bathroom }
  inLivingRoom: { when: room == "LivingRoom", say: the robot is in the living room }
rules:
  living: { formula: F inLivingRoom, strategy: report }
`;
const SENTENCE = 'treat the bathroom as taboo until a visit to the living room took place';
const WORDS = { words: ['treat', 'as taboo', 'until a visit to', 'took place'] };
const tree = (op: string) => ({
  tree: {
    op,
    args: [
      { op: 'not', args: [{ op: 'p', n: 1 }], ...WORDS },
      { op: 'p', n: 2 },
    ],
  },
});

/** A transcript of a model that was asked what the command asks. */
async function recorded(folder: string, trees: readonly unknown[]): Promise<string> {
  const lines: string[] = [];
  let asked = 0;
  const model = modelFromFunction('scripted', ({ purpose }) =>
    JSON.stringify(
      purpose === 'mentions'
        ? { rules: [{ text: SENTENCE, mentions: ['the bathroom', 'the living room'] }] }
        : trees[asked++ % trees.length],
    ),
  );
  await translate(SENTENCE, {
    ...vocabularyOf(parseSpecification(SPECIFICATION)),
    model: recordingModel(model, (line) => void lines.push(line)),
  });
  const path = join(folder, 'answers.jsonl');
  writeFileSync(path, lines.join(''));
  return `recorded:${path}`;
}

async function run(
  trees: readonly unknown[],
  more: { confirm?: boolean; by?: string; answers?: string[] } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'foreguard-translate-'));
  const spec = join(folder, 'rules.yaml');
  writeFileSync(spec, SPECIFICATION);
  const shown: string[] = [];
  const { answers = [], ...options } = more;
  const outcome = await translateSentence(
    { sentence: SENTENCE, spec, model: await recorded(folder, trees), keyVariable: 'NONE', ...options },
    {
      out: () => {},
      err: (text) => void shown.push(text),
      interactive: true,
      ask: async (prompt) => {
        shown.push(prompt);
        const answer = answers.shift();
        if (answer === undefined) throw new Error('asked too often');
        return answer;
      },
    },
  );
  return { ...outcome, shown: shown.join('') };
}

describe('foreguard translate', () => {
  it('prints an offer, and says that it is no rule yet', async () => {
    const { text, exitCode } = await run([tree('weakUntil')]);
    expect(exitCode).toBe(2);
    expect(text).toContain('"the bathroom" is taken for inBathroom');
    expect(text).toContain('!inBathroom W inLivingRoom');
    expect(text).toContain('no rule before you confirm it');
  });

  it('prints readings with a run that divides them', async () => {
    const { text, exitCode } = await run([tree('weakUntil'), tree('until')]);
    expect(exitCode).toBe(2);
    expect(text).toMatch(/1\. !inBathroom W inLivingRoom[\s\S]*2\. !inBathroom U inLivingRoom/);
    expect(text).toContain('If it is: 1. If it is not: 2.');
  });

  it('asks, and prints the confirmed rule for a specification', async () => {
    const seen: string[] = [];
    const outcome = await runAnswering([tree('weakUntil')], seen);
    expect(outcome.exitCode).toBe(0);
    const rule = parse(outcome.text);
    expect(rule).toMatchObject({
      formula: '!inBathroom W inLivingRoom',
      translated: SENTENCE,
      confirmed: { by: 'Ada' },
    });
    expect(rule.confirmed.allowed.length).toBe(2);
    expect(rule.confirmed.forbidden.length).toBe(2);
    expect(seen.join('')).toContain('"perhaps" is no answer');
  });

  it('makes no rule of answers that differ, and asks nobody who cannot be named', async () => {
    await expect(
      run([tree('weakUntil')], { confirm: true, by: 'Ada', answers: Array(4).fill('yes') }),
    ).rejects.toThrow(/it is not what is meant/);
    await expect(run([tree('weakUntil')], { confirm: true })).rejects.toThrow(/--by NAME/);
  });
});

/** As a person who means `!inBathroom W inLivingRoom` answers, after one answer that is none. */
async function runAnswering(trees: readonly unknown[], seen: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'foreguard-translate-'));
  const spec = join(folder, 'rules.yaml');
  writeFileSync(spec, SPECIFICATION);
  let first = true;
  return translateSentence(
    {
      sentence: SENTENCE,
      spec,
      model: await recorded(folder, trees),
      keyVariable: 'NONE',
      confirm: true,
      by: 'Ada',
    },
    {
      out: () => {},
      err: (text) => void seen.push(text),
      interactive: true,
      ask: async (prompt) => {
        if (first) {
          first = false;
          return 'perhaps';
        }
        const steps = prompt.split(';').slice(0, -1);
        for (const step of steps) {
          if (step.includes('living room')) return 'yes';
          if (step.includes('bathroom')) return 'no';
        }
        return 'yes';
      },
    },
  );
}
