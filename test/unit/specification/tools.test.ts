import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { runRuleTests } from '../../../bindings/face/cli/runRuleTests.js';
import { parseExpression } from '../../../bindings/languages/expression/index.js';
import { toolsNamed } from '../../../bindings/observations/abstraction/index.js';
import { parseSpecification, SpecificationError } from '../../../bindings/rules/specification/index.js';

const TOOLS = `tools:
  send: { arguments: { to: text, cc: list of text?, amount: number } }
  read: { arguments: { path: text } }
  wait:
`;
const withRule = (predicate: string, tools = TOOLS): string =>
  `version: 1\n${tools}predicates:\n  p: '${predicate}'\nrules: { r: { formula: 'G !p' } }\n`;

/** The problems of a text, as `line:column message`. */
function problemsOf(text: string): string[] {
  try {
    parseSpecification(text, { source: 's.yaml' });
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

describe('tools in a specification', () => {
  it('are read with the types of their arguments', () => {
    const { tools } = parseSpecification(withRule('action.name == "send"'));
    expect([...(tools?.keys() ?? [])]).toEqual(['send', 'read', 'wait']);
    expect(Object.fromEntries(tools?.get('send')?.arguments ?? [])).toEqual({
      to: 'text',
      cc: 'list of text?',
      amount: 'number',
    });
    expect(tools?.get('wait')).toEqual({ arguments: null });
    expect(parseSpecification(withRule('action.name == "x"', '')).tools).toBeNull();
  });

  it.each([
    ['action.name == "sned"', '7:22 found the tool "sned", which tools does not list; did you mean "send"?'],
    ['action.name in ["read", "delete"]', /^7:31 found the tool "delete".*known: send, read, wait/],
    ['"raed" == action.name', /did you mean "read"\?/],
    ['lastTool == "raed"', /did you mean "read"\?/],
    ['calls.raed > 2', /found the tool "raed"/],
    ['history.exists(c, c.name == "raed")', /found the tool "raed"/],
    ['size(history.filter(c, !c.failed).filter(d, d.name != "raed")) > 2', /found the tool "raed"/],
    [
      'action.name == "send" && action.arguments.too == "x"',
      '7:32 found action.arguments.too, which is no argument of "send"; did you mean "to"?',
    ],
    [
      'action.name == "send" && has(action.arguments.path)',
      /path, which is no argument of "send"; known: to, cc, amount/,
    ],
  ])('refuse %s, with its place and what was likely meant', (predicate, message) => {
    const problems = problemsOf(withRule(predicate));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  });

  it.each([
    'action.name in ["send", "read"] && (has(action.arguments.path) || action.arguments.to == "x")',
    // Nothing is known of what wait takes, nor of which tool this is about.
    'action.name == "wait" && action.arguments.seconds > 3',
    'action.arguments.seconds > 3',
    'lastTool == "" && calls.send == 0',
    // A field of another list, and a text that is no name of a tool.
    'objects.exists(c, c.name == "Fork") && action.arguments.to == "nobody"',
  ])('accept %s', (predicate) => {
    expect(problemsOf(withRule(predicate))).toEqual([]);
  });

  it('check conditions written into rules, too', () => {
    const text = `version: 1\n${TOOLS}rules: { r: { formula: 'G !\`action.name == "sned"\`' } }\n`;
    expect(problemsOf(text)).toEqual([expect.stringMatching(/^6:24 .*"sned".*did you mean "send"\?/)]);
  });

  it.each([
    ['tools: [send]\n', /tools must be a mapping/],
    ['tools: { send: { argument: {} } }\n', /did you mean "arguments"\?/],
    ['tools: { send: { arguments: { to: string } } }\n', /has the type "string"; expected text, number/],
    ['tools: { send: { arguments: { to: list of lists } } }\n', /has the type "list of lists"/],
  ])('are refused as %s', (tools, message) => {
    expect(problemsOf(withRule('action.name == "send"', tools))[0]).toMatch(message);
  });

  it('change neither hash nor guard, and are declared in tests', async () => {
    const rules = withRule('action.name == "send" && calls.wait == 0');
    expect(parseSpecification(rules).hash).toBe(parseSpecification(rules.replace(TOOLS, '')).hash);
    const tested = `${rules}tests: [{ name: a, run: [{ send: { to: x } }], expect: { stopped: 0, by: r } }]\n`;
    const results = await runRuleTests(parseSpecification(tested));
    expect(results[0]).toMatchObject({ passed: true, reason: 'violated' });
  });

  it('are accepted by the published schema', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../../schema/specification.schema.json', import.meta.url), 'utf8'),
    );
    const valid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
    expect(valid(parseYaml(withRule('a'))), JSON.stringify(valid.errors)).toBe(true);
    expect(valid(parseYaml(withRule('a', 'tools: { a: { arguments: { b: string } } }\n')))).toBe(false);
    expect(valid(parseYaml(withRule('a', 'tools: { a: { safe: true } }\n')))).toBe(false);
  });
});

describe('toolsNamed', () => {
  it('finds names where predicates have them', () => {
    const names = (source: string) => toolsNamed(parseExpression(source)).map(({ name }) => name);
    expect(names('action.name == "a" || !(action.name in ["b", "c"]) || lastTool != "d"')).toEqual([
      ...['a', 'b', 'c', 'd'],
    ]);
    expect(names('action.arguments.to == "a" || lastResult == "b" || failures.e > calls["f"]')).toEqual([
      'e',
    ]);
  });
});
