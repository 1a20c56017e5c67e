import { expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard, severity } from '../../../bindings/runtime/guard/index.js';

/** In front of an obstacle on ice: of a hundred, how many hit it by each action. */
const HITS = { none: 100, brake: 60, swerve: 50, turn: 1 };
const far = { near: false, hit: false };
const near = { near: true, hit: false };

it('a replacement is named and not judged; `propose` judges it, and charges it', async () => {
  const specification = parseSpecification(`version: 1
shield: budget
onIdle: brake
learning: { model: mdp, smoothing: 0 }
predicates: { near: near, hit: hit }
rules: { noHit: { formula: 'G !hit', threshold: 0.2, strategy: { replace: brake } } }`);
  const traces = Object.entries(HITS).flatMap(([name, hits]) =>
    Array.from({ length: 100 }, (_, i) => ({
      id: `${name} ${i}`,
      steps: [
        { state: far, action: { name: 'go' } },
        { state: near, ...(name !== 'none' && { action: { name } }) },
        { state: { near: false, hit: i < hits } },
      ],
    })),
  );
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  const guard = createGuard(compileGuard(specification, model));
  for (const proposed of ['swerve', null]) {
    guard.reset();
    guard.step(far, { action: { name: 'go' } });
    const found = proposed === null ? guard.idle(near) : guard.step(near, { action: { name: proposed } });
    expect([found.decision, found.action]).toEqual(['replace', 'brake']);
    const judged = guard.propose(near, { name: 'brake' });
    expect(judged.risk).toBeCloseTo(0.6);
    expect(severity[judged.decision]).toBeGreaterThan(severity.report);
    const turn = guard.propose(near, { name: 'turn' });
    expect([turn.decision, turn.risk]).toEqual(['allow', expect.closeTo(0.01)]);
  }
});
