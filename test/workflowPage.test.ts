import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lowerCode } from '../bindings/face/entries/workflow/code.js';
import {
  checkPlan,
  planSchema,
  planWords,
  printPlan,
  readPlan,
  type ToolTypes,
  workflow,
} from '../bindings/face/entries/workflow.js';
import type { ValueType } from '../bindings/proofs/contract/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${root}docs/workflow.md`, 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text);

const must = (type: ValueType) => ({ type, optional: false });
const TEXT: ValueType = { kind: 'text' };
const MAIL: ValueType = { kind: 'record', fields: { from: must(TEXT), body: must(TEXT) }, others: 'ignored' };
const TOOLS: ToolTypes = {
  tools: new Map([
    [
      'fetchMail',
      { arguments: new Map([['folder', must(TEXT)]]), result: { type: { kind: 'list', of: MAIL } } },
    ],
    [
      'sendMail',
      {
        arguments: new Map([
          ['to', must({ kind: 'text', format: 'email' })],
          ['body', must(TEXT)],
        ]),
        result: { type: { kind: 'any' } },
      },
    ],
  ]),
};

describe('docs/workflow.md', () => {
  const [json] = blocks('json');
  const plan = readPlan(json);

  it('shows a plan that has no problem, with its words', () => {
    expect(checkPlan(plan, TOOLS)).toMatchObject({ problems: [], narrowings: [] });
    expect(planWords(plan)).toBe(blocks('text')[0]);
  });

  it('shows the same plan as code', () => {
    const code = blocks('js').find((block) => block.startsWith('goal('))!;
    const { condition, ...rest } = plan.steps[2] as Extract<(typeof plan.steps)[number], { kind: 'require' }>;
    const same = {
      ...plan,
      steps: plan.steps.with(2, { ...rest, condition: { source: '!(size(lines) == 0)' } }),
    };
    expect(condition.source).toBe('size(lines) > 0');
    expect(lowerCode(code, TOOLS)).toEqual(same);
    expect(lowerCode(printPlan(plan), TOOLS)).toEqual(plan);
  });

  it('shows the same plan in TypeScript', () => {
    const [, body] = /workflow\('Sum up my inbox', \(\{[^)]*\}\) => \{\n([\s\S]*?)\n\}, \{ inputs/.exec(
      blocks('ts')[0],
    )!;
    const names = ['inputs', 'call', 'ask', 'forEach', 'require', 'text', 'expr'] as const;
    const built = workflow(
      'Sum up my inbox',
      (builder) => new Function(...names, body)(...names.map((name) => builder[name])),
      {
        inputs: { me: { kind: 'text', format: 'email' } },
      },
    );
    expect(built).toEqual(plan);
  });

  it('names every way of writing code that it reads', () => {
    const [, table] = page.split('| code | what it is |\n| --- | --- |\n');
    const setUp =
      'const list = [{ size: 1, from: "a" }]; const c = list.length > 0; const a = 1; const b = 2; const v = 1; const value = 1;';
    const rows = table
      .split('\n\n')[0]
      .split('\n')
      .map((row) => [...row.split(' | ')[0].matchAll(/`([^`]+)`/g)].map(([, code]) => code));
    const tools: ToolTypes = {
      tools: new Map([
        ...TOOLS.tools,
        ...['tool', 'web.search'].map(
          (name) =>
            [
              name,
              {
                arguments: new Map([['a', { type: { kind: 'any' } as ValueType, optional: true }]]),
                result: { type: { kind: 'any' } as ValueType },
              },
            ] as const,
        ),
      ]),
    };
    const filled = rows
      .flat()
      .map((code) =>
        code
          .replaceAll('{ … }', '{}')
          .replaceAll('({})', '()')
          .replaceAll('…; ', '')
          .replaceAll('[values]', '[value]')
          .replace('schema);', '{});'),
      );
    expect(filled.length).toBeGreaterThan(12);
    for (const code of filled)
      expect(lowerCode(`${setUp}\n${code}`, tools).steps.length, code).toBeGreaterThan(6);
  });

  it('speaks of the schema that is published', () => {
    const published = JSON.parse(readFileSync(`${root}schema/workflow.schema.json`, 'utf8'));
    const { $schema, ...schema } = planSchema(null, { form: 'nested' });
    expect(published).toEqual({
      $schema,
      $id: 'foreguard/workflow.schema.json',
      title: 'Plan of an agent',
      ...schema,
    });
  });
});
