import { expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { guardToolSet } from '../../../bindings/runtime/adapters/aiSdk.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

it.each([
  ['to the end', 3, 'block violated'],
  ['in part', 1, 'block predicate-failed'],
])(
  'of a tool of the AI SDK whose results were read %s, nobody takes it for failed',
  async (_, read, after) => {
    const specification = parseSpecification(`version: 1
predicates: { again: 'has(action.name) && action.name == "refund" && history.exists(c, c.name == "refund" && !c.failed)' }
rules: { onceUnlessFailed: { formula: 'G !again' } }`);
    const session = createSession({
      guard: createGuard(compileRules(specification)),
      tools: ['refund'],
      onFault: 'block',
    });
    const { refund } = guardToolSet(session, {
      refund: {
        async *execute() {
          for (const part of [1, 2, 3]) yield part;
        },
      } as {
        execute: (input: object, options: object) => AsyncIterable<number>;
        needsApproval?: (input: object, options: object) => Promise<boolean>;
      },
    });
    const options = { toolCallId: '1', messages: [] };
    expect(await refund.needsApproval?.({}, options)).toBe(false);
    let count = 0;
    for await (const _part of refund.execute({}, options)) if (++count === read && read < 3) break;
    const { decision, reason } = await session.decide({ id: '2', name: 'refund', arguments: {} });
    expect(`${decision} ${reason}`).toBe(after);
  },
);
