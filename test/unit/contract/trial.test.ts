import { describe, expect, it } from 'vitest';
import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import { ContractTrial, readContracts } from '../../../bindings/proofs/contract/index.js';

const contracts = readContracts(`version: 1
stores: { files: { key: path } }
tools:
  pay:
    arguments: { amount: { type: number, minimum: 0 }, note: text?, to: text }
    requires: { limit: 'amount <= 100', noted: 'note == null || size(note) > 2' }
    result: { fields: { left: number } }
    ensures: 'result.left >= 0'
  find: { arguments: { pattern: { format: glob }, path: path }, requires: 'glob(path, pattern)', result: text }
  idle: {}
`);

/** A run of calls with their outcomes, as a session records it. */
function runOf(
  id: string,
  ...calls: readonly (readonly [
    name: string,
    given: object | undefined,
    outcome?: unknown,
    failed?: boolean,
  ])[]
): Trace {
  const steps: Step[] = [];
  let state: Record<string, unknown> = { lastTool: '', lastToolFailed: false, lastResult: null };
  for (const [name, given, outcome, failed = false] of calls) {
    steps.push({
      state,
      action: given === undefined ? { name } : { name, arguments: given as Record<string, unknown> },
    });
    state = { lastTool: name, lastToolFailed: failed, ...(outcome !== undefined && { lastResult: outcome }) };
  }
  return { id, steps: [...steps, { state }] };
}

function reportOf(...traces: readonly Trace[]) {
  const trial = new ContractTrial(contracts);
  for (const trace of traces) trial.add(trace);
  const report = trial.report();
  const of = (tool: string, kind: string, name: string | null = null) =>
    report.counts.find((count) => count.tool === tool && count.kind === kind && count.name === name)!;
  return { ...report, of };
}

describe('contracts on recorded calls', () => {
  it('are counted by part, with the first call that breaks each', () => {
    const { of, calls, traces } = reportOf(
      runOf(
        'a',
        ['pay', { amount: 50, to: 'x' }, { left: 1 }],
        ['pay', { amount: 200, to: 'x', note: 'ab' }, { left: -1 }],
      ),
      runOf(
        'b',
        ['pay', { amount: 300, to: 'y' }, { left: 'none' }],
        ['pay', { amount: -1, to: 'y', more: 1 }, { left: 3 }],
      ),
    );
    expect({ calls, traces }).toEqual({ calls: 4, traces: 2 });
    expect(of('pay', 'requires', 'limit')).toMatchObject({
      calls: 4,
      broken: 2,
      first: { trace: 'a', step: 1, text: 'it does not hold', arguments: { amount: 200 } },
    });
    expect(of('pay', 'requires', 'noted')).toMatchObject({ calls: 4, broken: 1 });
    expect(of('pay', 'arguments')).toMatchObject({
      calls: 4,
      broken: 1,
      first: {
        trace: 'b',
        step: 1,
        text: 'amount should be a number from 0 up, and is a number outside of these bounds',
      },
    });
    expect(of('pay', 'result')).toMatchObject({
      calls: 4,
      broken: 1,
      first: { text: 'result.left should be a number, and is a text' },
    });
    expect(of('pay', 'ensures', 'ensures')).toMatchObject({ calls: 4, broken: 2 });
  });

  it('are not judged by what is not recorded', () => {
    const { of, unlisted } = reportOf(
      runOf(
        'a',
        ['pay', { amount: 1, to: 'x' }, 'out of money', true],
        ['pay', { amount: 1, to: 'x' }],
        ['pay', undefined, { left: 1 }],
        ['other', {}, 1],
      ),
    );
    expect(of('pay', 'requires', 'limit').calls).toBe(2);
    expect(of('pay', 'result').calls).toBe(0);
    expect(of('idle', 'arguments').calls).toBe(0);
    expect(unlisted).toEqual(new Map([['other', 1]]));
  });

  it('judge patterns that are arguments, and no text that was read as data', () => {
    const { of } = reportOf(
      runOf(
        'a',
        ['find', { pattern: '*.txt', path: 'a.txt' }, { parsed: true }],
        ['find', { pattern: '*.txt', path: 'a.md' }, 'x'],
        ['find', { pattern: '*.txt', path: '../a.txt' }],
      ),
    );
    expect(of('find', 'requires', 'requires')).toMatchObject({ calls: 3, broken: 2 });
    expect(of('find', 'result')).toMatchObject({ calls: 1, broken: 0 });
    expect(of('find', 'arguments')).toMatchObject({
      broken: 1,
      first: { text: 'path should be a path, and is a text that is none' },
    });
  });

  it('count a missing and an undeclared argument, and a condition without a value', () => {
    const { of } = reportOf(
      runOf('a', ['pay', { to: 'x' }]),
      runOf('b', ['pay', { amount: 1, to: 'x', bcc: 'y' }]),
    );
    expect(of('pay', 'arguments')).toMatchObject({ broken: 2, first: { text: 'amount is missing' } });
    expect(of('pay', 'requires', 'limit').first!.text).toContain('it has no value');
  });
});
