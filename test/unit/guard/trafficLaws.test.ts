import '../../../bindings/solvers/kernel/inline.js';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard, riskTable } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { replay } from '../../../bindings/study/evaluation/index.js';
import { driveTrace, drivingScenarios } from '../../../worlds/src/index.js';
import { sharedData } from '../../shared.js';

type Variables = Readonly<Record<string, number>>;

/** The laws as a person reads them: what asks, what answers, and within how many steps. */
const read: Record<
  string,
  { asks: (s: Variables) => boolean; answers: (s: Variables) => boolean; steps: number }
> = {
  rule51_5: {
    asks: (s) =>
      s.trafficLightAheadcolor === 1 &&
      (s.stoplineAhead <= 2 || s.junctionAhead <= 2 || s.NPCAheadAhead <= 0.5),
    answers: (s) => s.speed < 0.5,
    steps: 2,
  },
  rule53: {
    asks: (s) =>
      s.isTrafficJam === 1 && (s.NPCAheadspeed < 0.5 || s.NPCAheadAhead <= 0.5 || s.junctionAhead <= 1),
    answers: (s) => s.speed < 0.5,
    steps: 200,
  },
};

/** The first step that nothing can repair, by hand. */
function brokenAt(law: string, states: readonly Variables[]): number | null {
  const { asks, answers, steps } = read[law];
  const asked = states.findIndex(
    (s, i) =>
      asks(s) && i + steps < states.length && !states.slice(i, i + steps + 1).some((later) => answers(later)),
  );
  return asked < 0 ? null : asked + steps;
}

sharedData('traffic-laws/laws.json', (path) => {
  const laws: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));

  it.each([
    ['rule51_5', 'red-light-in-snow'],
    ['rule53', 'traffic-jam'],
  ])(
    '%s, pasted into a specification without predicates, goes all the way to a replay',
    async (law, name) => {
      const specification = parseSpecification(`
version: 1
rules:
  ${law}:
    formula: >-
      ${laws[law]}
    minimumSafe: 0.7
    strategy: { replace: brake }
learning: { smoothing: 0 }
`);
      const scenario = drivingScenarios.find((one) => one.name === name)!;
      const drives = Array.from({ length: 60 }, (_, seed) => driveTrace(scenario, { seed }));
      const { model } = await learn(
        new Abstraction(specification.abstraction),
        drives,
        specification.learning,
      );
      const [table] = riskTable(specification, model).rules;
      expect(table.start.lower).toBeGreaterThan(0);
      expect(table.start.upper).toBeLessThan(1);
      const { traces } = await replay(compileGuard(specification, model), drives);
      const found = traces.map(({ rules }) => rules[law].violatedAt);
      expect(found).toEqual(
        drives.map(({ steps }) =>
          brokenAt(
            law,
            steps.map(({ state }) => state as Variables),
          ),
        ),
      );
      expect(found.filter((step) => step !== null).length).toBeGreaterThan(0);
      expect(found).toContain(null);
    },
  );
});
