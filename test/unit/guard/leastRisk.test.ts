import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile, type ShieldMode } from '../../../bindings/runtime/guard/index.js';

const step = (place: string, name?: string) => ({
  state: { near: place === 'near', hit: place === 'hit' },
  ...(name !== undefined && { action: { name } }),
});

/**
 * Near, the agent goes 12 times and brakes twice, after which nothing can be hit. Going comes to a hit 8 times of 12 and else leads back to near. So going breaks the rule with
 * 2/3 at least, and with 2/3 + 1/3 · 0.8 = 0.933 if the agent goes on as learnt; near as such with 0 at least, and 0.8 as learnt.
 */
const traces: Trace[] = Array.from({ length: 10 }, (_, i) => ({
  id: String(i),
  steps:
    i < 2
      ? [step('near', 'brake'), step('far')]
      : i < 6
        ? [step('near', 'go'), step('hit')]
        : [step('near', 'go'), step('near', 'go'), step('hit')],
}));
const near = { near: true, hit: false };

async function guardFile(
  shield: ShieldMode,
  rules = 'noHit: { formula: G !hit, threshold: 0.3, strategy: reflect }',
  data: readonly Trace[] = traces,
): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { near: near, hit: hit }
learning: { model: mdp, smoothing: 0 }
shield: ${shield}
rules: { ${rules} }`);
  const { model } = await learnMdp(new Abstraction(specification.abstraction), data, specification.learning);
  return compileGuard(specification, model);
}

const guardOf = async (shield: ShieldMode) => createGuard(await guardFile(shield));

describe('the least risk, where a shield compares it', () => {
  it('is named in explain, with the risk as learnt beside it', async () => {
    const guard = await guardOf('least');
    const refused = guard.propose(near, { name: 'go' });
    expect(refused).toMatchObject({ decision: 'reflect', decidedOn: 'least' });
    expect(guard.explain(refused)).toMatch(
      /^Step 0: reflect\. The least risk of breaking rule "noHit" \(G !hit\) over all ways to go on is 0\.667, certified in \[0\.666, 0\.667\]; reflect from least risk >= 0\.3\. If the agent goes on as learnt, the risk is 0\.933\./,
    );
    // A copy has the risks of the action still.
    expect(guard.explain({ ...refused })).toContain('as learnt, the risk is 0.933.');
  });

  it('is named for a state alone, of which foreguard risk tells another number', async () => {
    const guard = await guardOf('least');
    const alone = guard.step(near);
    expect(alone).toMatchObject({ decision: 'allow', decidedOn: 'least' });
    expect(guard.explain(alone)).toMatch(/The least risk .* is 0, .* as learnt, the risk is 0\.8\./);
    expect(guard.explainStatus('noHit')).toMatch(/The least risk .* is 0, .* as learnt, the risk is 0\.8\./);
    const asLearnt = await guardOf('predict');
    expect(asLearnt.explain(asLearnt.step(near))).toMatch(
      /The risk of breaking rule "noHit" \(G !hit\) is 0\.8\d*, certified in .*; reflect from risk >= 0\.3\. State/,
    );
  });

  it('is told to the agent as what it is', async () => {
    const told = async (shield: ShieldMode) => {
      const session = createSession({
        guard: await guardOf(shield),
        tools: ['go', 'brake'],
        state: () => near,
      });
      return (await session.decide({ id: '1', name: 'go', arguments: {} })).message?.split('\n')[2];
    };
    const asBehaved = 'As you have behaved so far, it will be broken with a probability of 93.3 %.';
    expect(await told('predict')).toBe(asBehaved);
    expect(await told('least')).toBe(
      `${asBehaved} The least risk over all ways to go on is 66.7 %, which is what counts here.`,
    );
    expect(await told('budget')).toBe(
      `${asBehaved} The least risk over all ways to go on is 66.7 %; going on as planned adds more to it than is left of the run's budget.`,
    );
  });

  it('is not compared with a threshold under a budget, and explain says so', async () => {
    const guard = await guardOf('budget');
    const braking = guard.step(near, { action: { name: 'brake' } });
    expect(braking).toMatchObject({ decision: 'allow', reason: 'below-threshold', decidedOn: 'least' });
    expect(guard.explain(braking)).toMatch(
      /^Step 0: allow\. The least risk of breaking rule "noHit" \(G !hit\) over all ways to go on is 0, certified in \[0, 0\]; compared is not this, but what an action adds to it, with what is left of the run's budget of 0\.3\. If the agent goes on as learnt, the risk is 0\. State/,
    );
    const going = guard.propose(near, { name: 'go' });
    expect(going.reason).toBe('over-budget');
    expect(guard.explain(going)).toMatch(
      /This action would add more to the least risk .* its own least risk over all ways to go on is 0\.667, certified in \[.*\]\. If the agent goes on as learnt, the risk is 0\.933\./,
    );
  });

  it('may be above the threshold under a budget that allows an action, and explain does not contradict itself', async () => {
    // One drive in four comes near, where half of what is done hits: 0.125 from the start.
    const drives = Array.from({ length: 40 }, (_, i): Trace => {
      const after = i % 4 > 0 ? [step('far')] : [step('near', 'go'), step(i % 8 === 0 ? 'hit' : 'far')];
      return { id: String(i), steps: [step('far', 'drive'), ...after] };
    });
    const guard = createGuard(await guardFile('budget', undefined, drives));
    guard.step({ near: false, hit: false }, { action: { name: 'drive' } });
    const going = guard.step(near, { action: { name: 'go' } });
    expect(going.decision).toBe('allow');
    expect(going.risk).toBeGreaterThan(0.3);
    const words = guard.explain(going);
    expect(words).toMatch(
      /^Step 1: allow\. The least risk .*; compared is not this, but what an action adds to it/,
    );
    expect(words).not.toMatch(/risk >=|from risk/);
  });

  it('is named of doing nothing, which is judged beside what is refused', async () => {
    const idle = Array.from({ length: 5 }, (_, i) => ({
      id: `idle ${i}`,
      steps: [step('near'), step('near', 'brake'), step('far')],
    }));
    const guard = createGuard(await guardFile('least', undefined, [...traces, ...idle]));
    expect(guard.explain(guard.propose(near, { name: 'go' }))).toMatch(
      /The least risk of doing nothing, or of ending the run, is at most 0, and 0\.\d{1,3} if the agent goes on as learnt; it is permitted\./,
    );
  });

  it('is named in the question to a person, of every rule that a yes overrules', async () => {
    const rules = `noHit: { formula: G !hit, threshold: 0.3, strategy: inspect }, other: { formula: 'G !(near & hit | hit)', threshold: 0.3, strategy: inspect }`;
    const session = createSession({
      guard: createGuard(await guardFile('least', rules)),
      tools: ['go', 'brake'],
      state: () => near,
    });
    const { inspection } = await session.decide({ id: '1', name: 'go', arguments: {} });
    expect(inspection?.question).toMatch(
      /The least risk of breaking rule "noHit" .* as learnt, the risk is 0\.933\./,
    );
    expect(inspection?.question).toMatch(/A yes also overrules "other" \(inspect, least risk 0\.667\)\./);
  });
});

describe('a rule that names no strategy', () => {
  it.each([
    ['predict', 'block', 'not permitted from risk >= 0.3'],
    ['least', 'block', 'not permitted from least risk >= 0.3'],
  ] as const)('names no other than the one that %s chose', async (shield, decision, compared) => {
    const guard = createGuard(await guardFile(shield, 'noHit: { formula: G !hit, threshold: 0.3 }'));
    const refused = guard.propose(near, { name: 'go' });
    expect(refused).toMatchObject({ decision, reason: 'at-threshold' });
    expect(guard.explain(refused)).toContain(`; ${compared}.`);
    expect(guard.explain(refused)).not.toContain('stop from');
    const allowed = guard.propose(near, { name: 'brake' });
    expect(allowed.decision).toBe('allow');
    expect(guard.explain(allowed)).toContain(`; ${compared}.`);
  });

  it('stops the run for a state alone, and says so', async () => {
    const guard = createGuard(await guardFile('predict', 'noHit: { formula: G !hit, threshold: 0.3 }'));
    const alone = guard.step(near);
    expect(alone.decision).toBe('stop');
    expect(guard.explain(alone)).toContain('; stop from risk >= 0.3.');
  });
});
