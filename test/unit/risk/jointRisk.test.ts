import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, KernelError, NotSupportedError } from '../../../bindings/base/errors.js';
import { type JointRuleOptions, jointRisk } from '../../../bindings/rules/risk/index.js';
import { expectFraction } from '../../oracle/brackets.js';
import { learnFor, runs, specify, word } from './learnt.js';

const rules = `samplingPeriod: 0.1s
learning: { smoothing: 0 }
rules:
  noC: { formula: 'G !c', threshold: 0.5 }
  noB: { formula: 'G !b', threshold: 0.5 }
  answered: { formula: 'G (b -> F[0,1] a)', threshold: 0.5, atEnd: weak }
  rare: { formula: 'P<0.5 [ F c ]' }
`;

async function solve(options: JointRuleOptions, traces = runs) {
  const specification = specify(rules);
  return jointRisk(specification, (await learnFor(specification, {}, traces)).model, options);
}

describe('jointRisk', () => {
  it('is the risk that any of the rules is violated, by state and by one automaton state a rule', async () => {
    const risk = await solve({ rules: ['noC', 'noB'], horizons: [1], within: ['250ms'] });
    expect(risk.rules).toEqual(['noC', 'noB']);
    // From a: p = p/4 + 1/2, for b comes before c.
    expectFraction(risk.start, 2, 3);
    expectFraction(risk.startWithin['1'], 1, 2);
    // 250 ms are two steps of 0.1 s: 1/2 + 1/4 * 1/2.
    expectFraction(risk.startWithin['2'], 5, 8);
    const [worst] = risk.worst(1);
    expect(worst).toMatchObject({ state: 0, description: 'a; none of b, c', draws: 12 });
    expect(risk.at(0, worst.automatonStates)).toEqual({ lower: worst.lower, upper: worst.upper });
    expectFraction(worst.horizons!['1'], 1, 2);
    const [noC, noB] = risk.automata;
    const violated = Array.from(noB.verdict).indexOf(1);
    expect(risk.at(0, [noC.initial, violated])).toEqual({ lower: 1, upper: 1 });
    // Having read b, noB cannot be open: nothing is known, not even that nothing happens.
    expect(risk.at(1, [noC.initial, noB.initial])).toEqual({ lower: 0, upper: 1 });
    expect(() => risk.at(0, [0])).toThrow(InvalidArgumentError);
  });

  it('builds on request only what runs come to', async () => {
    const all = await solve({ rules: ['noC', 'answered'] });
    const few = await solve({ rules: ['noC', 'answered'], from: 'start' });
    expect(few.states).toBeLessThan(all.states);
    expect(few.start.lower).toBeLessThanOrEqual(all.start.upper);
    expect(all.start.lower).toBeLessThanOrEqual(few.start.upper);
    // b is answered by a, or the run goes on to c, which both rules mind.
    expectFraction(few.start, 2, 5);
  });

  it('takes all rules where none is named, and refuses those that it cannot take', async () => {
    await expect(solve({})).rejects.toThrow(NotSupportedError);
    await expect(solve({})).rejects.toThrow('rule "rare"');
    await expect(solve({ rules: ['noD'] })).rejects.toThrow('did you mean "noC"');
    await expect(solve({ rules: ['noC', 'noC'] })).rejects.toThrow('named twice');
    await expect(solve({ rules: [] })).rejects.toThrow('at least one rule');
  });

  it('refuses what is too large, with what was found and how much it could be', async () => {
    const error = await solve({ rules: ['noC', 'answered'], maxStates: 3 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(KernelError);
    expect(error.message).toMatch(
      /noC, answered.*maxStates = 3.*all \d+ combinations .* would need about [\d.e-]+ GiB/,
    );
  });

  it('counts what a run comes to in a state without data with 0 to 1', async () => {
    const cut = { ...word('d'), complete: false };
    const { start } = await solve({ rules: ['noC', 'noB'] }, [...runs, cut]);
    expect(start.lower).toBeLessThanOrEqual((2 / 3) * (5 / 6));
    expect(start.upper).toBeGreaterThanOrEqual((2 / 3) * (5 / 6) + 1 / 6);
  });
});
