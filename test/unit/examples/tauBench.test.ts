import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../shared.js';
import { example, runMain } from './example.js';

const own = fileURLToPath(new URL('data/tau-bench.json', import.meta.url));

const { airlineSpecification, calibration, predict, readConversations } = await example(
  'tau-bench/conversations.mjs',
);
const { dealFolds } = await example('measures/folds.mjs');

interface Conversation {
  group: string;
  failed: boolean;
  trace: { id: string; steps: unknown[] };
}

interface Prediction {
  id: string;
  group: string;
  fold: number;
  failed: boolean;
  risks: number[];
  outcome: { violatedAt: number | null };
}

/** What holds of any conversations. */
function invariants(path: string): void {
  it('predicts every step of every conversation but the last, by chains that saw none of its task', async () => {
    const conversations: Conversation[] = await readConversations(path);
    const foldOf: Map<string, number> = dealFolds(
      conversations.map(({ group }) => group),
      5,
      1,
    );
    const found: { predictions: Prediction[]; splits: { trained: number; tested: number }[] } = await predict(
      airlineSpecification(),
      conversations,
      foldOf,
    );
    const byId = new Map(conversations.map((one) => [one.trace.id, one]));
    expect(found.predictions.length).toBe(conversations.length);
    for (const { id, group, fold, risks, failed, outcome } of found.predictions) {
      const { trace } = byId.get(id)!;
      expect(foldOf.get(group)).toBe(fold);
      expect(risks.length).toBe(trace.steps.length - 1);
      expect(risks.every((risk) => risk >= 0 && risk <= 1)).toBe(true);
      expect(outcome.violatedAt).toBe(failed ? trace.steps.length - 1 : null);
    }
    for (const { trained, tested } of found.splits) expect(trained + tested).toBe(conversations.length);
    expect(found.splits.reduce((sum, { tested }) => sum + tested, 0)).toBe(conversations.length);
  });
}

describe('the tau-bench example', () => {
  describe('on conversations made for this test', () => {
    invariants(own);

    it('prints the same figures twice', async () => {
      const first = await runMain('tau-bench/main.mjs', ['--data', own]);
      expect(first.errors).toBe('');
      expect(first.exitCode).toBe(0);
      expect(first.output).toContain('12 conversations about 6 tasks, 6 ended in failure');
      expect(await runMain('tau-bench/main.mjs', ['--data', own])).toEqual(first);
    });

    it('ends with exit code 2 where the file is absent', async () => {
      const { errors, exitCode } = await runMain('tau-bench/main.mjs', ['--data', `${own}.absent`]);
      expect(exitCode).toBe(2);
      expect(errors).toContain(`There is no ${own}.absent`);
    });

    it('ends with exit code 2 where the file is no recording', async () => {
      const { errors, exitCode } = await runMain('tau-bench/main.mjs', [
        '--data',
        fileURLToPath(import.meta.url),
      ]);
      expect(exitCode).toBe(2);
      expect(errors).toContain('tauBench.test.ts');
    });
  });

  it('puts every prediction in one band, the largest too', () => {
    const scored = [0, 0.1, 0.5, 0.99, 1].map((score) => ({ score, happened: score > 0.4 }));
    const bands: { conversations: number; failures: number; from: number }[] = calibration(scored, 5);
    expect(bands.map(({ conversations }) => conversations)).toEqual([2, 1, 2]);
    expect(bands.map(({ failures }) => failures)).toEqual([0, 1, 2]);
  });

  sharedData('tau-bench/gpt-4o-airline.json', (path) => {
    invariants(path);
  });
});
