import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import {
  agentChain,
  learn,
  learnMdp,
  mixedIdleEffect,
  readLearntMdp,
  stayingRows,
  unseenEffects,
} from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { compileGuard, riskTable } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { checkGuardFile, createGuard } from '../../../bindings/runtime/guard/index.js';

type Place = 'far' | 'near' | 'hit';

const trace = (id: string, ...steps: readonly (readonly [Place, string?])[]): Trace => ({
  id,
  steps: steps.map(([place, name]) => ({
    state: { near: place === 'near', hit: place === 'hit' },
    ...(name !== undefined && { action: { name } }),
  })),
});

/** Doing nothing when near went on ten times, and hit nine times. */
const DRIVES = [
  ...Array.from({ length: 9 }, (_, i) => trace(`hit${i}`, ['far', 'go'], ['near'], ['hit'])),
  trace('lucky', ['far', 'go'], ['near'], ['far', 'go'], ['near', 'brake'], ['far']),
];
/** Recordings that end near, with the car at rest or not. */
const PARKED = Array.from({ length: 90 }, (_, i) =>
  trace(`park${i}`, ['far', 'go'], ['near', 'brake'], ['far', 'go'], ['near']),
);

const specificationOf = (shield: string, rule = `formula: 'G !hit', threshold: 0.3, strategy: block`) =>
  parseSpecification(`version: 1
predicates: { near: near, hit: hit }
rules: { noHit: { ${rule} } }
learning: { model: mdp, smoothing: 0 }
shield: ${shield}
onIdle: brake`);

async function learnt(traces: readonly Trace[]) {
  const { abstraction, learning } = specificationOf('predict');
  return (await learnMdp(new Abstraction(abstraction), traces, learning)).model;
}

/** The guard's word on doing nothing when near. */
async function idleNear(traces: readonly Trace[], shield: string) {
  const guard = createGuard(compileGuard(specificationOf(shield), await learnt(traces)));
  guard.step({ near: false, hit: false }, { action: { name: 'go' } });
  return guard.idle({ near: true, hit: false });
}

describe('doing nothing where most recordings end', () => {
  it.each(['predict', 'least', 'budget'])(
    'is as dangerous as it was where runs went on, under %s',
    async (shield) => {
      const { decision, risks } = await idleNear([...DRIVES, ...PARKED], shield);
      // Nine of ten hit. One goes back to far, where the agent goes on as it did: mostly to an end of the recording.
      expect(decision).toBe('replace');
      expect(risks!.asAgent.lower).toBeGreaterThan(0.9);
      expect(risks!.asAgent.upper).toBeLessThan(0.91);
      expect(risks!.least.lower).toBeCloseTo(0.9, 5);
    },
  );

  it('leaves the risk of the agent as it behaves that of the chain', async () => {
    const model = await learnt([...DRIVES, ...PARKED]);
    const asChain = parseSpecification(`version: 1
predicates: { near: near, hit: hit }
rules: { noHit: { formula: 'G !hit', threshold: 0.3 } }
learning: { smoothing: 0 }`);
    const chain = await learn(new Abstraction(asChain.abstraction), [...DRIVES, ...PARKED], asChain.learning);
    const of = (table: ReturnType<typeof riskTable>) =>
      table.rules[0].entries.map(({ lower, upper }) => [lower, upper]);
    expect(of(riskTable(specificationOf('predict'), agentChain(model)))).toEqual(
      of(riskTable(asChain, chain.model)),
    );
  });

  it.each([
    ['no step went on', [...PARKED, trace('once', ['near', 'brake'], ['far', 'go'], ['hit'])]],
    ['none ended its run', [...DRIVES, trace('rest', ['far', 'go'], ['near', 'brake'], ['hit'])]],
  ])('is judged by the rows of the model where %s', async (_, traces) => {
    const model = await learnt(traces);
    expect(stayingRows(readLearntMdp(model))).toEqual({
      ended: new Float64Array(model.rowStart.length - 1),
      values: Float64Array.from(model.values),
    });
    expect(compileGuard(specificationOf('predict'), model).actions).not.toHaveProperty('idleEnds');
  });

  it('is said with numbers', async () => {
    const mixed = mixedIdleEffect(readLearntMdp(await learnt([...DRIVES, ...PARKED])));
    expect(mixed).toEqual({ draws: 100, changed: 10, ended: 90 });
    expect(unseenEffects([], { draws: 110, changed: 10, ended: 100 }, mixed)).toEqual([
      '90 of 100 steps without an action are ends of recordings, in states in which others went on: what doing nothing leads to there is learnt from the other 10',
    ]);
    expect(unseenEffects([], undefined, mixed)).toEqual([]);
  });

  it('keeps the ends apart in the guard file, which is checked', async () => {
    const file = compileGuard(specificationOf('predict'), await learnt([...DRIVES, ...PARKED]));
    const { idleEnds, taken } = file.actions!;
    expect(idleEnds!.weights).toEqual([0.9]);
    expect(taken.actions[idleEnds!.pairs[0]]).toBe(-1);
    const changed = (ends: object) => () =>
      checkGuardFile({ ...file, actions: { ...file.actions!, idleEnds: { ...idleEnds!, ...ends } } });
    expect(changed({})).not.toThrow();
    const named = taken.actions.findIndex((action) => action >= 0);
    expect(changed({ pairs: [named] })).toThrow(/actions\.idleEnds\.pairs\[0\]/);
    expect(changed({ pairs: [999] })).toThrow(/actions\.idleEnds\.pairs/);
    expect(changed({ weights: [1.5] })).toThrow(/actions\.idleEnds\.weights/);
    expect(changed({ weights: [] })).toThrow(/actions\.idleEnds\.weights/);
  });
});
