import { describe, expect, it } from 'vitest';
import { ToolHistory } from '../../../bindings/observations/trace/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';

const RULES = `version: 1
predicates:
  overspends: >-
    action.name == "pay" && action.arguments.amount
    + sum(history.filter(c, c.name == "pay" && !c.failed && c.time > time - 3600).map(c, c.arguments.amount)) > 100
  fourthWrite: 'action.name in ["book", "cancel"] && size(history.filter(c, c.name in ["book", "cancel"])) >= 3'
  leaks: 'action.name == "send" && history.exists(c, c.name == "readSecret")'
rules:
  hundredAnHour: { formula: 'G !overspends' }
  threeWrites: { formula: 'G !fourthWrite' }
  noLeak: { formula: 'G !leaks' }`;

const tools = ['pay', 'book', 'cancel', 'send', 'readSecret'];

function sessionOf(options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const clock = { now: 1000 };
  const file = compileRules(parseSpecification(RULES));
  const session = createSession({
    guard: createGuard(file),
    tools,
    time: () => clock.now,
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    id: 'one',
    ...options,
  });
  let calls = 0;
  const call = async (name: string, args: Record<string, unknown> = {}, error?: string) => {
    const verdict = await session.decide({ id: String(calls++), name, arguments: args });
    if (verdict.run !== null) await session.ran(verdict, error === undefined ? { result: 1 } : { error });
    return verdict.rule === ''
      ? verdict.reason
      : `${verdict.decision}${verdict.run === null ? ` by ${verdict.rule}` : ''}`;
  };
  return { session, call, clock, records, file };
}

describe('the history of calls', () => {
  it('adds up what was paid within an hour, to the moment', async () => {
    const { call, clock, session, records, file } = sessionOf();
    expect(await call('pay', { amount: 60 })).toBe('allow');
    clock.now += 10;
    expect(await call('pay', { amount: 40 })).toBe('allow');
    expect(await call('pay', { amount: 0.01 })).toBe('block by hundredAnHour');
    clock.now = 4599.9;
    expect(await call('pay', { amount: 60 })).toBe('block by hundredAnHour');
    clock.now = 4600;
    expect(await call('pay', { amount: 60 })).toBe('allow');
    expect(await call('pay', { amount: 1000 }, 'no money')).toBe('block by hundredAnHour');
    expect(await call('pay', { amount: '1' })).toBe('block by hundredAnHour');
    await session.end();
    expect(await expectReplayed(records, file)).toBe(7);
  });

  it('does not count what failed where a rule says so, nor what was refused', async () => {
    const { call } = sessionOf();
    expect(await call('pay', { amount: 100 }, 'no connection')).toBe('allow');
    expect(await call('pay', { amount: 100 })).toBe('allow');
    for (const name of ['book', 'cancel', 'book']) expect(await call(name)).toBe('allow');
    expect(await call('cancel')).toBe('block by threeWrites');
    expect(await call('send')).toBe('allow');
    expect(await call('readSecret')).toBe('allow');
    expect(await call('send')).toBe('block by noLeak');
  });

  it('stands beside a state of your own, whose fields come first', async () => {
    const own = sessionOf({ state: () => ({ weather: 'snow' }) });
    expect(await own.call('readSecret')).toBe('allow');
    expect(await own.call('send')).toBe('block by noLeak');
    const other = sessionOf({ state: () => ({ history: [] }) });
    expect(await other.call('readSecret')).toBe('allow');
    expect(await other.call('send')).toBe('allow');
  });

  it('is known after a restart, from the records alone', async () => {
    const { call, records } = sessionOf();
    await call('pay', { amount: 60 });
    await call('readSecret');
    await call('pay', { amount: 40 }, 'no connection');
    const after = sessionOf({ resume: [...records] });
    expect(await after.call('send')).toBe('block by noLeak');
    expect(await after.call('pay', { amount: 41 })).toBe('block by hundredAnHour');
    expect(await after.call('pay', { amount: 40 })).toBe('allow');
  });

  it('does not know hidden arguments after a restart, whatever the next session hides', async () => {
    const { call, records } = sessionOf({ redact: ['pin'] });
    await call('pay', { amount: 60 });
    await call('readSecret');
    const whole = sessionOf({ resume: [...records], redact: ['pin'] });
    expect(await whole.call('send')).toBe('block by noLeak');
    expect(await whole.call('pay', { amount: 1 })).toBe('allow');
    await call('pay', { amount: 1, pin: 7 });
    // What cannot be read is not let through.
    for (const redact of [['pin'], ['other'], []])
      expect(await sessionOf({ resume: [...records], redact }).call('pay', { amount: 1 })).toBe(
        'block by hundredAnHour',
      );
  });

  it('is shared by the states, each of which shows what came before it', () => {
    const history = new ToolHistory(tools);
    const states = [history.state()];
    for (let i = 0; i < 3; i++) {
      history.record({ name: 'pay', arguments: { amount: i } }, i === 1 ? { error: 'x' } : { result: 1 }, {
        time: i,
      });
      states.push(history.state());
    }
    expect(states.map((state) => state.history.length)).toEqual([0, 1, 2, 3]);
    expect(states[2].history).toEqual([
      { name: 'pay', arguments: { amount: 0 }, failed: false, time: 0 },
      { name: 'pay', arguments: { amount: 1 }, failed: true, time: 1 },
    ]);
    history.reset();
    expect([history.state().history.length, states[3].history.length]).toEqual([0, 3]);
  });
});
