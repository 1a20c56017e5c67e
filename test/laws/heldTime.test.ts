import fc from 'fast-check';
import { expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learn } from '../../bindings/estimation/learning/index.js';
import { bindAutomaton, buildAutomaton, VIOLATED } from '../../bindings/languages/automaton/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { resample, type Step } from '../../bindings/observations/trace/index.js';
import { compileGuard, probabilityGiven } from '../../bindings/rules/risk/index.js';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard, type RecordedStep } from '../../bindings/runtime/guard/index.js';
import { replay } from '../../bindings/study/evaluation/index.js';
import { robustness } from '../../bindings/study/robustness/index.js';
import { below } from './actionWorlds.js';
import { pick } from './gapRuns.js';

/** The predicates in CEL, and what each is of a step in plain JavaScript. */
interface State {
  readonly x: number;
  readonly due: number;
  readonly lead: { readonly seen: readonly number[] };
}
const PREDICATES = {
  late: ['time >= 3.5', (_: State, time: number) => time >= 3.5],
  high: ['x > 0.5', ({ x }: State) => x > 0.5],
  overdue: ['time > due', ({ due }: State, time: number) => time > due],
  stale: ['time - lead.seen[0] > 1.5', ({ lead }: State, time: number) => time - lead.seen[0] > 1.5],
} as const;
const NAMES = Object.keys(PREDICATES) as (keyof typeof PREDICATES)[];

const FORMULAS = [
  'G !(late & high)',
  'G (high -> F<=2 overdue)',
  'G (overdue -> X high)',
  'G !(stale & high & !overdue)',
  'G (stale -> O<=1 high)',
  '!late U high',
  'G (late -> (high S overdue))',
];

/** Steps at whole seconds, some of them missing, as they are and as they are held: a missing step repeats the one before it, at its own time. */
function draw(random: Random): { readonly steps: Step[]; readonly held: (State & { time: number })[] } {
  const steps: (Step & { time: number })[] = [];
  const held: (State & { time: number })[] = [];
  let time = 0;
  for (let i = 1 + below(random, 5); i > 0; i--) {
    const state = {
      x: below(random, 2),
      due: below(random, 9) + 0.5,
      lead: { seen: [time - below(random, 3)] },
    };
    const gap = pick(random, [1, 1, 2, 4]);
    steps.push({ state, time });
    for (let k = 0; k < (i > 1 ? gap : 1); k++) held.push({ ...state, time: time + k });
    time += gap;
  }
  return { steps, held };
}

const valuationOf = (step: State & { time: number }): number =>
  NAMES.reduce((word, name, i) => word | (PREDICATES[name][1](step, step.time) ? 1 << i : 0), 0);

