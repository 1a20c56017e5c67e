import { expect, it } from 'vitest';
import { guardClaudeAgent } from '../../../../bindings/runtime/adapters/claudeAgent.js';
import { guardThat, RISKY, SAFE, setting } from '../../enforcement/setting.js';
import { hand, play, recorded } from './recorded.js';

const tools = ['mcp__mail__search', 'mcp__mail__fetch', 'mcp__mail__send'];

it('a session follows an agent through the hooks of the Claude Agent SDK', async () => {
  let world = SAFE;
  const run = setting({
    guard: guardThat({ strategy: { kind: 'block' } }),
    tools,
    state: () => world,
    maxPending: 6,
  });
  const options = guardClaudeAgent(run.session);
  const [fetch, send, fetched, batch] = recorded('parallel calls');
  expect(await Promise.all([hand(options, fetch), hand(options, send)])).toEqual([{}, {}]);
  world = RISKY;
  expect(await play(options, [fetched, batch])).toEqual([{}, {}]);
  const [search] = recorded('one call');
  const { hookSpecificOutput: said } = await hand(options, search);
  expect(said).toMatchObject({ permissionDecision: 'deny' });
  expect(said?.permissionDecisionReason).toContain('This action is not permitted.');
  await play(options, recorded('end'));
  expect(run.decisions()).toEqual([
    'allow: below-threshold',
    'allow: below-threshold',
    'block: at-threshold',
  ]);
  expect(run.outcomes()).toEqual(['ran', 'withheld']);
  expect(run.records.at(-1)?.kind).toBe('end');
});

it('a tool that was not declared ends the run', async () => {
  const run = setting({ tools });
  const options = guardClaudeAgent(run.session);
  const [bash] = recorded('failing call');
  expect(await hand(options, bash)).toMatchObject({
    continue: false,
    hookSpecificOutput: { permissionDecision: 'deny' },
  });
  expect(run.decisions()).toEqual(['stop: unknown-tool']);
});
