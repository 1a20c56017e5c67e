import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learn } from '../../bindings/estimation/learning/index.js';
import { bindAutomaton, SATISFIED, VIOLATED } from '../../bindings/languages/automaton/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import {
  RESAMPLE_POLICIES,
  type ResamplePolicy,
  resample,
  type Step,
} from '../../bindings/observations/trace/index.js';
import { complement } from '../../bindings/rules/risk/complement.js';
import {
  type ConditionalProbability,
  compileGuard,
  probabilityGiven,
} from '../../bindings/rules/risk/index.js';
import { openLearnt, stateFinder } from '../../bindings/rules/risk/learntChain.js';
import { givenPrefixes } from '../../bindings/rules/risk/probabilityGiven.js';
import { solveRules } from '../../bindings/rules/risk/ruleRisk.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard } from '../../bindings/runtime/guard/index.js';
import { below } from './actionWorlds.js';
import { breaksEarly, fillings, pick, runOf } from './gapRuns.js';

const stateOf = (v: number) => ({ a: (v & 1) === 1, b: (v & 2) === 2 });
const valuationOf = ({ state }: Step) => Number(state.a) + 2 * Number(state.b);

function drawRule(random: Random): string {
  // That p holds never means that q does: else nothing could break some of the rules.
  const p = pick(random, ['a', '!a', '(a | b)']);
  const [q, r] = [0, 1].map(() => pick(random, ['b', '!b', '(a & !b)']));
  const k = below(random, 4);
  const formula = pick(random, [
    `G ${p}`,
    `G (${p} -> F<=${k} ${q})`,
    `G (${p} -> F[0s,${k}s] ${q})`,
    `G (${p} -> X ${q})`,
    `${p} U ${q}`,
    `F ${p}`,
    `${p} -> X X ${q}`,
    `G (${p} -> O<=${k} ${q})`,
    `G (${p} -> (${q} S ${r}))`,
  ]);
  if (random.next() < 0.15) return `{ formula: 'P<0.5 [ F<=${k} ${p} ]', strategy: report }`;
  const horizon = random.next() < 0.3 ? `, horizonSteps: ${1 + below(random, 4)}` : '';
  return `{ formula: '${formula}', threshold: 0.37, strategy: report${horizon} }`;
}

/** A chain and a rule at random; some valuations may be none of its states, and some states may never be left in the data. */
async function world(random: Random, policy: ResamplePolicy) {
  const specification = parseSpecification(`version: 1
predicates: { a: 'a', b: 'b' }
rules: { rule: ${drawRule(random)} }
samplingPeriod: 1s
resample: ${policy}
learning: { smoothing: ${pick(random, [0, 0.5])} }`);
  const valuations = random.next() < 0.5 ? 4 : 3;
  const traces = Array.from({ length: 8 }, (_, id) => ({
    id: String(id),
    complete: random.next() < 0.8,
    steps: Array.from({ length: 1 + below(random, 6) }, (_, time) => ({
      state: stateOf(id === 0 && time === 0 ? 3 : below(random, valuations)),
      time,
    })),
  }));
  const abstraction = new Abstraction(specification.abstraction);
  const { model } = await learn(abstraction, traces, specification.learning);
  return {
    specification,
    file: compileGuard(specification, model),
    once: (prefix: readonly Step[]) => probabilityGiven(specification, model, 'rule', prefix),
    // The same, solved once for all prefixes of a world.
    given: givenPrefixes(specification, model, 'rule'),
    ...plainly(specification, model),
  };
}

/** What holds after steps a period apart, by plain steps of the automaton. */
function plainly(...[specification, model]: Parameters<typeof openLearnt>) {
  const view = openLearnt(specification, model);
  const [{ evaluation, automaton, lower, upper }] = solveRules(specification, view);
  const stepper = bindAutomaton(automaton, ['a', 'b']);
  const find = stateFinder(view);
  const valuations = Array.from({ length: 4 }, (_, v) => Uint32Array.of(v));
  const found = new Map<number, ConditionalProbability>();
  // What holds depends on the last valuation and on where the automaton is: many words come to the same.
  const plain = (word: readonly number[], isKnown = true): ConditionalProbability => {
    let q = automaton.initial;
    for (const v of word) if (evaluation === 'trace') q = stepper.step(q, valuations[v], 0);
    const last = word[word.length - 1];
    const key = 8 * q + 2 * last + Number(isKnown);
    const known = found.get(key) ?? after(q, valuations[last], isKnown);
    found.set(key, known);
    return known;
  };
  const after = (q: number, last: Uint32Array, isKnown: boolean): ConditionalProbability => {
    const state = find(last);
    const entry = state * automaton.states + q;
    const verdict = automaton.verdict[q];
    const risk =
      isKnown && state > 0
        ? { lower: lower[entry], upper: upper[entry] }
        : { lower: Number(verdict === VIOLATED), upper: Number(verdict !== SATISFIED) };
    return { ...complement(risk), state: state - 1, automatonState: q, draws: view.draws[state] };
  };
  return { plain };
}

/** Steps at random times: on time, early, at the time before, after a gap, out of order, or without a time. */
function drawPrefix(random: Random): Step[] {
  let time = 5;
  return Array.from({ length: 1 + below(random, 8) }, (_, i) => {
    const state = stateOf(below(random, 4));
    const kind = random.next();
    if (i > 0 && kind < 0.15) time++;
    if (kind < 0.15) return { state };
    if (i > 0 && kind > 0.2) time += pick(random, [1, 1, 1, 1, 1, 1.05, 0.4, 0, 2, 3.3, 5]);
    if (kind > 0.97) time += pick(random, [-0.7, -3, 200, -200]);
    return { state, time: kind < 0.17 ? Number.NaN : time };
  });
}

