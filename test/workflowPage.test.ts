import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { continueRun } from '../bindings/face/entries/enforce.js';
import { openResultFolder } from '../bindings/face/entries/node.js';
import { lowerCode } from '../bindings/face/entries/workflow/code.js';
import { runPlan } from '../bindings/face/entries/workflow/run.js';
import {
  checkPlan,
  planSchema,
  planWords,
  printPlan,
  readContracts,
  readPlan,
  type ToolTypes,
  verifyPlan,
  workflow,
} from '../bindings/face/entries/workflow.js';
import { openRunFolder } from '../bindings/face/node/index.js';
import type { ValueType } from '../bindings/proofs/contract/index.js';
import { foreguard } from './unit/cli/command.js';

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

describe('docs/workflow.md, on proofs and runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreguard-page-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const named = new Map(
    [...page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name, text] as const),
  );
  const block = (name: string): string => named.get(name) as string;
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const contracts = file('mail.yaml', block('mail.yaml'));
  const verify = (plan: string, given = contracts) => foreguard('workflow', 'verify', plan, '-c', given);
  const inbox = block('poisoned.mjs').replace('eve@evil.example', 'me@home.example');
  const withoutHash = (text: string) => text.replace(/hash: \S+\n/, '');

  it('shows what the command prints of a plan that is refuted, and of one that is proved', async () => {
    const poisoned = await verify(file('poisoned.mjs', block('poisoned.mjs')));
    expect([poisoned.code, withoutHash(poisoned.out)]).toEqual([1, withoutHash(block('poisoned'))]);
    const proved = await verify(file('inbox.mjs', inbox));
    expect([proved.code, withoutHash(proved.out)]).toEqual([0, withoutHash(block('inbox'))]);
  });

  it('says which calls a person approves', async () => {
    const reply = file('reply.mjs', block('reply.mjs'));
    const refused = await verify(reply);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('must be trusted')]);
    const asking = file('ask.yaml', `${block('mail.yaml')}    ask: person\n`);
    const asked = await verify(reply, asking);
    expect([asked.code, asked.out]).toEqual([
      0,
      expect.stringContaining('proved, but for 1 call that a person must approve'),
    ]);
  });

  it('shows what the command predicts of a plan, from recordings as it tells of them', async () => {
    const runs = (count: number, name: string, amount: number, overdrawn: number) =>
      Array.from({ length: count }, (_, i) => ({
        id: `${name} ${amount} ${i}`,
        complete: true,
        steps: [
          { state: { balance: 500 }, action: { name, arguments: name === 'pay' ? { amount } : {} } },
          { state: { balance: i < overdrawn ? -1 : 500 } },
        ],
      }));
    const [tools, spec] = ['tools.yaml', 'account.yaml'].map((name) => file(name, block(name)));
    const [plan, model] = [file('bill.mjs', block('bill.mjs')), join(folder, 'account.umb')];
    const predicted = async (traces: readonly object[]) => {
      const recorded = file('runs.jsonl', traces.map((trace) => JSON.stringify(trace)).join('\n'));
      expect((await foreguard('learn', '--spec', spec, '--traces', recorded, '-o', model)).code).toBe(0);
      const { code, out, err } = await foreguard(
        'workflow',
        'verify',
        plan,
        '-c',
        tools,
        '-s',
        spec,
        '-m',
        model,
      );
      expect([code, err, out]).toEqual([0, '', expect.stringMatching(/^proved: /)]);
      return out.slice(out.indexOf('predicted: '));
    };
    const paid = [...runs(10, 'pay', 80, 1), ...runs(4, 'pay', 300, 2)];
    expect(await predicted([...paid, ...runs(3, 'readBill', 0, 0)])).toBe(block('predicted'));
    expect(await predicted(paid)).toBe(block('missing'));
    const explained = await foreguard('workflow', 'explain', plan, '-c', tools, '-s', spec, '-m', model);
    expect(explained.out.endsWith(block('missing'))).toBe(true);
    const json = JSON.parse(
      (await foreguard('workflow', 'verify', plan, '-c', tools, '-s', spec, '-m', model, '--json')).out,
    );
    expect(json.risk).toMatchObject({
      model: 'decisions',
      rules: [{ rule: 'solvent', lower: 0, unknown: 1 }],
    });
    const alone = await foreguard('workflow', 'verify', plan, '-c', tools, '-s', spec);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('give both')]);
    const refuted = file('refuted.mjs', block('bill.mjs').replace('80', '"much"'));
    expect(
      (await foreguard('workflow', 'verify', refuted, '-c', tools, '-s', spec, '-m', model)).out,
    ).not.toContain('predicted');
  });

  it('says what an author who has seen data may say', () => {
    const read = readContracts(block('mail.yaml'));
    const plan = lowerCode(inbox, read);
    const [, label] = /verifyPlan\(plan, contracts, \{ label: (\{.*?\}) \}\);/.exec(page)!;
    const verdictOf = (given: unknown) => verifyPlan(plan, read, { label: given as never }).verdict;
    expect(verdictOf(new Function(`return ${label}`)())).toBe('proved');
    expect(verdictOf({ integrity: 'untrusted' })).toBe('refuted');
  });

  it('runs a plan as it says, and goes on with it', async () => {
    const read = readContracts(block('mail.yaml'));
    const verdict = verifyPlan(lowerCode(inbox, read), read);
    const sent: unknown[] = [];
    const server = {
      fetch: () => [{ from: 'ann@home.example', body: 'Hello' }],
      send: (to: string, body: string) => void sent.push([to, body]),
    };
    const body = (name: string) => block(name).replaceAll(/^import .*\n/gm, '');
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
    const given = {
      ...{ runPlan, verdict, server, guard: undefined, log: undefined, folder },
      ...{ continueRun, openRunFolder, openResultFolder, settle: undefined },
      askAtTerminal: () => undefined,
      model: { answer: () => 'A greeting' },
    };
    // Settings that are undefined are left out, as a program without them would.
    const run = (name: string, more: object = {}) => {
      const all = { ...given, ...more };
      const text = body(name)
        .replace('session: { guard, log, ask: askAtTerminal() }', 'session: {}')
        .replace(', guard }', ' }')
        .replace(', settle }', ' }');
      return new AsyncFunction(...Object.keys(all), `${text}; return run;`)(...Object.values(all));
    };
    expect(await run('run')).toMatchObject({ kind: 'finished' });
    expect(sent).toEqual([['me@home.example', 'A greeting']]);
    const tools = { fetchMail: server.fetch, sendMail: ({ to, body }: never) => server.send(to, body) };
    const resumed = { tools, ask: given.model.answer };
    expect(await run('resume', resumed)).toMatchObject({ kind: 'finished', run: 'monday' });
    expect(await run('resume', resumed)).toMatchObject({ kind: 'finished' });
    expect(sent).toHaveLength(2);
  });
});
