import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { FUNCTION_NAMES } from '../bindings/languages/expression/functions.js';
import {
  compileExpression,
  loadRegexEngine,
  parseExpression,
} from '../bindings/languages/expression/index.js';

const page = readFileSync(new URL('../docs/expressions.md', import.meta.url), 'utf8');
const step = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
/** The last two cells of each row: an expression and its value. */
const rows = [...page.matchAll(/^\|.*?`([^`]+)` \| (`[^`]+`|none: .*) \|$/gm)].map(
  ([, expression, value]) => [expression.replaceAll('\\|', '|'), value.replaceAll('`', '')] as const,
);

describe('docs/expressions.md', () => {
  beforeAll(loadRegexEngine);

  it.each(rows)('%s is %s', (expression, value) => {
    const evaluate = compileExpression(parseExpression(expression));
    const { state, action, time } = step;
    if (!value.startsWith('none')) expect(evaluate(state, { action, time })).toEqual(JSON.parse(value));
    else expect(() => evaluate(state, { action, time })).toThrow();
  });

  it('has a row for every function and every macro', () => {
    expect(rows.length).toBeGreaterThan(30);
    const all = rows.map(([expression]) => expression).join('\n');
    for (const name of [...FUNCTION_NAMES, 'has', 'exists', 'all', 'exists_one', 'filter', 'map'])
      expect(all).toContain(`${name}(`);
  });
});
