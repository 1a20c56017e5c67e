import '../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  abstractRuns,
  type PredicateRole,
  redundantPredicates,
} from '../../../bindings/study/diagnosis/index.js';

const specification = parseSpecification(
  `version: 1
predicates: { bad: bad, coin: coin, icy: icy, alone: alone }
constraints: { transition: '!(from.alone && !to.alone)' }
rules: { whole: { formula: 'G !bad', threshold: 0.3 } }
`,
  { source: 'walk.yaml' },
);

/** A step, and another, which is bad, after 0.1 of them, or 0.5 where it is icy. A coin is thrown before and means nothing. */
function walks(runs: number, seed: number): Trace[] {
  return Array.from({ length: runs }, (_, i) => {
    const random = new Random(seed, i);
    const first = { bad: false, icy: random.chance(0.5), coin: random.chance(0.5), alone: true };
    const bad = { bad: true, icy: false, coin: false, alone: true };
    const states = random.chance(first.icy ? 0.5 : 0.1) ? [first, bad] : [first];
    return { id: `${i}`, steps: states.map((state) => ({ state })) };
  });
}

async function rolesOf(runs: number, seed: number): Promise<Record<string, PredicateRole>> {
  const roles = await redundantPredicates(
    specification,
    await abstractRuns(specification, walks(runs, seed)),
  );
  return Object.fromEntries(roles.map((role) => [role.name, role]));
}

describe('a predicate that no rule reads', () => {
  it('can be dropped where it changes no risk, on enough runs, and stays where it does', async () => {
    const { bad, coin, icy, alone } = await rolesOf(3000, 1);
    expect(bad).toMatchObject({ readBy: 'rule "whole"', evidence: null, verdict: 'keep' });
    expect(alone).toMatchObject({ readBy: 'constraints.transition', verdict: 'keep' });
    expect(coin.verdict).toBe('drop');
    const { compared, overlapping, merged, within, largestChange, supported, foretells } = coin.evidence!;
    expect(compared).toBeGreaterThan(0);
    expect(overlapping).toBe(compared);
    expect(within).toBe(merged);
    expect(largestChange).toBeLessThan(0.05);
    expect(supported).toBe(1);
    expect(foretells.pValue).toBeGreaterThan(0.05);
    expect(icy.verdict).toBe('keep');
    expect(icy.evidence!.overlapping).toBeLessThan(icy.evidence!.compared);
    expect(icy.evidence!.foretells.pValue).toBeLessThan(0.001);
  });

  it('is left undecided on too few runs', async () => {
    const { coin } = await rolesOf(60, 2);
    expect(coin.verdict).toBe('undecided');
    expect(coin.evidence!.supported).toBeLessThan(0.9);
  });
});
