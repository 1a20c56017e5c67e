import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learn, learnMdp } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Step, Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard, type GuardFile, openTables } from '../../bindings/runtime/guard/index.js';

/** States 0..3 and 4, which is bad, told apart by three bits. */
export const BAD = 4;
const STATES = BAD + 1;

export const specificationOf = (shield: string, rule: string, smoothing = 0) =>
  parseSpecification(`version: 1
predicates: { one: 'x == 1 || x == 3', two: 'x == 2 || x == 3', bad: 'x == 4' }
rules: { safe: ${rule} }
shield: ${shield}
learning: { model: mdp, smoothing: ${smoothing} }`);

/** Runs of an agent in a world drawn from a seed: three actions, of which some are not there in some states; runs end by themselves. `pauses`: it may also do nothing. */
export function randomRuns(random: Random, count: number, pauses = false): Trace[] {
  const choices = pauses ? 4 : 3;
  // In half of the worlds nothing is safe.
  const hazard = random.next() < 0.5 ? 0.1 : 0;
  const world = Array.from({ length: BAD }, () =>
    Array.from({ length: choices }, () => {
      const weights = Array.from({ length: STATES + 1 }, (_, t) =>
        random.next() < 0.5 ? random.next() * (t === BAD ? 0.4 : 1) : 0,
      );
      weights[STATES] += 0.3;
      weights[BAD] += hazard;
      return weights;
    }),
  );
  return Array.from({ length: count }, (_, id) => {
    const steps: Step[] = [];
    let x = below(random, BAD);
    for (;;) {
      if (x === BAD || steps.length > 30) {
        steps.push({ state: { x } });
        return { id: String(id), steps };
      }
      const a = below(random, choices);
      steps.push({ state: { x }, ...(a < 3 && { action: { name: 'abc'[a] } }) });
      const next = draw(random, world[x][a]);
      if (next === STATES) return { id: String(id), steps };
      x = next;
    }
  });
}

export function below(random: Random, n: number): number {
  return Math.floor(random.next() * n);
}

export function draw(random: Random, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < weights.length; i++) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return weights.length - 1;
}

export async function guardFileOf(
  seed: number,
  shield: string,
  rule: string,
  smoothing = 0,
  pauses = false,
): Promise<GuardFile> {
  const specification = specificationOf(shield, rule, smoothing);
  const traces = randomRuns(new Random(seed), 60, pauses);
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model);
}

/** A guard whose budget is a little more than the least risk of a run; null where a run has hardly a safe way to go. */
export async function tightGuard(
  seed: number,
): Promise<{ file: GuardFile; start: number; threshold: number } | null> {
  const pauses = seed % 2 === 0;
  const least = createGuard(
    await guardFileOf(seed, 'least', `{ formula: 'G !bad', threshold: 1 }`, 0, pauses),
  );
  const { columns, values } = least.file.actions!.start;
  const [rule] = least.file.rules;
  const { least: table } = openTables(rule);
  const start = columns.reduce((sum, s, i) => sum + values[i] * table!.upper(s, rule.automaton.initial), 0);
  if (start > 0.8) return null;
  const threshold = Number((start + 0.5 * (1 - start) * ((seed % 5) / 5) + 0.01).toFixed(4));
  return {
    file: await guardFileOf(seed, 'budget', `{ formula: 'G !bad', threshold: ${threshold} }`, 0, pauses),
    start,
    threshold,
  };
}

/** The state that a valuation is of. */
export function stateOf({ states }: GuardFile, s: number): { x: number } {
  const bits = states.valuations[s];
  return { x: bits & 4 ? BAD : bits & 3 };
}

/** A chain whose predicates read the action. */
export async function chainGuard(): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { one: 'x == 1 || x == 3', two: 'x == 2 || x == 3', bad: 'x == 4', risky: 'action.name == "b"' }
rules: { safe: { formula: 'G !(bad | risky & one)', threshold: 0.6, strategy: reflect }, twice: { formula: 'G !(risky & X risky)', threshold: 0.9 } }
learning: { smoothing: 1 }`);
  const traces = randomRuns(new Random(9), 80).map(({ id, steps }) => ({
    id,
    steps: steps.map((step) => ({ ...step, action: step.action ?? { name: 'none' } })),
  }));
  const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
  return compileGuard(specification, model);
}
