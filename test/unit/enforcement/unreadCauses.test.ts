import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../bindings/rules/specification/compileRules.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession, type SessionOptions } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

/** `big` stands before what `cap` reads, and is unread wherever that is. */
const SPECIFICATION = parseSpecification(`
version: 1
predicates:
  big: 'has(action.name) && action.name == "refund" && action.arguments.amount > 50'
  over: 'has(action.name) && action.name == "refund" && action.arguments.amount + budget.spent > 120'
rules:
  askBig: { formula: 'G !big', strategy: report }
  cap: { formula: 'G !over', strategy: block }`);

async function told(calls: readonly unknown[], options: Partial<SessionOptions> = {}) {
  const session = createSession({
    guard: createGuard(compileRules(SPECIFICATION)),
    tools: ['refund'],
    state: () => ({ budget: { spent: 20 } }),
    ...options,
  });
  const messages: (string | null)[] = [];
  for (const [id, given] of calls.entries()) {
    const verdict = await session.decide({ id: `${id}`, name: 'refund', arguments: { amount: given } });
    messages.push(verdict.message);
    if (verdict.run) await session.ran(verdict, { result: null });
  }
  await session.end();
  return messages;
}

describe('a call that cannot be read', () => {
  it('is refused by a predicate that the rule reads, though another comes first in the file', async () => {
    const [message] = await told(['a lot']);
    expect(message).toContain('The predicate "over" could not be read');
    expect(message).toContain('rule "cap"');
    expect(message).not.toContain('"big"');
  });

  it('is refused with the cause, whether it is the first of its step or another one in its place', async () => {
    const cause =
      /\(predicate "over":1:72: "\+" found the string "a lot" and the number 20, expected two numbers.*\)/;
    for (const message of await told(['a lot', 'a lot'])) expect(message).toMatch(cause);
  });

  it('is refused with what was expected, and nothing of what was found, where fields are hidden', async () => {
    for (const message of await told(['a lot', 'a lot'], { redact: ['spent'] })) {
      expect(message).toContain('(predicate "over":1:72: "+" expected two numbers');
      expect(message).not.toMatch(/a lot|20/);
    }
    const state = () => ({ budgets: { spent: 'nothing to see' } });
    const [message] = await told([1], { redact: ['spent'], state });
    expect(message).toContain('(predicate "over":1:74: the state has no field "budget")');
  });

  it('says nothing of a call that was judged before', async () => {
    const messages = await told(['a lot', 1, 'more']);
    expect(messages[1]).toBeNull();
    expect(messages[2]).toContain('the string "more"');
  });
});

it('a guard quotes nothing of the state where it may not', () => {
  const guard = createGuard(compileRules(SPECIFICATION));
  const step = guard.step(
    { budget: { spent: 'secret' } },
    { action: { name: 'refund', arguments: { amount: 1 } } },
  );
  expect(guard.explain(step)).toContain('the string "secret"');
  expect(guard.explain(step, false)).not.toContain('secret');
  expect(guard.explainStatus('cap')).toContain('"over" could not be read');
  expect(guard.explainStatus('askBig')).toMatch(/^allow\. Nothing breaks rule "askBig" \(G !big\) here\./);
});
