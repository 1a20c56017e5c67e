import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-unseen-actions-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const predicates = `
  arms: 'has(action.name) && action.name == "arm"'
  opens: 'has(action.name) && action.name == "open"'`;

/** Writes the specification and three steps to learn from; returns its path. */
function written(name: string, header: string, others = predicates): string {
  const [first, last] = others === predicates ? ['opens', 'arms'] : ['far', 'near'];
  writeFileSync(
    path(`${name}.yaml`),
    `version: 1
${header}
predicates:${others}
rules: { noOpenAfterArm: { formula: 'G (${first} -> !(O ${last}))', threshold: 0.5, strategy: block } }
`,
  );
  const steps = ['wait', 'arm', 'wait'].map((action, time) => ({
    state: { gap: 50 },
    action: { name: action },
    time,
  }));
  writeFileSync(path('traces.jsonl'), `${JSON.stringify({ id: 'one', steps })}\n`);
  return path(`${name}.yaml`);
}

const texts = (notes: readonly { readonly message: string }[]) => notes.map(({ message }) => message);

describe.each(['hold', 'skip'])('predicates that read the action, under resample: %s', (resample) => {
  const spec = written(resample, `samplingPeriod: 1s\nresample: ${resample}`);
  const warning = `predicates "arms", "opens" read the action, and resample: ${resample} leaves out what comes before its time: the guard judges an action taken less than 1 s after a step, but no rule sees it afterwards`;

  it('are warned of by validate, with and without traces', async () => {
    for (const words of [[], ['-t', path('traces.jsonl')]]) {
      const { out, code } = await foreguard('validate', '-s', spec, ...words);
      expect(code).toBe(0);
      expect(out).toContain(`warning: ${warning}`);
      expect(out).toContain('choose resample: error');
      const json = JSON.parse((await foreguard('validate', '-s', spec, ...words, '--json')).out);
      expect(json.warnings).toContainEqual(expect.stringContaining(warning));
    }
  });

  it('are warned of by compile, with and without a model', async () => {
    const model = path(`${resample}.umb`);
    const learnt = await foreguard('learn', '-s', spec, '-t', path('traces.jsonl'), '-o', model);
    expect(learnt.code).toBe(0);
    for (const words of [[], ['-m', model]]) {
      const compile = ['compile', '-s', spec, ...words, '-o', path('guard.json')];
      const { out, code } = await foreguard(...compile);
      expect(code).toBe(0);
      expect(out).toContain(`warning: ${warning}`);
      const { notes } = JSON.parse((await foreguard(...compile, '--json')).out);
      expect(texts(notes)).toContainEqual(expect.stringContaining(warning));
    }
  });
});

it.each([
  ['resample: error', 'error', 'samplingPeriod: 1s', predicates],
  ['no sampling period', 'untimed', '', predicates],
  [
    'predicates of the state',
    'states',
    'samplingPeriod: 1s\nresample: hold',
    "\n  near: 'gap < 10'\n  far: 'gap > 90'",
  ],
])('there is no warning for %s', async (_, name, header, others) => {
  const spec = written(name, header, others);
  const validated = await foreguard('validate', '-s', spec);
  const compiled = await foreguard('compile', '-s', spec, '-o', path('guard.json'));
  expect([validated.code, compiled.code]).toEqual([0, 0]);
  expect(validated.out + compiled.out).not.toContain('warning');
});
