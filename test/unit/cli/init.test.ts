import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { draftText } from '../../../bindings/face/cli/init/draft.js';
import { type DraftedTool, draftedRules } from '../../../bindings/face/cli/init/draftedRules.js';
import { effectOf } from '../../../bindings/face/cli/init/effects.js';
import { argumentsOf, typeText } from '../../../bindings/face/cli/init/toolArguments.js';
import { readTools, type ToolDescription } from '../../../bindings/face/cli/init/toolDescription.js';
import { runRuleTests } from '../../../bindings/face/cli/runRuleTests.js';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-init-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
function written(text: string, ending = 'json'): string {
  const path = join(folder, `${files++}.${ending}`);
  writeFileSync(path, text);
  return path;
}
const object = (properties: object, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

const TOOLS = [
  {
    name: 'read_file',
    description: 'Read a file.',
    inputSchema: object({ path: text, tail: { type: 'number', minimum: 1 } }, ['path']),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'write_file',
    description: 'Create a new file',
    inputSchema: object({ path: text, content: text }),
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
  { name: 'move_file', inputSchema: object({ source: text, destination: text }) },
  { name: 'delete-file', description: '', inputSchema: object({ path: text }, []) },
  { name: 'sendMail', inputSchema: object({ to: { type: 'array', items: text }, body: text }, ['to']) },
  { name: 'pay', inputSchema: object({ amount: { type: 'number' }, method: { enum: ['card', 'cash'] } }) },
  { name: 'bash', inputSchema: object({ command: text }) },
  { name: 'fetch', inputSchema: object({ url: text }) },
];

function draftedTools(described: readonly ToolDescription[]): DraftedTool[] {
  return described.map((tool) => ({ ...tool, ...effectOf(tool), arguments: argumentsOf(tool.schema) }));
}
const DRAFTED = draftedTools(readTools(TOOLS, 'tools'));

async function init(...words: string[]) {
  const output = join(folder, `${files++}.yaml`);
  const result = await foreguard('init', ...words, '--output', output);
  return { ...result, output, text: existsSync(output) ? readFileSync(output, 'utf8') : '' };
}

describe('foreguard init', () => {
  it('drafts a specification that passes foreguard test, with every tool and its typed arguments', async () => {
    const {
      out,
      code,
      output,
      text: draft,
    } = await init('--schemas', written(JSON.stringify({ tools: TOOLS })));
    expect(code).toBe(0);
    expect(out).toContain(
      `${output}: 8 tools (2 read, 2 write, 1 delete, 1 send, 1 pay, 1 execute); 7 rules, and 7 to choose from; 14 tests passed\n`,
    );
    const { tools, rules } = parseSpecification(draft);
    expect([...(tools?.keys() ?? [])]).toEqual(TOOLS.map(({ name }) => name));
    expect(Object.fromEntries(tools?.get('sendMail')?.arguments ?? [])).toEqual({
      to: 'list of text',
      body: 'text?',
    });
    expect(rules.map(({ name }) => name)).toEqual([
      ...['knownTools', 'nothingDeleted', 'nothingPaid', 'fewMessages', 'fewChanges', 'noSecretFiles'],
      'noDangerousCommand',
    ]);
    const tested = await foreguard('test', '--spec', output);
    expect([tested.code, tested.out]).toEqual([0, expect.stringContaining('14 tests: 14 passed, 0 failed')]);
  });

  it('names the arguments that may be paths and are read by no rule', async () => {
    const either = { anyOf: [text, { type: 'array', items: text }] };
    const schemas = written(JSON.stringify({ upload: object({ file_path: either, path: text }) }));
    const { out, text: draft } = await init('--schemas', schemas);
    expect(out).toContain('no rule reads 1 argument that may be a path: file_path of upload; write a');
    expect(draft).toContain('# NOT READ by any rule below, though it may be a path: file_path\n');
    const recorded = ['a.txt', ['b.txt']].map((path) => ({
      state: {},
      action: { name: 'upload', arguments: { path, files: [{ path: 'c.txt' }] } },
    }));
    const runs = written(JSON.stringify({ id: 'a', steps: recorded }), 'jsonl');
    const fromTraces = await init('--traces', runs);
    expect(fromTraces.out).toContain('a path: path of upload;');
    expect(fromTraces.text).toContain('action.arguments.files.map(f, f.path)');
  });

  it('takes `to` for a recipient only where a tool is about messages', async () => {
    const links = { type: 'array', items: object({ from: text, to: text }) };
    const draftOf = async (...tools: object[]) =>
      (await init('--schemas', written(JSON.stringify({ tools })))).text;
    const relations = { name: 'create_relations', inputSchema: object({ relations: links }) };
    expect(await draftOf(relations)).not.toContain('knownRecipients');
    const draft = { name: 'create_draft', inputSchema: object({ to: text, body: text }) };
    expect(await draftOf(relations, draft)).toMatch(
      /# knownRecipients:[\s\S]*"create_draft" && domainOf\(action.arguments.to\)/,
    );
  });

  it('writes over nothing without --force', async () => {
    const spec = written('mine', 'yaml');
    const schemas = written(JSON.stringify(TOOLS));
    const refused = await foreguard('init', '--schemas', schemas, '--output', spec);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringMatching(/exists; give --force .*--output FILE/),
    ]);
    expect(readFileSync(spec, 'utf8')).toBe('mine');
    expect((await foreguard('init', '--schemas', schemas, '--output', spec, '--force')).code).toBe(0);
    expect(readFileSync(spec, 'utf8')).toContain('knownTools');
  });

  it.each([
    [[], /say what the tools are: foreguard init -- npx some-mcp-server/],
    [['--schemas', written('{"tools": ')], /is not JSON: .*expected JSON Schemas of tools/],
    [['--schemas', written('{"tools": []}')], /has no tools; expected a list of tools/],
    [['--schemas', written('{"tools": [{"description": "x"}]}')], /tool 0 has no name; expected/],
    [['--schemas', written('[3]')], /tool 0 is 3; expected/],
    [['--schemas', join(folder, 'nowhere.json')], /no such file/],
    [['--schemas', 'a', '--ai-sdk', 'b'], /tools are those of one source/],
    [['--ai-sdk', join(folder, 'nowhere.mjs')], /cannot be imported/],
    [
      ['--ai-sdk', written('export const a = 1;', 'mjs')],
      /exports no tools \(it exports a\); expected export const tools/,
    ],
    [
      ['--traces', written('{"id": "a", "steps": [{"state": {"a": null}}]}\n', 'jsonl')],
      /has no field that is a number/,
    ],
  ])('says of %j what to give instead, and writes nothing', async (words, message) => {
    const { code, err, output } = await init(...words);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(output)).toBe(false);
  });

  it.each([
    ['as MCP answers', { jsonrpc: '2.0', id: 1, result: { tools: TOOLS.slice(0, 1) } }],
    [
      'as OpenAI takes it',
      [
        {
          type: 'function',
          function: { name: 'read_file', description: 'Read a file.', parameters: TOOLS[0].inputSchema },
        },
      ],
    ],
    [
      'as Anthropic takes it',
      [{ name: 'read_file', description: 'Read a file.', input_schema: TOOLS[0].inputSchema }],
    ],
    ['by name', { read_file: { description: 'Read a file.', parameters: TOOLS[0].inputSchema } }],
    ['as a schema by name', { read_file: { ...TOOLS[0].inputSchema, description: 'Read a file.' } }],
    [
      'as a schema with a title',
      { title: 'read_file', description: 'Read a file.', ...TOOLS[0].inputSchema },
    ],
  ])('reads a tool %s', (_, content) => {
    const [tool, ...others] = readTools(content, 'file');
    expect(others).toEqual([]);
    expect(tool).toMatchObject({ name: 'read_file', description: 'Read a file.' });
    expect(argumentsOf(tool.schema).map(typeText)).toEqual(['text', 'number?']);
  });

  it('drafts from recordings of calls: tools as they were called, and predicates that can be taken as they stand', async () => {
    const step = (name: string, args: object) => ({
      state: { lastTool: '', balance: 3 },
      action: { name, arguments: args },
    });
    const runs = [
      { id: 'a', steps: [step('search', { q: 'cats' }), step('refund', { amount: 30, method: 'card' })] },
      { id: 'b', steps: [step('refund', { amount: 12.5, method: "o'clock" })] },
    ];
    const { code, text: draft } = await init(
      '--traces',
      written(runs.map((run) => JSON.stringify(run)).join('\n'), 'jsonl'),
    );
    expect(code).toBe(0);
    const { tools } = parseSpecification(draft);
    expect(Object.fromEntries(tools?.get('refund')?.arguments ?? [])).toEqual({
      amount: 'number',
      method: 'text',
    });
    expect(draft).toContain('# action.arguments.amount: number, 12.5 to 30, in 100% of 2 calls of refund\n');
    expect(draft).toContain('# balance: integer, always 3, in 100% of 3 steps\n');
    const taken = draft.replace(/^ {2}# (\w+: '.*)$/gm, '  $1');
    const { abstraction } = parseSpecification(taken);
    expect(abstraction.predicates.map(({ name }) => name)).toEqual([
      ...['unknownTool', 'pays', 'amountHigh', 'methodCard', 'methodO_clock'],
    ]);
  });

  it('drafts from recordings whose clock goes back, and says where', async () => {
    const times = [0, 1, 0.5, 2];
    const steps = times.map((time, i) => ({ time, state: { speed: i < 3 ? i : 2, gap: 30 - i } }));
    const runs = [
      { id: 'b', steps: [steps[0]] },
      { id: 'a', steps },
    ]
      .map((run) => JSON.stringify(run))
      .join('\n');
    const { code, out, err, text: draft, output } = await init('--traces', written(runs, 'jsonl'));
    expect(code).toBe(0);
    expect(err).toContain(
      'the clock goes back in 1 of 2 traces, the first time at trace "a", step 2: other commands read such traces under resample: hold or skip alone',
    );
    expect(out).toContain(`${output}: 1 rule; 1 test passed\n`);
    // How often a predicate to choose from was true is counted.
    expect(draft).toContain("# speedHigh: 'speed >= 2' # about 40%\n");
    expect(draft).toContain("# gapHigh: 'gap >= 30' # about 40%\n");
  });

  it('leaves out an argument named __proto__, with which no session takes a call', async () => {
    await loadRegexEngine();
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"file":{"type":"object","properties":{"path":{"type":"string"},"__proto__":{"type":"string"}},"required":["path","__proto__"]}},"required":["__proto__","file"]}',
    );
    const { code, text: draft } = await init(
      '--schemas',
      written(JSON.stringify([{ name: 'get', input_schema: schema }])),
    );
    expect(code).toBe(0);
    expect(draft).not.toContain('__proto__');
    expect(draft).toContain('noSecretFiles stops');
  });

  it('drafts from recordings without calls a rule that reports what was never recorded', async () => {
    const states = [
      { speed: 3, gear: 'D', on: false, doors: [{ open: true }], pos: { x: 1 }, end: 1 },
      { speed: 12.5, gear: 'P', on: false, doors: [], pos: { x: 2 }, end: 2 },
    ];
    const run = { id: 'a', steps: states.map((state) => ({ state })) };
    const { code, text: draft, output } = await init('--traces', written(JSON.stringify(run), 'jsonl'));
    expect(code).toBe(0);
    expect(draft).toContain(
      'speed < 3 || speed > 12.5 || !(gear in ["D", "P"]) || on || size(doors) > 1 || end < 1 || end > 2\n',
    );
    expect(draft).toContain('# gear: text, "D" 50%, "P" 50%, in 100% of 2 steps\n');
    expect(
      parseSpecification(draft.replace(/^ {2}# (\w+: '.*)$/gm, '  $1').replace(/^ {2}# "on": .*\n/m, ''))
        .rules,
    ).toHaveLength(1);
    expect((await foreguard('test', '--spec', output)).code).toBe(0);
    const validated = await foreguard(
      'validate',
      '--spec',
      output,
      '--traces',
      written(JSON.stringify(run), 'jsonl'),
    );
    expect(validated.code).toBe(0);
  });
});

