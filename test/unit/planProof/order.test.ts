import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import type { Plan } from '../../../bindings/proofs/workflow/index.js';
import { call, each, expr, give, listOf, need, plan, ref, when } from './plans.js';

const tools = `
  look: { result: { fields: { ok: boolean, size: integer, list: { type: list, of: text } }, integrity: trusted, readers: everyone } }
  approve: { arguments: {} }
  send: { arguments: { to: text } }
  log: { arguments: {} }
`;

const read = (rules: string) =>
  readContracts(`
version: 1
tools: ${tools}
events:
  external: { tool: send, when: 'to.endsWith("@evil.example")' }
rules:
${rules}
`);

const found = (rules: string, given: Plan) => {
  const verdict = verifyPlan(given, read(rules));
  return verdict.verdict === 'proved'
    ? []
    : verdict.findings.map(({ kind, step, rule }) => [kind, step, rule].join(' '));
};

const look = call('l', 'look', {}, 'r');
const approve = call('a', 'approve');
const send = call('s', 'send', { to: 'x' });
const log = call('g', 'log');

describe('order of calls', () => {
  const before = "  ask: { formula: 'G (send -> O approve)' }";

  it('keeps to a rule on every path, or names one that breaks it', () => {
    expect(found(before, plan(approve, send))).toEqual([]);
    expect(found(before, plan(send))).toEqual(['order s ask']);
    expect(found(before, plan(look, when('i', 'r.ok', [approve]), send))).toEqual(['order s ask']);
    expect(found(before, plan(look, when('i', 'r.ok', [approve], [call('b', 'approve')]), send))).toEqual([]);
  });

  it('takes loops to run any number of times, zero included', () => {
    expect(found(before, plan(look, each('e', ref('r', 'list'), 'i', [approve]), send))).toEqual([
      'order s ask',
    ]);
    expect(found(before, plan(each('e', listOf('a', 'b'), 'i', [approve]), send))).toEqual([]);
    const once = "  once: { formula: 'G (send -> WX G !send)' }";
    expect(found(once, plan(look, each('e', ref('r', 'list'), 'i', [send])))).toEqual(['order s once']);
    expect(found(once, plan(look, each('e', ref('r', 'list'), 'i', [send], { atMost: 1 })))).toEqual([]);
    expect(found(once, plan(look, each('e', ref('r', 'list'), 'i', [send], { atMost: 2 })))).toEqual([
      'order s once',
    ]);
  });

  it('judges the end of runs that end by themselves', () => {
    const after = "  logged: { formula: 'G (send -> F log)' }";
    expect(found(after, plan(send, log))).toEqual([]);
    expect(found(after, plan(send))).toEqual(['order  logged']);
    expect(found(after, plan(look, send, need('n', 'r.ok'), log))).toEqual(['order  logged']);
    expect(found(after, plan(look, need('n', 'r.ok'), send, log))).toEqual([]);
    expect(found(after, plan(look, send, when('i', 'r.ok', [give('v', 1)]), log))).toEqual(['order  logged']);
  });

  it('does not know whether a call that is skipped happened', () => {
    const skipped = call('a', 'approve', {}, undefined, 'skip');
    expect(found(before, plan(skipped, send))).toEqual(['order s ask']);
    expect(
      found("  never: { formula: 'G !send' }", plan(call('s', 'send', { to: 'x' }, undefined, 'skip'))),
    ).toEqual(['order s never']);
  });

  it('reads what events depend on', () => {
    const never = "  never: { formula: 'G !external' }";
    const to = (value: Parameters<typeof listOf>[0]) => plan(look, call('s', 'send', { to: value }));
    expect(found(never, to('a@home.example'))).toEqual([]);
    expect(found(never, to('a@evil.example'))).toEqual(['order s never']);
    expect(found(never, to(expr('r.list[0]')))).toEqual(['order s never']);
    expect(
      found(
        never,
        plan(
          look,
          need('n', 'r.list[0].endsWith("@home.example")'),
          call('s', 'send', { to: expr('r.list[0]') }),
        ),
      ),
    ).toEqual([]);
  });

  it('knows that a condition that was true is true again', () => {
    const twice = plan(look, when('i', 'r.ok', [approve]), log, when('j', 'r.ok', [send]));
    expect(found(before, twice)).toEqual([]);
    const implied = plan(look, when('i', 'r.size > 3', [approve]), log, when('j', 'r.size > 5', [send]));
    expect(found(before, implied)).toEqual([]);
    const other = plan(look, when('i', 'r.size > 5', [approve]), log, when('j', 'r.size > 3', [send]));
    expect(found(before, other)).toEqual(['order s ask']);
    const inLoop = plan(
      look,
      each('e', ref('r', 'list'), 'x', [
        when('i', 'x == "a"', [approve]),
        log,
        when('j', 'x == "a"', [send]),
      ]),
    );
    expect(found(before, inLoop)).toEqual([]);
    const acrossRounds = plan(
      look,
      each('e', ref('r', 'list'), 'x', [when('j', 'x != "a"', [send]), when('i', 'x == "a"', [approve])]),
    );
    expect(found(before, acrossRounds)).toEqual(['order s ask']);
  });

  it('follows drawn automata, of which the first transition that may be taken does not hide later ones', () => {
    const drawn = `
  drawn:
    automaton:
      states: [start, sent, bad]
      errors: [bad]
      transitions:
        - { from: start, to: sent, tool: send, when: 'to == "a"' }
        - { from: start, to: bad, tool: send, when: 'to.startsWith("b")' }
        - { from: sent, to: bad, tool: send }`;
    expect(found(drawn, plan(call('s', 'send', { to: 'a' })))).toEqual([]);
    expect(found(drawn, plan(call('s', 'send', { to: 'b' })))).toEqual(['order s drawn']);
    expect(found(drawn, plan(look, call('s', 'send', { to: expr('r.list[0]') })))).toEqual(['order s drawn']);
    expect(found(drawn, plan(call('s', 'send', { to: 'a' }), call('t', 'send', { to: 'c' })))).toEqual([
      'order t drawn',
    ]);
  });
});
