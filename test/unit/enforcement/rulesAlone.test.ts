import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const SPECIFICATION = `version: 1
predicates:
  identifies: 'action.name == "getCustomer"'
  cancels: 'action.name == "cancel"'
  fourthWrite: 'action.name in ["cancel", "book"] && calls.cancel + calls.book >= 3'
  refundsTwice: 'action.name == "refund" && calls.refund > 0'
  abroad: 'action.name == "send" && !action.arguments.to.endsWith("@home.example")'
rules:
  identifyFirst: { formula: 'G (cancels -> O identifies)' }
  threeWrites: { formula: 'G !fourthWrite' }
  oneRefund: { formula: 'G !refundsTwice', strategy: stop }
  noneAbroad: { formula: 'G !abroad', strategy: inspect }`;

const TOOLS = ['getCustomer', 'cancel', 'book', 'refund', 'send', 'handOver'];

function sessionOf(options: Partial<SessionOptions> = {}, text = SPECIFICATION) {
  const records: RunRecord[] = [];
  const file = compileRules(parseSpecification(text));
  const session = createSession({
    guard: createGuard(file),
    tools: TOOLS,
    log: { append: (record) => void records.push(structuredClone(record)) },
    ...options,
  });
  let calls = 0;
  const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
    const verdict = await session.decide({ id: String(calls++), name, arguments: args });
    if (verdict.run !== null) await session.ran(verdict, { result: 'done' });
    return verdict;
  };
  return { session, call, records, file };
}

describe('a session on rules alone', () => {
  it('lets what keeps every rule run, without a trace', async () => {
    const { call } = sessionOf();
    for (const name of ['handOver', 'getCustomer', 'cancel', 'book', 'refund', 'book']) {
      const { decision, reason, run } = await call(name);
      expect([name, decision, reason]).toEqual([name, 'allow', 'kept']);
      expect(run).not.toBeNull();
    }
  });

  it('refuses a call that would break a rule before it runs, and goes on as if it had not been proposed', async () => {
    const { call, session, records, file } = sessionOf();
    const early = await call('cancel');
    expect([early.decision, early.reason, early.rule, early.run]).toEqual([
      'block',
      'violated',
      'identifyFirst',
      null,
    ]);
    expect(early.message).toBe(
      'This action is not permitted. Step 0: block. This step breaks rule "identifyFirst" (G (cancels -> O identifies)). State: cancels; none of identifies, fourthWrite, refundsTwice, abroad. Permitted here, whatever the arguments: getCustomer, book, refund, handOver.',
    );
    expect((await call('getCustomer')).decision).toBe('allow');
    expect((await call('cancel')).decision).toBe('allow');
    expect((await call('cancel')).decision).toBe('allow');
    expect((await call('book')).decision).toBe('allow');
    expect((await call('book')).rule).toBe('threeWrites');
    expect((await call('cancel')).rule).toBe('threeWrites');
    expect((await call('handOver')).decision).toBe('allow');
    expect((await call('refund')).decision).toBe('allow');
    const twice = await call('refund');
    expect([twice.decision, twice.rule, twice.ends]).toEqual(['stop', 'oneRefund', true]);
    await session.end();
    expect(await expectReplayed(records, file)).toBe(10);
  });

  it('counts a failed call, and not one that was given up', async () => {
    const { session, call } = sessionOf();
    const first = await session.decide({ id: 'a', name: 'refund', arguments: {} });
    await session.withdraw(first);
    const second = await session.decide({ id: 'b', name: 'refund', arguments: {} });
    expect(second.decision).toBe('allow');
    await session.ran(second, { error: 'no connection' });
    expect((await call('refund')).decision).toBe('stop');
  });

  it('withholds a call whose argument cannot be read where that may break a rule, and no other', async () => {
    const { call } = sessionOf();
    expect((await call('handOver', { to: 7 })).decision).toBe('allow');
    const odd = await call('send', { to: 7 });
    expect([odd.decision, odd.reason, odd.run]).toEqual(['inspect', 'predicate-failed', null]);
    expect(odd.explanation).toMatch(
      /The predicate "abroad" could not be read \(.*\); rule "noneAbroad" \(G !abroad\) may be broken\./,
    );
    const { call: lenient } = sessionOf({}, `${SPECIFICATION}\nonUnknown: allow\nunsafeAllowUnknown: true`);
    expect((await lenient('send', { to: 7 })).decision).toBe('stop');
  });

  it('blocks an unreadable call of a rule that names no strategy', async () => {
    const { call } = sessionOf({}, SPECIFICATION.replace(', strategy: inspect', ''));
    expect((await call('send', {})).decision).toBe('block');
    expect((await call('send', { to: 'ann@home.example' })).decision).toBe('allow');
  });

  it('stops where the state alone has broken a rule', async () => {
    const text = `version: 1\npredicates: { leaked: leaked }\nrules: { noLeak: { formula: 'G !leaked' } }`;
    let leaked = false;
    const { call } = sessionOf({ state: () => ({ leaked }) }, text);
    expect((await call('send')).decision).toBe('allow');
    leaked = true;
    expect((await call('send')).decision).toBe('stop');
  });

  it('in shadow mode says what it would have done', async () => {
    const { call } = sessionOf({ shadow: true });
    const { decision, wouldDecide, run } = await call('cancel');
    expect([decision, wouldDecide, run?.name]).toEqual(['report', 'block', 'cancel']);
  });

  it('goes on from its records where it was', async () => {
    const state = { calls: { cancel: 0, book: 0, refund: 0 } };
    const { call, records, session } = sessionOf({ state: () => state, id: 'one' });
    await call('cancel');
    await call('getCustomer');
    const { call: after } = sessionOf({ state: () => state, id: 'one', resume: records });
    expect((await after('cancel')).decision).toBe('allow');
    expect(session.strategies).toContain('block');
  });

  it('needs no threshold, and refuses rules that bound a probability', () => {
    const bounded = `version: 1\npredicates: { a: a }\nrules: { r: { formula: 'P<0.1 [ F a ]' } }`;
    expect(() => compileRules(parseSpecification(bounded))).toThrow(
      /specification: rule "r" \(P<0.1 \[ F a \]\) bounds a probability, which needs a model/,
    );
  });
});
