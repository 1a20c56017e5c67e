import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { riskTable } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { readUmb } from '../../../bindings/solvers/formats/index.js';
import { describeChain, renderReport } from '../../../bindings/study/report/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-spoken-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RULES = `rules:
  watch: { formula: G (stoveOn -> inKitchen), threshold: 0.3, strategy: reflect }
learning: { smoothing: 0 }
`;
const SAID = 'Whenever the stove is on, the robot is in the kitchen.';

/** The same specification with words, and without. */
const specifications = {
  spoken: `version: 1
predicates:
  stoveOn: { when: stove, say: the stove is on, not: the stove is off }
  inKitchen: { when: room == "Kitchen", say: the robot is in the kitchen }
  late: hour > 20
${RULES}`,
  plain: `version: 1
predicates: { stoveOn: stove, inKitchen: room == "Kitchen", late: hour > 20 }
${RULES}`,
};

/** A command on one of the specifications, with its model or the recordings. */
const ask = (name: keyof typeof specifications, command: string, ...options: string[]) =>
  foreguard(command, '-s', path(`${name}.yaml`), ...options);
const ofModel = (name: keyof typeof specifications) => ['-m', path(`${name}.umb`)];
const ofTraces = ['-t', path('traces.jsonl')];

beforeAll(async () => {
  const runs = [
    ['Hall', 'Kitchen', 'Kitchen on', 'Kitchen'],
    ['Hall', 'Kitchen', 'Kitchen on', 'Hall on'],
    ['Kitchen on', 'Kitchen on', 'Kitchen', 'Hall'],
  ];
  const lines = runs.map((run, id) =>
    JSON.stringify({
      id: `${id}`,
      steps: run.map((step) => ({
        state: { room: step.split(' ')[0], stove: step.endsWith(' on'), hour: 12 },
      })),
    }),
  );
  writeFileSync(path('traces.jsonl'), lines.join('\n'));
  for (const [name, text] of Object.entries(specifications)) {
    writeFileSync(path(`${name}.yaml`), text);
    const { code, err } = await foreguard(
      'learn',
      '-s',
      path(`${name}.yaml`),
      ...ofTraces,
      '-o',
      path(`${name}.umb`),
    );
    expect({ code, err }).toMatchObject({ code: 0 });
  }
});

describe('tables of a specification whose predicates have words', () => {
  it('say states and rules in them: risk, joint risk and certify', async () => {
    for (const { out } of [
      await ask('spoken', 'risk', ...ofModel('spoken')),
      await ask('spoken', 'risk', ...ofModel('spoken'), '--joint', 'watch'),
      await ask('spoken', 'certify', ...ofModel('spoken')),
    ]) {
      expect(out).toContain('the stove is on, the robot is in the kitchen; not late');
      expect(out).not.toMatch(/none of|; not stoveOn|inKitchen;/);
    }
    const { out } = await ask('spoken', 'risk', ...ofModel('spoken'));
    expect(out).toContain(`watch: G (stoveOn -> inKitchen)\nin words: ${SAID}`);
    expect(out).toContain('the stove is off, the robot is not in the kitchen; not late');
    expect((await ask('spoken', 'certify', ...ofModel('spoken'))).out).toContain(`in words: ${SAID}`);
    expect((await ask('spoken', 'replay', ...ofModel('spoken'), ...ofTraces)).out).toContain(
      `watch: ${SAID}`,
    );
  });

  it('say the rules by which traces are judged: replay and robustness', async () => {
    for (const { out } of [
      await ask('spoken', 'replay', ...ofModel('spoken'), ...ofTraces),
      await ask('spoken', 'robustness', ...ofTraces),
    ])
      expect(out).toContain(`watch: ${SAID}`);
  });

  it('give reports the words: the table of states, and what is broken', async () => {
    const specification = parseSpecification(specifications.spoken);
    const model = await readUmb(readFileSync(path('spoken.umb')), { source: 'spoken.umb' });
    if (model.type !== 'dtmc') throw new Error(model.type);
    const [table] = riskTable(specification, model).rules;
    const chain = describeChain(model, table, { title: 'Kitchen', threshold: null });
    expect(chain.english).toBe(SAID);
    expect(chain.states.map(({ words }) => words)).toContain(
      'the stove is on, the robot is in the kitchen; not late',
    );
    const data = {
      title: '',
      summary: '',
      facts: [],
      chain,
      settings: { note: '', rows: [] },
      tables: [],
      notes: [],
    };
    expect(renderReport(data)).toContain(`(${SAID})`);
  });

  it('gain fields in JSON, and nothing in them changes', async () => {
    for (const [command, ...options] of [['risk'], ['certify'], ['replay', ...ofTraces]]) {
      const [plain, spoken] = await Promise.all(
        (['plain', 'spoken'] as const).map(async (name) => {
          const { out } = await ask(name, command, ...ofModel(name), ...options, '--json');
          return out.replaceAll(path(`${name}.`), '').replaceAll(`${name}.`, '');
        }),
      );
      const without = JSON.parse(spoken, function (this: unknown, key, value) {
        return key === 'inWords' || key === 'english' ? undefined : value;
      });
      expect(without).toEqual(JSON.parse(plain));
      expect(spoken).toContain(SAID);
    }
  });

  it('are as before where none has words', async () => {
    const { out } = await ask('plain', 'risk', ...ofModel('plain'));
    expect(out).toContain('stoveOn, inKitchen; not late');
    expect(out).not.toContain('in words');
  });
});

describe('a guard whose predicates have words', () => {
  it('says the present state in them', async () => {
    const said: Record<string, string> = {};
    for (const name of ['plain', 'spoken'] as const) {
      await ask(name, 'compile', ...ofModel(name), '-o', path(`${name}.json`));
      const guard = createGuard(JSON.parse(readFileSync(path(`${name}.json`), 'utf8')));
      const step = guard.step({ room: 'Hall', stove: true, hour: 12 });
      said[name] = `${guard.explain(step)} ${guard.reflection(step)}`;
    }
    expect(said.spoken).toContain('the stove is on; the robot is not in the kitchen; not late');
    expect(said.spoken).not.toMatch(/stoveOn|inKitchen/);
    expect(said.plain).toContain('stoveOn; none of inKitchen, late');
  });
});