const CASES = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('the probability given a prefix', () => {
  it('a period apart, or without times, is that of plain steps, to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(CASES, fc.constantFrom(...RESAMPLE_POLICIES), async (seed, policy) => {
        const random = new Random(seed);
        const { once, plain } = await world(random, policy);
        for (let i = 0; i < 8; i++) {
          const word = Array.from({ length: 1 + below(random, 7) }, () => below(random, 4));
          const untimed = random.next() * 0.5;
          const prefix = word.map((v, time) => ({
            state: stateOf(v),
            ...(random.next() >= untimed && { time: 7 + time }),
          }));
          expect(once(prefix)).toStrictEqual(plain(word));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('under hold and skip is that of plain steps as traces are resampled', async () => {
    const count = { changed: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(CASES, fc.constantFrom('hold', 'skip'), async (seed, policy) => {
        const random = new Random(seed);
        const { given, plain } = await world(random, policy);
        for (let i = 0; i < 8; i++) {
          const prefix = drawPrefix(random);
          let steps: readonly Step[];
          try {
            if (prefix.some(({ time }) => Number.isNaN(time))) throw new Error('a trace has no such time');
            ({ steps } = resample(prefix, { seconds: 1, tolerance: 0.1, resample: policy }));
          } catch {
            count.refused++;
            continue;
          }
          if (steps !== prefix) count.changed++;
          expect(given(prefix)).toStrictEqual(plain(steps.map(valuationOf)));
        }
      }),
      { numRuns: 60 },
    );
    expect(count.changed).toBeGreaterThan(60);
    expect(count.refused).toBeGreaterThan(20);
  });

  it('is 1 - the risk that a guard finds, which alone lets go of a doubt', async () => {
    const count = { certain: 0, unknown: 0, lost: 0, doubted: 0 };
    await fc.assert(
      fc.asyncProperty(CASES, fc.constantFrom(...RESAMPLE_POLICIES), async (seed, policy) => {
        const random = new Random(seed);
        const { given, file } = await world(random, policy);
        const guard = createGuard(file);
        for (let i = 0; i < 20; i++) {
          guard.reset();
          let isLost = false;
          let isAnywhere = false;
          const prefix = drawPrefix(random);
          prefix.forEach((step, n) => {
            const { lower, upper } = guard.step(step.state, step);
            const { fault } = guard.rules[0];
            isLost ||= guard.observation.lost !== 0;
            isAnywhere ||= guard.observation.lost === 'anywhere';
            const found = given(prefix.slice(0, n + 1));
            const [least, most] = [1 - found.upper, 1 - found.lower];
            // A guard counts a doubt as risk 1 only at the first step after the gap.
            const isLetGo = isLost && most === 1;
            expect(found.state).toBe(guard.observation.state);
            // A guard file keeps six digits, rounded outward.
            const isSame = (exact: number, rounded: number) => Math.abs(exact - rounded) < 2e-6;
            if (isAnywhere && guard.rules[0].violated) {
              // Decided on steps without a time, before a gap showed that they may have come later.
              expect(most).toBe(1);
              return;
            }
            if (fault === 'unknown-state' && found.state >= 0) {
              expect(found.draws).toBe(0);
              expect([lower <= least, most <= upper || isLetGo]).toEqual([true, true]);
              return;
            }
            if (fault === 'irregular-time') count.unknown++;
            if (isLost) count.lost++;
            else count.certain++;
            expect(isSame(least, lower)).toBe(true);
            if (isSame(most, upper)) return;
            count.doubted++;
            expect(isLetGo, `${isLost}, ${most}`).toBe(true);
          });
        }
      }),
      // The guard lets go of a doubt in a state that was never left in the data; and is in one after it has decided on steps without a time.
      {
        numRuns: 60,
        examples: [
          [255575557, 'error'],
          [1667088276, 'error'],
        ],
      },
    );
    expect(count.certain).toBeGreaterThan(400);
    for (const seen of Object.values(count)) expect(seen).toBeGreaterThan(20);
  });

  it('bounds all ways to fill the steps that are missing, and no more where their place is known', async () => {
    const count = { exact: 0, unknown: 0, wide: 0, several: 0 };
    await fc.assert(
      fc.asyncProperty(
        CASES,
        fc.constantFrom('error', 'error', 'error', 'hold', 'skip'),
        async (seed, policy) => {
          const random = new Random(seed);
          const { given, plain } = await world(random, policy);
          for (let i = 0; i < 8; i++) {
            const run = runOf(random, policy, String(i));
            const { missing, trace } = run;
            if (missing.every((lost) => lost === 0)) continue;
            const found = given(trace.steps);
            const isKnown = missing[missing.length - 1] === 0;
            const all = fillings(run).map((word) => plain(word, isKnown));
            const states = new Set(all.map(({ automatonState }) => automatonState));
            const lower = Math.min(...all.map((one) => one.lower));
            const upper = Math.max(...all.map((one) => one.upper));
            const isBroken = (word: readonly number[]) => plain(word, false).upper === 0;
            if (found.upper === 0 && breaksEarly(run, isBroken)) continue;
            if (missing.includes('anywhere')) {
              count.wide++;
              expect([found.lower <= lower, upper <= found.upper]).toEqual([true, true]);
              continue;
            }
            if (isKnown) count.exact++;
            else count.unknown++;
            if (states.size > 1) count.several++;
            expect(found).toMatchObject({ lower, upper });
            expect(found.automatonState).toBe(states.size > 1 ? -1 : [...states][0]);
          }
        },
      ),
      { numRuns: 80 },
    );
    for (const seen of Object.values(count)) expect(seen).toBeGreaterThan(10);
  });
});
