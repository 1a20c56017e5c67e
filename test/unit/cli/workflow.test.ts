import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { planSchema, readPlan } from '../../../bindings/proofs/workflow/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-plans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const CONTRACTS = `version: 1
stores: { files: { key: path } }
tools:
  read: { result: { type: text, integrity: untrusted } }
  pay:
    arguments: { to: { type: text, integrity: trusted }, amount: integer }
    requires: { limit: 'amount <= 100' }
  refund: { arguments: { to: { type: text, integrity: trusted } }, ask: person }
  remove: { arguments: { pattern: { format: glob, integrity: trusted } }, effects: { removes: { files: 'glob(key, pattern)' } } }
`;
const contracts = file('tools.yaml', CONTRACTS);
const good = file('good.mjs', "goal('Pay Ann');\nawait pay({ to: 'Ann', amount: 7 });\n");
const much = file('much.mjs', "goal('Pay Ann');\nawait pay({ to: 'Ann', amount: 700 });\n");
const leak = file(
  'leak.mjs',
  "goal('Pay the bill');\nconst bill = await read();\nawait pay({ to: bill, amount: 7 });\n",
);
const open = file(
  'open.json',
  JSON.stringify({
    goal: 'Pay',
    inputs: { amount: 'integer' },
    steps: [
      { call: 'pay', with: { to: 'Ann', amount: { expr: 'amount * amount * amount % 7 + amount % 90' } } },
    ],
  }),
);
const asking = file(
  'asking.mjs',
  "goal('Refund');\nconst bill = await read();\nawait refund({ to: bill });\n",
);
const workflow = (command: string, plan: string, ...more: string[]) =>
  foreguard('workflow', command, plan, '-c', contracts, ...more);

describe('workflow verify', () => {
  it('says that a plan is proved, and what that assumes', async () => {
    const { code, out } = await workflow('verify', good);
    expect(code).toBe(0);
    expect(out).toMatch(/^proved: in every run, the plan keeps to the contracts\n/);
    expect(out).toMatch(/\nhash: [0-9a-f]{16}\n$/);
    const json = JSON.parse((await workflow('verify', good, '--json')).out);
    expect(json).toMatchObject({ file: good, verdict: 'proved', questions: [] });
    expect(json.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(json).not.toHaveProperty('verified');
  });

  it('refutes, with a run that was executed', async () => {
    const { code, out } = await workflow('verify', much);
    expect(code).toBe(1);
    expect(out).toMatch(/^refuted: requires limit: .*100.*\n/);
    expect(out).toMatch(/\nrefuted: 1 finding\n/);
    const json = JSON.parse((await workflow('verify', leak, '--json')).out);
    expect(json.verdict).toBe('refuted');
    expect(json.findings[0]).toMatchObject({ kind: 'integrity', step: 'pay', certainty: 'refuted' });
    expect(json.findings[0].run.results[0].step).toBe('bill');
    const told = await workflow('verify', leak);
    expect(told.out).toContain('\n  a run that shows it: bill gives ');
  });

  it('says what is neither, by exit code 3', async () => {
    const { code, out } = await workflow('verify', open);
    expect([code, out]).toEqual([3, expect.stringMatching(/^unproved: requires limit/)]);
  });

  it('knows inputs, the author and the words of the user', async () => {
    const inputs = file('inputs.json', '{"amount": 3}');
    expect((await workflow('verify', open, '--inputs', inputs)).code).toBe(0);
    expect((await workflow('verify', good, '--label', 'untrusted')).code).toBe(1);
    const spoken = await workflow('verify', good, '--label', 'untrusted', '--words', 'Pay Ann 7, please');
    expect(spoken.code).toBe(0);
  });

  it('names the calls that a person must approve', async () => {
    const { code, out } = await workflow('verify', asking);
    expect(code).toBe(0);
    expect(out).toMatch(/^proved, but for 1 call that a person must approve\nasked: Step refund: `to` of/);
  });

  it('compares with the goal of the user', async () => {
    const all = file('all.mjs', "goal('Clean up');\nawait remove({ pattern: '*.txt' });\n");
    const goal = (keys: object) =>
      file('goal.json', JSON.stringify({ removed: { files: keys }, unchanged: 'rest' }));
    expect((await workflow('verify', all, '--goal', goal({ glob: '*.txt' }))).code).toBe(0);
    const { code, out } = await workflow('verify', all, '--goal', goal(['foo.txt', 'bar.txt']));
    expect([code, out]).toEqual([1, expect.stringContaining('refuted: goal')]);
  });

  it.each([
    [['verify', 'none.json', '-c', contracts], 'none.json'],
    [['verify', good, '-c', file('bad.yaml', 'version: 1\ntools: { pay: { argumets: {} } }')], 'arguments'],
    [['verify', file('bad.json', '{"goal": "x", "steps": [{"cal": "pay"}]}'), '-c', contracts], 'call'],
    [['verify', file('prose.json', 'First I pay Ann.'), '-c', contracts], 'prose.json'],
    [['verify', good, '-c', contracts, '--inputs', file('list.json', '[]')], 'holds no record'],
    [['verify', good, '-c', contracts, '--words', 'Pay'], '--words is for --label untrusted'],
    [['verify', good], "required option '-c, --contracts <file>'"],
    [['explain', good, '-c', contracts, '--dot', '--svg'], 'give one'],
    [['lower', file('loop.mjs', 'while (true) {}'), '-c', contracts], 'while'],
    [['schema', '-c', contracts, '--dialect', 'cobol'], 'openai-strict'],
    [['schema', '-c', contracts, '--form', 'code'], 'code has no JSON schema; give --prompt'],
    [['schema', '-c', contracts, '--prompt', '--dialect', 'gemini'], 'it takes no --dialect'],
    [['verify', good, '-c', contracts, '--inputs', file('prose.txt', 'me: Ann')], 'prose.txt is not JSON ('],
    [
      ['lower', file('import.mjs', "import { workflow } from 'x';"), '-c', contracts],
      'have it write planJson(plan)',
    ],
    [['run', good, '-c', contracts], 'which server?'],
    [['run', good, '-c', contracts, '--run', 'a', '--', 'x'], '--results FOLDER'],
    [['run', good, '-c', contracts, '--settle', 'pay', '--', 'x'], 'expected CALL=again'],
    [['run', good, '-c', contracts, '--model', 'gpt', '--', 'x'], 'expected URL#NAME'],
  ])('refuses %j in words, by exit code 2', async (words, text) => {
    const { code, err, out } = await foreguard('workflow', ...words);
    expect([code, err, out]).toEqual([2, expect.stringContaining(text), '']);
  });
});

it('says that a tool takes no arguments, and lists its subcommands in the help', async () => {
  const { err } = await foreguard(
    'workflow',
    'lower',
    file('more.mjs', "await read({ to: 'Ann' });"),
    '-c',
    contracts,
  );
  expect(err).toContain('the unknown argument "to" of read; expected no arguments');
  const help = (await foreguard('workflow', '--help')).out.replace(/\s+/g, ' ');
  expect(help).toContain('verify, explain, run, lower, schema, contracts.');
});

describe('workflow explain', () => {
  it('says what a plan does, and what is proved of it', async () => {
    const { code, out } = await workflow('explain', leak);
    expect(code).toBe(0);
    expect(out).toContain(
      '1. Call read without arguments; call the result bill.\n2. Call pay with to bill, amount 7.\n',
    );
    expect(out).toContain('\nrefuted: integrity to: ');
    const json = JSON.parse((await workflow('explain', good, '--json')).out);
    expect(json.words).toContain('Call pay');
    expect(json.plan.steps).toHaveLength(1);
  });

  it('draws it, and writes it as code', async () => {
    expect((await workflow('explain', good, '--dot')).out).toMatch(/^digraph /);
    expect((await workflow('explain', good, '--svg')).out).toMatch(/^<svg /);
    const code = file('again.mjs', (await workflow('explain', leak, '--code')).out);
    expect((await workflow('lower', code)).out).toBe((await workflow('lower', leak)).out);
  });
});

describe('workflow lower', () => {
  it('writes code as JSON that is the same plan, in either form', async () => {
    const nested = await workflow('lower', leak);
    const flat = await workflow('lower', leak, '--flat', '--json');
    expect(nested.code).toBe(0);
    expect(readPlan(nested.out)).toEqual(readPlan(flat.out));
    expect(JSON.parse(flat.out)).toHaveProperty('blocks');
    expect((await foreguard('workflow', 'verify', file('leak.json', nested.out), '-c', contracts)).code).toBe(
      1,
    );
  });
});

describe('workflow schema', () => {
  it('writes the schema of plans over these tools, and the prompt', async () => {
    const { code, out } = await foreguard(
      'workflow',
      'schema',
      '-c',
      contracts,
      '--dialect',
      'openai-strict',
    );
    expect(code).toBe(0);
    const read = readContracts(CONTRACTS);
    expect(JSON.parse(out)).toEqual(planSchema(read, { form: 'flat', dialect: 'openai-strict' }));
    const prompt = await foreguard('workflow', 'schema', '-c', contracts, '--prompt');
    expect(prompt.out).toContain('refund');
    const asCode = await foreguard('workflow', 'schema', '-c', contracts, '--prompt', '--form', 'code');
    expect(asCode.out).toContain('Answer with one block of JavaScript');
  });
});

describe('workflow run', () => {
  it('starts no server for a plan that is not proved', async () => {
    const { code, out } = await workflow('run', much, '--', join(folder, 'no-server'));
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^refuted: requires limit[\s\S]*\nnothing was run\n$/),
    ]);
    const json = JSON.parse((await workflow('run', open, '--json', '--', 'no-server')).out);
    expect(json).toMatchObject({ verdict: 'unproved', run: null });
    expect(readFileSync(contracts, 'utf8')).toBe(CONTRACTS);
  });
});
