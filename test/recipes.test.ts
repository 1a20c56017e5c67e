import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseDocument, type YAMLMap } from 'yaml';
import { runRuleTests } from '../bindings/face/cli/runRuleTests.js';
import { ToolHistory } from '../bindings/observations/trace/index.js';
import { checkRules } from '../bindings/rules/ruleSet/index.js';
import {
  compileRules,
  parseSpecification,
  type Specification,
} from '../bindings/rules/specification/index.js';
import { loadGuard } from '../bindings/runtime/guard/index.js';
import { foreguard } from './unit/cli/command.js';

const page = readFileSync(fileURLToPath(new URL('../docs/recipes.md', import.meta.url)), 'utf8');

/** The sections of the page with a block: title and text of each. */
const recipes = page
  .split(/^### /m)
  .slice(1)
  .map((section): [title: string, text: string] => {
    const blocks = [...section.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
    expect(blocks).toHaveLength(1);
    return [section.split('\n')[0], blocks[0][1]];
  });

/** Names of the tests that fail. */
async function failures(specification: Specification): Promise<string[]> {
  const results = await runRuleTests(specification);
  return results.flatMap(({ passed, test }) => (passed ? [] : [test.name]));
}

describe('docs/recipes.md', () => {
  it('has at least fifteen recipes, each in its table', () => {
    expect(recipes.length).toBeGreaterThanOrEqual(15);
    const table = page.split('\n## ')[0];
    for (const [title] of recipes)
      expect(table).toContain(
        `](#${title
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-')})`,
      );
    expect([...table.matchAll(/\]\(#/g)]).toHaveLength(recipes.length);
  });

  describe.each(recipes)('%s', (_, text) => {
    const specification = parseSpecification(text);
    const { tests, rules, abstraction } = specification;
    const stopping = tests.flatMap(({ name, expect }) => (expect === 'allowed' ? [] : [name]));

    it('passes its tests, of what it stops and of what it lets pass', async () => {
      expect(rules).toHaveLength(1);
      expect(stopping.length).toBeGreaterThan(0);
      expect(tests.length).toBeGreaterThan(stopping.length);
      for (const test of tests) if (test.expect !== 'allowed') expect(test.expect.by).toBe(rules[0].name);
      expect(await failures(specification)).toEqual([]);
      expect(checkRules(specification)).toMatchObject({ findings: [], undecided: [] });
    });

    it('stops nothing without its rule', async () => {
      // A guard has a rule; this one holds of every run.
      const { rules: without } = parseSpecification("version: 1\nrules: { other: { formula: 'true' } }");
      expect(await failures({ ...specification, rules: without })).toEqual(stopping);
    });

    it('decides what its strategy says', async () => {
      const [, strategy = 'block'] = /strategy: (\w+)/.exec(text) ?? [];
      for (const { stopped, decision } of await runRuleTests(specification))
        expect(decision).toBe(stopped === null ? 'allow' : strategy);
    });

    // Each step of a test has a call, so that such a predicate is true there.
    const constants = ({ expression }: { readonly expression: string }) =>
      expression === 'has(action.name)' ? ['false'] : ['true', 'false'];
    it.each(
      abstraction.predicates.flatMap((predicate) =>
        constants(predicate).map((constant) => [predicate.name, constant] as const),
      ),
    )('has a test that fails if %s is %s', async (changed, constant) => {
      const predicates = abstraction.predicates.map(({ name, expression }) => ({
        name,
        expression: name === changed ? constant : expression,
      }));
      const mutant = { ...specification, abstraction: { ...abstraction, predicates } };
      expect(await failures(mutant)).not.toEqual([]);
    });

    it('has a value at a step without a call, for every predicate', async () => {
      const names = tests.flatMap(({ run }) => run.map(({ call }) => call));
      const state = {
        ...new ToolHistory(names).state(),
        ...tests[0].run[0].state,
        principal: tests[0].principal,
      };
      const guard = await loadGuard(compileRules(specification));
      expect(guard.step(state, { time: 0 }).reason).toBe('kept');
    });
  });

  it('passes foreguard test, file by file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foreguard-recipes-'));
    try {
      const files = recipes.map(([, text], i) => {
        const file = join(folder, `${i}.yaml`);
        writeFileSync(file, text);
        return file;
      });
      const { out, code } = await foreguard('test', '--spec', ...files);
      expect(code).toBe(0);
      expect(out).toMatch(/^\d+ tests: \d+ passed, 0 failed$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has recipes that go into one file', async () => {
    const [whole, ...others] = recipes.map(([, text]) => parseDocument(text));
    whole.set('detectors', whole.createNode({}));
    for (const other of others) {
      for (const key of ['detectors', 'predicates', 'rules'])
        for (const item of (other.get(key) as YAMLMap | undefined)?.items ?? [])
          (whole.get(key) as YAMLMap).items.push(item as never);
    }
    const { abstraction, rules } = parseSpecification(whole.toString());
    expect(rules).toHaveLength(recipes.length);
    for (const [, text] of recipes) {
      const alone = parseSpecification(text);
      const tests = alone.tests.map((test) => ({ ...test, rule: alone.rules[0].name }));
      expect(await failures({ ...alone, abstraction, rules, tests })).toEqual([]);
    }
  });
});