it('held steps have the time when they were due, for guards, records, replay, learning, probabilities and margins alike', async () => {
  const count = { violated: 0, kept: 0, whileHeld: 0, changed: 0, events: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 - 1 }), async (seed) => {
      const random = new Random(seed);
      const formula = pick(random, FORMULAS);
      const specification = parseSpecification(`version: 1
samplingPeriod: 1s
resample: hold
predicates: { ${NAMES.map((name) => `${name}: '${PREDICATES[name][0]}'`).join(', ')} }
rules:
  rule: { formula: '${formula}', threshold: 0.37 }
learning: { smoothing: 0 }`);
      const withEvent = parseSpecification(`version: 1
samplingPeriod: 1s
resample: hold
predicates: { ${NAMES.map((name) => `${name}: '${PREDICATES[name][0]}'`).join(', ')} }
rules: { event: { formula: 'P<0.9 [ F (late & high & !overdue) ]', strategy: report } }
learning: { smoothing: 0 }`);
      const runs = Array.from({ length: 6 }, () => draw(random));
      const traces = runs.map(({ steps }, id) => ({ id: String(id), steps }));
      const abstraction = new Abstraction(specification.abstraction);
      const { model, report } = await learn(abstraction, traces, specification.learning);
      const seen = new Set(runs.flatMap(({ held }) => held.map(valuationOf)));
      expect(report.states.seen).toBe(seen.size);
      const found = await replay(compileRules(specification), traces);
      const events = await replay(compileGuard(withEvent, model), traces);
      const automaton = buildAutomaton(specification.rules[0].formula, {
        samplingPeriod: specification.samplingPeriod,
      });
      const stepper = bindAutomaton(automaton, abstraction.predicates);
      for (const [i, { steps, held }] of runs.entries()) {
        expect(resample(steps, { seconds: 1, tolerance: 0.1, resample: 'hold' }).steps).toHaveLength(
          held.length,
        );
        const guards = [compileRules(specification), compileGuard(specification, model)].map(createGuard);
        const records: RecordedStep[][] = [[], []];
        // One object for all observations: what it said before is gone when steps turn out to be missing.
        const state: { [field: string]: unknown; lead: { seen: unknown } } = { lead: { seen: [] } };
        let q = automaton.initial;
        let violatedAt: number | null = null;
        let next = 0;
        steps.forEach((step, n) => {
          const { x, due, lead } = step.state as unknown as State;
          Object.assign(state, { x, due });
          state.lead.seen = [...lead.seen];
          for (; next < held.length && held[next].time <= (step.time ?? 0); next++) {
            q = stepper.step(q, Uint32Array.of(valuationOf(held[next])), 0);
            if (violatedAt === null && automaton.verdict[q] === VIOLATED) violatedAt = next;
          }
          guards.forEach((guard, g) => {
            guard.step(state, { time: step.time });
            records[g].push(guard.observed());
            expect(guard.rules[0].violated).toBe(violatedAt !== null);
            if (violatedAt === null) expect(guard.rules[0].automatonState).toBe(q);
            else expect(guard.history.decidedAt(0)).toBe(violatedAt);
          });
          const given = probabilityGiven(specification, model, 'rule', steps.slice(0, n + 1));
          expect(given.automatonState).toBe(q);
          if (violatedAt !== null) expect(given.upper).toBe(0);
        });
        if (records[0].some(({ heldAs }) => heldAs !== undefined)) count.changed++;
        // What was recorded decides as before, after a way through JSON.
        guards.forEach((guard, g) => {
          const again = createGuard(guard.file);
          for (const record of records[g]) again.decideAgain(JSON.parse(JSON.stringify(record)));
          expect(again.rules[0].violated).toBe(violatedAt !== null);
          expect(again.rules[0].automatonState).toBe(guard.rules[0].automatonState);
        });
        const isKept = automaton.verdict[q] !== VIOLATED && automaton.accepting[q] === 1;
        const isWeak = specification.rules[0].atEnd === 'weak' && automaton.verdict[q] !== VIOLATED;
        const { verdict, violatedWhileHeld } = found.traces[i].rules.rule;
        expect(verdict).toBe(isKept || isWeak ? 'kept' : 'violated');
        if (violatedWhileHeld) count.whileHeld++;
        if (isKept !== isWeak) {
          // At the end, margins read a formula as it stands.
        } else {
          const { steps: regular } = resample(steps, { seconds: 1, tolerance: 0.1, resample: 'hold' });
          const margin = robustness(specification.rules[0].formula, regular, {
            predicates: specification.abstraction.predicates,
            samplingPeriod: specification.samplingPeriod ?? '1s',
          });
          expect(margin >= 0).toBe(verdict === 'kept');
        }
        const happened = held.some((step) => (valuationOf(step) & 7) === 3);
        expect(events.traces[i].rules.event.verdict).toBe(happened ? 'violated' : 'kept');
        if (happened) count.events++;
        count[verdict === 'kept' ? 'kept' : 'violated']++;
      }
    }),
    { numRuns: 60 },
  );
  for (const many of Object.values(count)) expect(many).toBeGreaterThan(10);
});
