import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GuardFile } from '../../../bindings/runtime/guard/index.js';
import { foreguard } from './command.js';

const SPECIFICATION = `version: 1
predicates:
  writes: 'has(action.name) && action.name == "write"'
  overLimit: 'has(action.name) && action.name == "pay" && sum(history.filter(c, c.time > time - 3600).map(c, c.arguments.amount)) > 100'
  busy: busy
rules:
  threeWrites: { formula: 'G count(writes) <= 3', exact: true }
  anHour: { formula: 'G !overLimit', exact: true }
  calm: { formula: 'G !busy', threshold: 0.5, strategy: report }
learning: { smoothing: 0 }
`;

const trace = (id: string, words: string): string =>
  JSON.stringify({
    id,
    steps: words.split(' ').map((word) => ({
      state: { busy: word.endsWith('!'), history: [] },
      action: { name: word.replace('!', ''), arguments: {} },
      time: 0,
    })),
  });

describe('commands on a specification with exact rules', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'foreguard-exact-'));
    writeFileSync(at('rules.yaml'), SPECIFICATION);
    writeFileSync(
      at('traces.jsonl'),
      [
        trace('a', 'read write read'),
        trace('b', 'write read! read'),
        trace('c', 'write write read write write'),
      ].join('\n'),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const EXACT = [
    'rule "threeWrites" is exact: it is enforced by its automaton, and no risk of it is predicted',
    'rule "anHour" is exact: it is enforced by its automaton, and no risk of it is predicted; predicate "overLimit" reads a sum over the history of calls, which is kept exactly',
  ];

  it('learn only what other rules read, and say which rules are not predicted, and why', async () => {
    const learnt = await foreguard(
      'learn',
      '--spec',
      at('rules.yaml'),
      '--traces',
      at('traces.jsonl'),
      '-o',
      at('model.umb'),
    );
    expect(learnt.code).toBe(0);
    expect(learnt.out).toContain('2 states (2 seen)');
    for (const note of EXACT) expect(learnt.out).toContain(note);
    const validated = await foreguard('validate', '--spec', at('rules.yaml'));
    for (const note of EXACT) expect(validated.out).toContain(note);
    expect(validated.out).toContain('3 predicates, 3 rules');
    const checked = await foreguard('validate', '--spec', at('rules.yaml'), '--traces', at('traces.jsonl'));
    for (const note of EXACT) expect(checked.out).toContain(note);
    const risk = await foreguard('risk', '--spec', at('rules.yaml'), '--model', at('model.umb'));
    expect(risk.code).toBe(0);
    expect(risk.out).toContain('calm');
    for (const note of EXACT) expect(risk.out).toContain(note);
    const joint = await foreguard(
      'risk',
      '--spec',
      at('rules.yaml'),
      '--model',
      at('model.umb'),
      '--joint',
      'calm,threeWrites',
    );
    expect(joint.code).not.toBe(0);
    expect(joint.err).toContain('rule "threeWrites" is exact, and no risk of it is predicted');
  });

  it('compile one file, which replays both', async () => {
    const compiled = await foreguard(
      'compile',
      '--spec',
      at('rules.yaml'),
      '--model',
      at('model.umb'),
      '-o',
      at('guard.json'),
    );
    expect(compiled.code).toBe(0);
    for (const note of EXACT) expect(compiled.out).toContain(note);
    const file = JSON.parse(readFileSync(at('guard.json'), 'utf8')) as GuardFile;
    expect(file.predicates.map(({ name }) => name)).toEqual(['busy', 'writes', 'overLimit']);
    expect(file.learntPredicates).toBe(1);
    expect(file.states.valuations).toHaveLength(2);
    expect(file.rules.map(({ name, tables }) => [name, tables !== undefined])).toEqual([
      ['threeWrites', false],
      ['anHour', false],
      ['calm', true],
    ]);
    const replayed = await foreguard(
      'replay',
      '--spec',
      at('rules.yaml'),
      '--model',
      at('model.umb'),
      '--traces',
      at('traces.jsonl'),
      '--json',
    );
    const { traces } = JSON.parse(replayed.out) as {
      traces: { id: string; rules: Record<string, { violatedAt: number | null; verdict: string }> }[];
    };
    expect(traces.map(({ id, rules }) => [id, rules.threeWrites.violatedAt, rules.calm.violatedAt])).toEqual([
      ['a', null, null],
      ['b', null, 1],
      ['c', 4, null],
    ]);
    const certified = await foreguard('certify', '--spec', at('rules.yaml'), '--model', at('model.umb'));
    expect(certified.code).toBe(0);
    expect(certified.out).not.toContain('threeWrites');
  });

  it('say of a risk that is not that of a sum what to write instead', async () => {
    writeFileSync(
      at('sum.yaml'),
      SPECIFICATION.replace(
        "anHour: { formula: 'G !overLimit', exact: true }",
        "anHour: { formula: 'G !overLimit', threshold: 0.5 }",
      ),
    );
    const { out } = await foreguard('validate', '--spec', at('sum.yaml'));
    expect(out).toContain(
      'rule "anHour": predicate "overLimit" reads a sum over the history of calls, and a model knows only whether it held, not how far it is from its bound',
    );
    expect(out).toContain('write exact: true, without a threshold, to enforce it exactly');
    // Without a threshold, and without anything to learn, nothing is predicted that could be wrong.
    const alone = SPECIFICATION.replace(
      ", exact: true }\n  anHour: { formula: 'G !overLimit', exact: true }",
      " }\n  anHour: { formula: 'G !overLimit' }",
    );
    writeFileSync(at('alone.yaml'), alone.replace(', threshold: 0.5, strategy: report', ''));
    const enforced = await foreguard('validate', '--spec', at('alone.yaml'));
    expect(enforced.code).toBe(0);
    expect(enforced.out).not.toContain('reads a sum');
    expect(enforced.out).not.toContain('exact: true');
    writeFileSync(at('all.yaml'), SPECIFICATION.replace(/ {2}calm.*\n/, ''));
    const learnt = await foreguard(
      'learn',
      '--spec',
      at('all.yaml'),
      '--traces',
      at('traces.jsonl'),
      '-o',
      at('none.umb'),
    );
    expect(learnt.code).not.toBe(0);
    expect(learnt.err).toContain('every rule is exact, and of an exact rule nothing is predicted');
  });
});
