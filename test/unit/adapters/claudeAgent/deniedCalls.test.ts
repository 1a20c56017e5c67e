import { beforeAll, describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import { learn, learnMdp } from '../../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../../bindings/rules/specification/index.js';
import { guardClaudeAgent } from '../../../../bindings/runtime/adapters/claudeAgent.js';
import { createSession, type RunRecord } from '../../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../../bindings/runtime/guard/index.js';
import { hand } from './recorded.js';

/** What is sent must have been reviewed before; a guard that knows actions, or one of a chain whose predicates read them. */
async function reviewedFirst(model: 'mdp' | 'dtmc'): Promise<GuardFile> {
  const rules =
    model === 'mdp'
      ? `predicates: { reviewed: 'calls.review > 0', unreviewed: 'calls.send > 0 && calls.review == 0' }
rules: { first: { formula: 'G !unreviewed', threshold: 0.6, strategy: block } }`
      : `predicates: { reviewed: 'action.name == "review"', sent: 'action.name == "send"' }
rules: { first: { formula: 'G (sent -> O reviewed)', threshold: 0.6, strategy: block } }`;
  const specification = parseSpecification(
    `version: 1\nlearning: { model: ${model}, smoothing: 0 }\n${rules}`,
  );
  const runs = [['review', 'send'], ['review', 'send'], ['send'], ['review']].map((names, id) => ({
    id: String(id),
    steps: [...names, null].map((name, n) => {
      const count = (tool: string): number => names.slice(0, n).filter((one) => one === tool).length;
      const state = { calls: { review: count('review'), send: count('send') } };
      return { state, action: { name: name ?? 'end' } };
    }),
  }));
  const learnt = await (model === 'mdp' ? learnMdp : learn)(
    new Abstraction(specification.abstraction),
    runs,
    specification.learning,
  );
  return compileGuard(specification, learnt.model as never);
}

const proposal = (id: string, tool: string) =>
  ({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: {}, tool_use_id: id }) as const;
const about = (event: 'PermissionDenied' | 'PostToolBatch') =>
  ({
    ...proposal('1', 'review'),
    hook_event_name: event,
    tool_calls: [{ tool_use_id: '1', tool_name: 'review', tool_input: {} }],
  }) as const;

describe.each(['mdp', 'dtmc'] as const)(
  'a call that was let through and denied, under a guard of: %s',
  (model) => {
    let file: GuardFile;
    beforeAll(async () => {
      file = await reviewedFirst(model);
    });

    /** What becomes of sending after a review that met this fate, and how the log tells the fate. */
    async function sentAfter(fate: 'nothing' | 'canUseTool' | 'PermissionDenied' | 'PostToolBatch' | 'ran') {
      const records: RunRecord[] = [];
      const session = createSession({
        guard: createGuard(file),
        tools: ['review', 'send'],
        log: { append: (record: RunRecord) => void records.push(record) },
      });
      const options = guardClaudeAgent<{ toolUseID: string }>(session, {
        canUseTool: async () => ({ behavior: 'deny', message: 'no' }),
      });
      if (fate !== 'nothing') expect(await hand(options, proposal('1', 'review') as never)).toEqual({});
      if (fate === 'canUseTool') await options.canUseTool?.('review', {}, { toolUseID: '1' });
      else if (fate === 'ran')
        await hand(options, {
          ...proposal('1', 'review'),
          hook_event_name: 'PostToolUse',
          tool_response: 1,
        } as never);
      else if (fate !== 'nothing') await hand(options, about(fate) as never);
      const said = await hand(options, proposal('2', 'send') as never);
      const outcomes = records.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
      return { sends: said.hookSpecificOutput?.permissionDecision !== 'deny', outcomes };
    }

    it('has not been done', async () => {
      expect(await sentAfter('ran')).toEqual({ sends: true, outcomes: ['ran'] });
      expect(await sentAfter('nothing')).toEqual({ sends: false, outcomes: [] });
      for (const fate of ['canUseTool', 'PermissionDenied', 'PostToolBatch'] as const)
        expect(await sentAfter(fate), fate).toEqual({ sends: false, outcomes: ['withheld'] });
    });
  },
);
