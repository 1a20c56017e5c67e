import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { script } from '../script.js';

const { constantChoices, parseSwitches } = await script('conformance/switches.mjs');
const { resultFor, resultLines } = await script('conformance/resultLines.mjs');
const { pro2guardJobs, readPublishedChain } = await script('conformance/pro2guard.mjs');
const { prismTestJobs } = await script('conformance/prismTests.mjs');
const { qvbsJobs } = await script('conformance/qvbs.mjs');
const { Report } = await script('conformance/report.mjs');

const root = mkdtempSync(join(tmpdir(), 'foreguard-conformance-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(root, 'case-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

describe('RESULT comments', () => {
  const source = `// RESULT: 0.5
P=? [ X a ];

// RESULT: stale

// How likely?
//RESULT (N=4,p=0.1):0.25   // as computed
// RESULT (N=5): 1/3
  // RESULT: Error:no,such
"b": P=? [ X b ];
const int k = 2; // RESULT: none
P=? [ X c ];`;
  const above = (property: string): { constants: string[][]; text: string }[] =>
    resultLines(source, source.indexOf(property));

  it('belong to the property directly below', () => {
    expect(above('P=? [ X a ]')).toEqual([{ constants: [], text: '0.5' }]);
    expect(above('"b"').map(({ text }) => text)).toEqual(['0.25', '1/3', 'Error:no,such']);
    expect(above('P=? [ X c ]')).toEqual([]);
  });

  it('may say why an error is expected', () => {
    const source =
      '// RESULT (N=1): Error "accuracy" of the method\n// RESULT: Error:a,b (or so)\nP=? [ X a ]';
    expect(resultLines(source, source.indexOf('P=?')).map(({ text }: { text: string }) => text)).toEqual([
      'Error "accuracy"',
      'Error:a,b',
    ]);
  });

  it('are chosen by constants, the first that fits', () => {
    const has = (values: Record<string, string>) => (name: string, value: string) => values[name] === value;
    expect(resultFor(above('"b"'), has({ N: '4', p: '0.1' }))).toBe('0.25');
    expect(resultFor(above('"b"'), has({ N: '5', p: '0.1' }))).toBe('1/3');
    expect(resultFor(above('"b"'), has({}))).toBe('Error:no,such');
    expect(resultFor(above('P=? [ X c ]'), has({}))).toBeUndefined();
  });
});

describe('switches', () => {
  it('keep what changes an answer and drop what changes the way to it', () => {
    const [run, ...more] = parseSwitches('-ex -gs -const N=4 --const L=2,p=0.1 -epsilon 1e-8 -exact -prop 3');
    expect(more).toEqual([]);
    expect(run).toMatchObject({ constants: { N: '4', L: '2', p: '0.1' }, exact: true, property: '3' });
    expect(run).not.toHaveProperty('unsupported');
    expect(parseSwitches('-mdp -ex')[0]).toMatchObject({ type: 'mdp', exact: false });
    expect(parseSwitches('-const x=1 -param p=0:1')[0].unsupported).toBe('parametric');
  });

  it('tell files to import and to export', () => {
    expect(
      parseSwitches('-importmodel dice.all -exportmodel out.tra,lab -exportmodelprecision 15')[0],
    ).toMatchObject({
      imports: [['model', 'dice.all']],
      exports: [['model', 'out.tra,lab']],
    });
  });

  it('make a run of each value of a range', () => {
    expect(constantChoices(['N=1:3', 'b=true'])).toEqual(['1', '2', '3'].map((N) => ({ N, b: 'true' })));
    expect(constantChoices(['d=0.05:0.2:0.45']).map(({ d }: { d: string }) => d)).toEqual([
      '1/20',
      '1/4',
      '9/20',
    ]);
    expect(() => constantChoices(['N=a:b'])).toThrow('no range');
  });
});

describe('a folder of tests', () => {
  it('is searched for models, their property files and their switches', () => {
    const path = folder({
      'a/die.pm': 'dtmc',
      'a/die.pm.props': '',
      'a/die.pm.more.props': '',
      'a/die.pm.more.props.args': '# twice\n-ex\n-s\n-exact\n\n',
      'a/lost.nm.props': '// RESULT: 1\nP=? [ X a ]',
      'b/x.auto': '-importmodel x.tra -exportmodel y.tra',
      'c/robotmod.nm': 'mdp',
      'c/robotmode.nm.props': '// RESULT: 0\nP=? [ X a ]',
    });
    expect(
      prismTestJobs(path).map(({ folder, title, skip }: Record<string, string>) => [folder, title, skip]),
    ).toEqual([
      ['a', 'die.pm.more.props', undefined],
      ['a', 'die.pm.more.props (exact)', undefined],
      ['a', 'die.pm.props', undefined],
      ['a', 'lost.nm.props', 'no model file begins its name'],
      ['b', 'x.auto: -importmodel x.tra -exportmodel y.tra', undefined],
      ['c', 'robotmode.nm.props', undefined],
    ]);
  });

  it('of benchmark instances gives a job for each, smallest first', () => {
    const instance = {
      family: 'f',
      model: 'f/m.prism',
      properties: 'f/m.props',
      constants: { N: 2, b: true },
    };
    const path = folder({
      'instances.json': JSON.stringify([
        { ...instance, states: 300, results: { p: { approx: 0.5 } }, propertyKinds: { p: '', q: '' } },
        { ...instance, constants: {}, states: 20, results: {} },
      ]),
    });
    expect(qvbsJobs(path)).toMatchObject([
      { title: 'f/m.prism', states: 20 },
      { title: 'f/m.prism N=2,b=true', constants: { N: '2', b: 'true' }, states: 300, unpublished: ['q'] },
    ]);
    expect(qvbsJobs(path, { maxStates: 100 })[1].skip).toMatch(/--max-states/);
    expect(() => qvbsJobs(root)).toThrow('instances.json is absent');
  });
});

describe('a folder of published chains', () => {
  const half = {
    states: ['0', '1'],
    state_index: { 0: 0, 1: 1 },
    transition_probs: { 0: { 0: '1/2', 1: '1/2' } },
  };
  const chain = (model: object, abstraction: object): Record<string, string> => ({
    'x/dtmc.prism': 'dtmc',
    'x/model.json': JSON.stringify(model),
    'x/abstraction.json': JSON.stringify(abstraction),
  });

  it('has a job for each, and asks about every state of a household', () => {
    const path = folder(chain(half, { objectTypes: [] }));
    expect(pro2guardJobs(path)).toMatchObject([{ kind: 'published chain', folder: '.', title: 'x' }]);
    const { rows, targets } = readPublishedChain(join(path, 'x'));
    expect(rows).toEqual([
      new Map([
        [0, { numerator: 1n, denominator: 2n }],
        [1, { numerator: 1n, denominator: 2n }],
      ]),
      new Map(),
    ]);
    expect(targets.map(({ state }: { state: number }) => state)).toEqual([0, 1]);
    expect(() => pro2guardJobs(folder({ 'a.prism': 'dtmc' }))).toThrow('no folder with a dtmc.prism');
  });

  it('asks of a vehicle about its three ends', () => {
    const states = ['0000', '0001', '0010', '0100', '1000'];
    const numbers = Object.fromEntries(states.map((code, number) => [code, number]));
    const path = folder(chain({ states, state_index: numbers, transition_probs: {} }, { collision: [] }));
    expect(readPublishedChain(join(path, 'x')).targets).toEqual([
      { name: 'rule broken', state: 2 },
      { name: 'destination', state: 3 },
      { name: 'collision', state: 4 },
    ]);
  });
});

describe('the report', () => {
  it('prints a line for each failure, a table by folder, and the sums last', () => {
    const report = new Report();
    const lines: string[] = [];
    const add = (folder: string, outcome: string, detail = ''): void =>
      report.add({ job: { folder, title: 't' }, name: 'p', outcome, detail }, (line: string) =>
        lines.push(line),
      );
    add('b', 'passed');
    add('a', 'close');
    add('a', 'failed', 'expected 1, found 2');
    add('a', 'unsupported', 'several objectives');
    add('a', 'skipped', 'no result is published');
    expect(lines).toEqual(['FAILED a/t: p: expected 1, found 2']);
    report.add(
      { job: { folder: 'a', title: 't' }, counts: { states: 3 }, times: { ms: 2 }, note: 'odd' },
      (line: string) => lines.push(line),
    );
    report.add({ job: { folder: 'a', title: 'u' }, counts: { states: 4 }, times: { ms: 1 } });
    report.add({ job: { folder: 'b', title: 'v' }, times: { ms: 9 } });
    expect(lines.at(-1)).toBe('NOTE a/t: odd');
    const text = report.toString().split('\n');
    expect(text).toContain('a            7  2.0');
    expect(text.at(-1)).toBe('2 passed, 1 failed, 2 skipped');
    expect(text.findIndex((line: string) => /^a +1 +1 +1 +1$/.test(line))).toBeGreaterThan(0);
    expect(text.some((line: string) => /1 {2}unsupported: several objectives/.test(line))).toBe(true);
  });
});
