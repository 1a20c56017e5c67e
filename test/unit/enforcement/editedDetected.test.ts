import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

const SPECIFICATION = `
version: 1
detectors: { secret: boolean }
predicates:
  leaks: 'has(action.name) && action.name == "send" && action.detected.secret'
  large: 'has(action.name) && action.name == "send" && action.arguments.amount > 10'
rules:
  noSecret: { formula: 'G !leaks' }
  ask: { formula: 'G !large', strategy: inspect }
`;

describe('arguments that a person has changed', () => {
  it.each([
    ['another text', 'allow', ['amount 20', 'note another text']],
    ['the key', 'block', []],
  ])('are shown to detectors, too: %s', async (note, decision, _) => {
    const seen: string[] = [];
    const session = createSession({
      guard: createGuard(compileRules(parseSpecification(SPECIFICATION))),
      tools: ['send'],
      edits: true,
      detectors: {
        secret: {
          detect: (text) => {
            seen.push(text);
            return text.includes('key');
          },
        },
      },
      ask: async () => ({ approved: true, by: 'Ada', arguments: { amount: 20, note } }),
    });
    const verdict = await session.decide({ id: '1', name: 'send', arguments: { amount: 20, note: 'hello' } });
    expect(verdict.decision).toBe(decision);
    expect(verdict.run?.arguments ?? null).toEqual(decision === 'allow' ? { amount: 20, note } : null);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toContain(note);
    await session.end();
  });
});
