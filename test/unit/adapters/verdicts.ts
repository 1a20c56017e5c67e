import type { Verdict } from '../../../bindings/runtime/enforcement/index.js';
import { createProposal, type GuardProposal } from '../../../bindings/runtime/guard/index.js';

/** A verdict that lets a call of `pay` run, changed as given; `found` is what the guard found. */
export function verdict(change: Partial<Verdict> = {}, found: Partial<GuardProposal> | null = {}): Verdict {
  const call = { id: 'c1', name: 'pay', arguments: { card: 'secret' } };
  const step = {
    ...createProposal(),
    decision: 'allow',
    risk: 0.02,
    lower: 0.01,
    upper: 0.02,
    ...found,
  } as const;
  return {
    call,
    number: 3,
    decision: 'allow',
    reason: 'below-threshold',
    rule: 'paysOnce',
    run: call,
    message: null,
    ends: false,
    inspection: null,
    step: found === null ? null : step,
    explanation: 'The risk is low.',
    wouldDecide: 'allow',
    ...change,
  };
}

/** A verdict on a tool that nobody declared. */
export const unknownTool = (name: string): Verdict =>
  verdict(
    {
      call: { id: 'c2', name, arguments: {} },
      decision: 'stop',
      wouldDecide: 'stop',
      reason: 'unknown-tool',
      rule: '',
      run: null,
    },
    null,
  );
