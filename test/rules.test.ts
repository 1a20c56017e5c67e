import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildAutomaton } from '../bindings/languages/automaton/index.js';
import { parseFormula, predicatesOf } from '../bindings/languages/logic/index.js';
import { parseSpecification } from '../bindings/rules/specification/index.js';
import { explainVerdict } from '../bindings/runtime/explanation/index.js';
import { foreguard } from './unit/cli/command.js';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const page = readFileSync(`${docs}rules.md`, 'utf8');

/** The rows of the tables whose heading has these columns, cells without their quotes. */
function rowsUnder(heading: string): string[][] {
  return page.split(/\n\n/).flatMap((block) => {
    const [head, , ...rows] = block.trim().split('\n');
    if (!head.startsWith(`| ${heading} |`)) return [];
    return rows.map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) =>
          cell
            .trim()
            .replaceAll('\\|', '|')
            .replace(/^`([^`]*)`$/, '$1'),
        ),
    );
  });
}

/** Steps of the words of `a - ab`, over the predicates a, b, c. */
function stepsOf(text: string): Record<string, boolean>[] {
  return text
    .split(' ')
    .map((word) => ({ a: word.includes('a'), b: word.includes('b'), c: word.includes('c') }));
}

const same = (one: string, other: string, samplingPeriod: string | null = null): void => {
  const automaton = (text: string) => {
    const formula = parseFormula(text);
    expect(predicatesOf(formula).length).toBeGreaterThan(0);
    return buildAutomaton(formula, { samplingPeriod });
  };
  expect(automaton(one)).toEqual(automaton(other));
};

describe('docs/rules.md', () => {
  const verdicts = rowsUnder('rule | steps | verdict | at the end | says');

  it('has a row for every operator', () => {
    expect(verdicts.length).toBeGreaterThan(30);
    const rules = verdicts.map(([rule]) => rule).join('\n');
    for (const operator of ['X', 'WX', 'F', 'G', 'U', 'W', 'R', 'Y', 'WY', 'O', 'H', 'S', 'count'])
      expect(rules).toMatch(new RegExp(`\\b${operator}\\b`));
    for (const symbol of ['!', '&', '|', '->', '<->', '<=', '<3', '>=', '>1', '=2', '['])
      expect(rules).toContain(symbol);
  });

  it.each(verdicts)('%s after %s is %s, at the end %s', (rule, steps, verdict, atEnd) => {
    expect(explainVerdict(rule, stepsOf(steps)).verdict).toBe(verdict);
    const { verdict: ended } = explainVerdict(rule, stepsOf(steps), { ended: true });
    expect(ended).toBe(atEnd === 'true' ? 'satisfied' : 'violated');
  });

  const timed = rowsUnder('rule | sampling period | rule in steps');
  it.each(timed)('%s at %s s is %s', (rule, period, inSteps) => {
    same(rule, inSteps, period);
  });

  const words = rowsUnder('rule | in symbols');
  it.each(words)('%s is %s', (rule, symbols) => {
    same(rule, symbols);
  });

  const refused = rowsUnder('rule | message');
  it.each(refused)('%s is refused: %s', (rule, message) => {
    expect(() => explainVerdict(rule, [{ a: true, b: true, c: true }])).toThrow(message);
  });

  it('prints of its tests what it says', async () => {
    const [, specification, printed] =
      /```yaml\n([\s\S]*?)```\n[^`]*`foreguard test[\s\S]*?```text\n([\s\S]*?)```/.exec(
        page.split('## Testing rules\n')[1],
      ) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'foreguard-rules-'));
    try {
      writeFileSync(join(folder, 'rules.yaml'), specification);
      const { out, code } = await foreguard('test', '--spec', join(folder, 'rules.yaml'));
      expect(out.replaceAll(`${folder}/`, '')).toBe(printed);
      expect(code).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('prints of its set of rules what it says', async () => {
    const [, specification, printed] =
      /```yaml\n([\s\S]*?)```\n[^`]*`foreguard rules[\s\S]*?```text\n([\s\S]*?)```/.exec(
        page.split('## Checking a set of rules\n')[1],
      ) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'foreguard-rules-'));
    try {
      writeFileSync(join(folder, 'mail.yaml'), specification);
      const { out, code } = await foreguard('rules', '--spec', join(folder, 'mail.yaml'));
      expect(out).toBe(printed);
      expect(code).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has an example of exact rules beside learnt ones, whose counter is not learnt', () => {
    const [, source] =
      /```yaml\n([\s\S]*?)```/.exec(page.split('## Exact rules beside learnt ones\n')[1]) ?? [];
    const { abstraction, exactPredicates } = parseSpecification(source);
    expect(abstraction.predicates.map(({ name }) => name)).toEqual(['late']);
    expect(exactPredicates.map(({ name }) => name)).toEqual(['writes']);
  });

  const explained = rowsUnder('rule | steps | explanation');
  it.each(explained)('%s after %s: %s', (rule, steps, explanation) => {
    expect(explainVerdict(rule, stepsOf(steps)).text).toBe(explanation);
  });

  it('has rows in each of its tables', () => {
    expect([timed, words, refused, explained].map((rows) => rows.length)).toEqual([7, 12, 15, 12]);
  });

  it('links only to files that exist', () => {
    for (const [, target] of page.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
      expect(existsSync(`${docs}${target}`), target).toBe(true);
  });
});
