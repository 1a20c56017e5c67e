import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { draftText } from '../../../bindings/face/cli/init/draft.js';
import { draftedRules } from '../../../bindings/face/cli/init/draftedRules.js';
import { effectOf } from '../../../bindings/face/cli/init/effects.js';
import { argumentsOf } from '../../../bindings/face/cli/init/toolArguments.js';
import { readTools } from '../../../bindings/face/cli/init/toolDescription.js';
import { runRuleTests } from '../../../bindings/face/cli/runRuleTests.js';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';

type Json = Record<string, unknown>;
const text = { type: 'string' };
const object = (properties: Json, required: string[] = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
});
const list = (items: unknown): Json => ({ type: 'array', items });

/** The draft for a tool that reads, and what its rules decide on calls of it. */
async function draftOf(inputSchema: Json) {
  const tools = readTools([{ name: 'read', inputSchema }], 'tools').map((tool) => ({
    ...tool,
    ...effectOf(tool),
    arguments: argumentsOf(tool.schema),
  }));
  const rules = draftedRules(tools, '/work');
  const draft = draftText({ source: 'x', tools, rules, candidates: [], next: [] });
  const specification = parseSpecification(draft);
  const failed = (await runRuleTests(specification)).filter(({ passed }) => !passed);
  expect(failed).toEqual([]);
  const guard = await loadGuard(compileRules(specification));
  const decide = async (given: unknown) => {
    const session = createSession({ guard: guard.fork(), tools: ['read'], onFault: 'block' });
    const { decision } = await session.decide({ id: '1', name: 'read', arguments: given as Json });
    return decision;
  };
  const unread = [...draft.matchAll(/# NOT READ by any rule below, .*: (.*)$/gm)].map(([, path]) => path);
  return { draft, rules: rules.map(({ name }) => name), unread, decide };
}

beforeAll(loadRegexEngine);

describe('noSecretFiles reads', () => {
  it.each<[string, Json, (path: string) => unknown]>([
    ['lists named filepaths', object({ filepaths: list(text) }), (p) => ({ filepaths: ['a', p] })],
    ['file names', object({ fileName: text, file_names: list(text) }, []), (p) => ({ fileName: p })],
    ['numbered paths', object({ path1: text, path2: text }), (p) => ({ path1: 'a', path2: p })],
    ['names with a hyphen', object({ 'file-path': text }, []), (p) => ({ 'file-path': p })],
    ['a format', object({ it: { ...text, format: 'file-path' } }), (p) => ({ it: p })],
    ['maps', object({ options: object({ path: text }, []) }, []), (p) => ({ options: { path: p } })],
    [
      'lists of maps',
      object({ files: list(object({ path: text })) }),
      (p) => ({ files: [{ path: 'a' }, { path: p }] }),
    ],
    [
      'fields that may be absent, in lists of maps',
      object({ edits: list(object({ of: object({ path: text }, []) }, [])) }, []),
      (p) => ({ edits: [{}, { of: {} }, { of: { path: p } }] }),
    ],
    [
      'alternatives of one kind',
      object({ path: { anyOf: [{ ...text, minLength: 1 }, { const: '.' }, { type: 'null' }] } }),
      (p) => ({ path: p }),
    ],
    [
      'maps of several kinds',
      object({ input: { oneOf: [object({ path: text }), object({ folder: text, depth: text })] } }),
      (p) => ({ input: { folder: p, depth: 'a' } }),
    ],
    [
      'parts of one map',
      object({ input: { allOf: [{ $ref: '#/$defs/P' }, object({ depth: text })] } }),
      (p) => ({ input: { path: p, depth: 'a' } }),
    ],
    [
      'arguments of several kinds',
      { type: 'object', anyOf: [object({ path: text }), object({ dir: text })] },
      (p) => ({ dir: p }),
    ],
  ])('%s', async (_, schema, given) => {
    const { decide, unread } = await draftOf({ ...schema, $defs: { P: object({ path: text }) } });
    expect(unread).toEqual([]);
    expect(await decide(given('notes.txt'))).toBe('allow');
    expect(await decide(given('site/.env'))).toBe('block');
  });
});

describe('a draft names what may be a path and is not read', () => {
  const either = { anyOf: [text, list(text)] };
  it.each<[string, Json, string[]]>([
    ['a text or a list', object({ file_path: either }), ['file_path']],
    [
      'a list of texts or maps',
      object({ files: list({ anyOf: [text, object({ path: text })] }) }),
      ['files.path'],
    ],
    ['a list of anything', object({ paths: { type: 'array' } }), ['paths']],
    ['a list of lists', object({ paths: list(list(text)) }), ['paths']],
    ['a map of unknown fields', object({ files: { type: 'object' } }), ['files']],
    ['lists in a list of maps', object({ edits: list(object({ paths: list(text) })) }), ['edits.paths']],
    ['anything', object({ path: {} }), ['path']],
    ['a description', object({ it: { ...text, description: 'Path of the image' } }), ['it']],
    ['a name that begins so', object({ paths_to_read: list(text) }), ['paths_to_read']],
    ['no path', object({ profile: text, content: text, files: { type: 'integer' }, to: either }), []],
    ['listed values', object({ path: { enum: ['a', 'b'] } }), []],
  ])('%s', async (_, schema, expected) => {
    expect((await draftOf(schema)).unread).toEqual(expected);
  });

  it('beside what is read, and nothing in a name ends the comment', async () => {
    const { draft, unread, rules } = await draftOf(object({ path: text, 'x\nfile': {} }));
    expect(unread).toEqual(['x file']);
    expect(rules).toContain('noSecretFiles');
    expect(draft).toContain('tools:\n');
  });

  it('comes at once for schemas that hold themselves many times over', async () => {
    const many = (next: string) => ({ anyOf: Array.from({ length: 9 }, () => ({ $ref: next })) });
    const $defs: Json = Object.fromEntries(
      Array.from({ length: 19 }, (_, i) => [`A${i}`, many(`#/$defs/A${i + 1}`)]),
    );
    const tree = object(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`t${i}`, { $ref: '#' }])));
    const { unread } = await draftOf({
      ...tree,
      properties: { ...(tree.properties as Json), path: many('#/$defs/A0'), dir: text },
      $defs,
    });
    expect(unread).toContain('path');
    expect(unread).not.toContain('dir');
  });
});

