import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../bindings/proofs/contract/index.js';
import { verifyPlan } from '../../../bindings/proofs/planProof/index.js';
import { readPlan } from '../../../bindings/proofs/workflow/index.js';

const contracts = (to: string) =>
  readContracts(`version: 1
readers: { me: [ann@home.example] }
tools:
  secret: { result: { enum: [p, q], integrity: trusted, readers: nobody }, reads: [], writes: [], consequential: false, observable: nobody }
  open: { result: { enum: [p, q], integrity: trusted, readers: everyone }, reads: [], writes: [], consequential: false, observable: nobody }
  send: { arguments: { to: ${to}, body: { type: text, readers: to } }, observable: to, reads: [], writes: [], consequential: false }
`);

const plan = (source: string, to: string) =>
  readPlan(
    JSON.stringify({
      goal: 'x',
      steps: [
        { id: 'a', call: source, with: {}, as: 's' },
        { id: 'b', call: 'send', with: { to: { expr: to }, body: 'hi' } },
      ],
    }),
  );

const CHOICE = 's == "p" ? "eve@a.example" : "bob@a.example"';

describe('whom a call reaches', () => {
  it.each(['{ type: text }', '{ type: email }', '{ type: text, readers: to }'])(
    'tells of the data that choose it, where the contract has %s',
    (to) => {
      const found = verifyPlan(plan('secret', CHOICE), contracts(to));
      expect(found.verdict).not.toBe('proved');
    },
  );

  it('may be chosen by what everyone may read', () => {
    const found = verifyPlan(plan('open', CHOICE), contracts('{ type: text }'));
    expect(found.verdict).toBe('proved');
  });
});