describe('drafted rules', () => {
  const choices = draftedRules(DRAFTED, '/work').filter(({ isChoice }) => isChoice);

  it.each(choices.map((rule) => [rule.name, rule] as const))(
    '%s works once it is chosen',
    async (name, rule) => {
      await loadRegexEngine();
      const active = { ...rule, isChoice: false };
      const draft = draftText({ source: 'x', tools: DRAFTED, rules: [active], candidates: [], next: [] });
      const results = await runRuleTests(parseSpecification(draft));
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter(({ passed }) => !passed)).toEqual([]);
      // The same, by taking the marks of comments away.
      const all = draftText({
        source: 'x',
        tools: DRAFTED,
        rules: [{ ...active, name: 'other' }, rule],
        candidates: [],
        next: [],
      });
      const [, commented] = new RegExp(`^((?:  # (?:${name}:|  .*)\\n)+)`, 'm').exec(all) ?? [];
      expect(commented).toContain(`# ${name}:`);
      const chosen = parseSpecification(all.replace(commented, commented.replace(/^ {2}# /gm, '  ')));
      expect(chosen.rules.map((one) => one.name)).toEqual(['other', name]);
      const tests = chosen.tests.map(({ expect: found, ...test }) => ({
        ...test,
        rule: name,
        expect: found === 'allowed' ? found : { ...found, by: name },
      }));
      expect((await runRuleTests({ ...chosen, tests })).every(({ passed }) => passed)).toBe(true);
    },
  );

  it('ask about each payment of which no argument tells how much: the rule that they replace stops all', async () => {
    const schemas = {
      refund: object({ amount: { type: 'number' } }),
      book_room: object({ nights: { type: 'integer' } }),
    };
    const rules = draftedRules(draftedTools(readTools(schemas, 'x')));
    const rule = rules.find(({ name }) => name === 'askAboutLargePayments') as (typeof rules)[number];
    expect(rule.says).toBe(
      'In place of nothingPaid: a person is asked about payments above 100, and about each call of book_room, of which it does not know how much is paid.',
    );
    const chosen = draftText({
      source: 'x',
      tools: draftedTools(readTools(schemas, 'x')),
      rules: [{ ...rule, isChoice: false }],
      candidates: [],
      next: [],
    });
    const tests = [
      [{ refund: { amount: 100 } }, 'allowed'],
      [{ refund: { amount: 101 } }, '{ stopped: 0 }'],
      [{ book_room: { nights: 1 } }, '{ stopped: 0 }'],
    ].map(([run, found], i) => `  - { name: t${i}, run: [${JSON.stringify(run)}], expect: ${found} }\n`);
    const results = await runRuleTests(parseSpecification(`${chosen.trimEnd()}\n${tests.join('')}`));
    expect(results.map(({ passed }) => passed)).toEqual(results.map(() => true));
    expect(results.length).toBe(5);
  });

  it('have choices to try', () => {
    expect(choices.map(({ name }) => name)).toEqual([
      ...['inFolder', 'readFirst', 'knownRecipients', 'knownHosts', 'knownCommands', 'askAboutLargePayments'],
      'askFirst',
    ]);
  });

  it.each([
    ['list_orders', {}, 'reads'],
    ['get_post', {}, 'reads'],
    ['searchDeletedItems', {}, 'reads'],
    ['github_create_issue', {}, 'writes'],
    ['remove-label', {}, 'deletes'],
    ['DropTable', {}, 'deletes'],
    ['slack_post_message', {}, 'sends'],
    ['refund_order', {}, 'pays'],
    ['run_query', {}, 'executes'],
    ['frobnicate', {}, 'unclear'],
    ['frobnicate', { annotations: { readOnlyHint: true } }, 'reads'],
    ['frobnicate', { annotations: { readOnlyHint: false } }, 'writes'],
    ['frobnicate', { description: 'Deletes everything.' }, 'deletes'],
    ['frobnicate', { description: 'Returns what delete would do' }, 'unclear'],
    ['get_thing', { annotations: { readOnlyHint: false } }, 'writes'],
    // A hint does not make a tool harmless that says what it does.
    ['delete_all', { annotations: { readOnlyHint: true } }, 'deletes'],
  ])('%s %j %s', (name, more, effect) => {
    expect(effectOf(readTools([{ name, ...more }], 'x')[0]).effect).toBe(effect);
  });

  it.each([
    ['a reference', { $defs: { Path: text }, ...object({ p: { $ref: '#/$defs/Path' } }) }, 'text'],
    [
      'one of itself',
      { $defs: { A: { $ref: '#/$defs/A' } }, ...object({ p: { $ref: '#/$defs/A' } }) },
      'any',
    ],
    ['text or null', object({ p: { anyOf: [text, { type: 'null' }] } }), 'text'],
    ['types', object({ p: { type: ['integer', 'null'] } }), 'integer'],
    ['two types', object({ p: { type: ['integer', 'string'] } }), 'any'],
    ['constants', object({ p: { enum: ['a', 'b'] } }), 'text'],
    ['a constant', object({ p: { const: 3 } }), 'number'],
    ['a list of maps', object({ p: { type: 'array', items: { type: 'object' } } }), 'list of map'],
    ['nothing', object({ p: true }), 'any'],
  ])('take the type of %s', (_, schema, type) => {
    expect(argumentsOf(schema).map(typeText)).toEqual([type]);
  });

  it('are a specification that passes its tests, whatever the tools are called and take', async () => {
    await loadRegexEngine();
    const word = fc.oneof(
      fc.constantFrom(
        'get',
        'delete_file',
        'sendMail',
        'pay',
        'write',
        'bash',
        'call',
        '__proto__',
        'on',
        'a b',
        "it's",
        '"',
        '#',
        ': x',
        '`',
        '\\',
      ),
      fc.string({ minLength: 1, unit: 'binary' }),
    );
    const type = fc.constantFrom(
      { type: 'string' },
      { type: 'number' },
      { type: 'array', items: text },
      { enum: ['a', 1] },
      {},
      null,
      3,
    );
    const name = fc.oneof(
      fc.constantFrom('path', 'filePath', 'to', 'url', 'command', 'amount', 'in', 'cc'),
      word,
    );
    const tool = fc.record({
      name: word,
      description: fc.string({ unit: 'binary' }),
      inputSchema: fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(name, type, { maxKeys: 4 }),
        required: fc.array(name, { maxLength: 4 }),
      }),
      annotations: fc.constantFrom(
        {},
        { readOnlyHint: true },
        { readOnlyHint: false, destructiveHint: true },
      ),
    });
    const LONG_NAME = {
      name: 'look'.repeat(60),
      description: '',
      inputSchema: { type: 'object' as const, properties: {}, required: [] },
      annotations: {},
    };
    await fc.assert(
      fc.asyncProperty(fc.array(tool, { minLength: 1, maxLength: 5 }), async (content) => {
        const tools = draftedTools(readTools(content, 'x'));
        const rules = draftedRules(tools, '/work');
        for (const chosen of [rules, rules.map((rule) => ({ ...rule, isChoice: false }))]) {
          const draft = draftText({ source: '\n: x', tools, rules: chosen, candidates: [], next: [] });
          const specification = parseSpecification(draft);
          expect([...(specification.tools?.keys() ?? [])]).toEqual(tools.map((one) => one.name));
          const results = await runRuleTests(specification);
          expect(results.filter(({ passed }) => !passed)).toEqual([]);
        }
      }),
      {
        numRuns: 20,
        examples: [
          [[LONG_NAME]],
          [
            [
              { ...LONG_NAME, name: '\t' },
              { ...LONG_NAME, name: 'get' },
            ],
          ],
        ],
      },
    );
  });
});