/** A schema, a value with the path wherever one is, and the values in which one place alone is secret. */
interface Shape {
  readonly schema: Json;
  readonly values: (path: string) => unknown[];
}
const leaf: Shape = { schema: text, values: (path) => [path] };
const { shape } = fc.letrec<{ shape: Shape; map: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3 },
    fc.constant(leaf),
    tie('shape').map(({ schema, values }) => ({
      schema: list(schema),
      values: (path: string) => values(path).map((value) => [value]),
    })),
    tie('map'),
    fc.tuple(tie('shape'), tie('shape')).map(([a, b]) => ({
      schema: { oneOf: [a.schema, b.schema, { type: 'null' }] },
      values: (path: string) => [...a.values(path), ...b.values(path)],
    })),
  ),
  map: fc
    .tuple(tie('shape'), fc.constantFrom('path', 'fileName', 'source_dir'), fc.boolean())
    .map(([{ schema, values }, name, required]) => ({
      schema: object({ [name]: schema }, required ? [name] : []),
      values: (path: string) => values(path).map((value) => ({ [name]: value })),
    })),
}));

describe('whatever the arguments are', () => {
  it('a secret file is stopped, or the draft says that it would not be', async () => {
    await fc.assert(
      fc.asyncProperty(shape, fc.boolean(), async ({ schema, values }, required) => {
        const { decide, unread } = await draftOf(object({ files: schema }, required ? ['files'] : []));
        for (const files of values('/srv/.env'))
          if ((await decide({ files })) === 'allow')
            expect(unread.length, JSON.stringify([schema, files])).toBeGreaterThan(0);
        if (unread.length === 0)
          for (const files of values('notes.txt')) expect(await decide({ files })).toBe('allow');
      }),
      { numRuns: 60 },
    );
  });
});

describe('noSecretFiles', () => {
  const names = ['uri', 'src', 'dest', 'target', 'root', 'cwd', 'location', 'attachment', 'document'];
  it.each(names)('reads the argument %s', async (name) => {
    const { decide, unread } = await draftOf(object({ [name]: text }));
    expect([await decide({ [name]: 'site/.env' }), await decide({ [name]: 'site/a.env.txt' })]).toEqual([
      'block',
      'allow',
    ]);
    expect(unread).toEqual([]);
  });

  it('knows other words for the same files, and files that look like them', async () => {
    const { decide } = await draftOf(object({ path: text }));
    for (const path of [
      ...['.env', 'a/.ENV', '.env.prod', '.env.local.bak', '.envrc', '.env~', '.env/x/..', 'C:\\a\\.env'],
      ...[
        '.env::$DATA',
        '.env. ',
        'file:///home/me/%2eenv',
        'file:///a%2f.env',
        'https://a.example/.env?x=1',
      ],
      ...['id_ed25519', 'id_ed25519_sk', '.ssh', '.ssh/config', 'a.pem', 'a.PEM.', 'credentials.json'],
    ])
      expect([path, await decide({ path })]).toEqual([path, 'block']);
    for (const path of ['.env.example', 'environment', 'a.environment', 'src/env', 'keys.txt', 'a.pemx'])
      expect([path, await decide({ path })]).toEqual([path, 'allow']);
  });
});

describe('a tool that an argument tells what to do', () => {
  it.each([
    ['query', 'sql'],
    ['check', 'command'],
    ['fetchBy', 'shellScript'],
  ])('does not only read by its name: %s with %s', (name, argument) => {
    const [tool] = readTools([{ name, inputSchema: object({ [argument]: text }) }], 'tools');
    expect(effectOf(tool).effect).toBe('unclear');
    expect(effectOf({ ...tool, readOnly: true }).effect).toBe('reads');
  });

  it('has its commands read', () => {
    const tools = readTools([{ name: 'query', inputSchema: object({ sql: text }) }], 'tools').map((tool) => ({
      ...tool,
      ...effectOf(tool),
      arguments: argumentsOf(tool.schema),
    }));
    expect(draftedRules(tools, null).map(({ name }) => name)).toContain('noDangerousCommand');
  });
});
