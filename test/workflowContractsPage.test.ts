import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readContracts } from '../bindings/proofs/contract/index.js';
import { verifyPlan } from '../bindings/proofs/planProof/index.js';
import { readPlan } from '../bindings/proofs/workflow/index.js';
import { foreguard } from './unit/cli/command.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('docs/workflow-contracts.md');
const folder = mkdtempSync(join(tmpdir(), 'foreguard-contracts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
  ([, language, name, text]) => ({
    language,
    name,
    text,
  }),
);
const contracts = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);
const isValid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(read('schema/contracts.schema.json')));

describe('the page of contracts', () => {
  it('has contracts that are read, and that fit the schema', () => {
    expect(contracts).toHaveLength(5);
    for (const text of contracts) {
      readContracts(text);
      expect(isValid(parse(text)), JSON.stringify(isValid.errors)).toBe(true);
    }
  });

  it('says what types are written', () => {
    const types = [...page.matchAll(/^\| (`[^|]+`) \| [^|]+\|$/gm)]
      .flatMap(([, cell]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text))
      .filter(
        (text) =>
          !['everyone', 'nobody', 'company', 'ann@home.example', 'to', 'r.from', 'r.to'].includes(text) &&
          !text.startsWith("'"),
      );
    expect(types.length).toBeGreaterThan(12);
    for (const type of types) {
      const text = `version: 1\nstores: { STORE: {} }\ntools: { t: { arguments: { a: ${type} } } }`;
      readContracts(text);
      expect(isValid(parse(text)), type).toBe(true);
    }
  });

  it('says what the command prints about recorded calls', async () => {
    for (const { name, text } of blocks) if (name !== undefined) writeFileSync(join(folder, name), text);
    const { out, code } = await foreguard(
      'workflow',
      'contracts',
      '--contracts',
      join(folder, 'pay.yaml'),
      '--traces',
      join(folder, 'runs.jsonl'),
    );
    expect(code).toBe(1);
    expect(out.replaceAll(`${folder}/`, '')).toBe(blocks.find(({ language }) => language === 'text')!.text);
  });
});

describe('the schema of contracts', () => {
  it.each([
    'version: 2\ntools: {}',
    'version: 1',
    'version: 1\ntools: { t: { requries: "true" } }',
    'version: 1\ntools: { t: { arguments: { a: { integrity: high } } } }',
    'version: 1\ntools: {}\nflows: { f: { from: a } }',
    'version: 1\ntools: {}\nrules: { r: { automaton: { states: [a] } } }',
    'version: 1\ntools: {}\ngoal: {}',
  ])('refuses %j, as the reader does', (text) => {
    expect(isValid(parse(text))).toBe(false);
    expect(() => readContracts(text)).toThrow();
  });
});

it('shows a drafted contract under which nothing private may decide a call, and what a person makes of it, under which it may', () => {
  const plan = readPlan({
    goal: 'Read on',
    steps: [
      { id: 'first', call: 'readNote', with: { path: 'a' }, as: 'first' },
      { id: 'is', require: 'first == "more"', else: 'no more' },
      { id: 'second', call: 'readNote', with: { path: 'b' } },
    ],
  });
  const [drafted, filledIn] = contracts
    .filter((text) => text.includes('readNote'))
    .map((text) => verifyPlan(plan, readContracts(text)));
  expect(drafted.verdict).not.toBe('proved');
  expect(drafted).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ kind: 'readers', step: 'second' })]),
  });
  expect(filledIn.verdict).toBe('proved');
});
