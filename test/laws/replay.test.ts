import '../../bindings/solvers/kernel/inline.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../bindings/base/errors.js';
import { Random } from '../../bindings/base/random.js';
import { learn, learnMdp } from '../../bindings/estimation/learning/index.js';
import { bindAutomaton, buildAutomaton, OPEN, VIOLATED } from '../../bindings/languages/automaton/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import { resample, type Step, type Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import {
  type Decision,
  type GuardFile,
  loadGuard,
  meetsThreshold,
  type Reason,
} from '../../bindings/runtime/guard/index.js';
import {
  type AlarmKind,
  detection,
  forecastRuns,
  type Replay,
  replay,
} from '../../bindings/study/evaluation/index.js';
import { below, randomRuns } from './actionWorlds.js';

const FORMULAS = ['G !bad', 'G (one -> X !two)', '!bad U two', 'G (two -> F<=2 !two)', 'F two'];
const STRATEGIES = ['stop', 'block', 'inspect', 'reflect', 'report', '{ replace: wait }'];
const UNKNOWN = ['rule', 'stop', 'block', 'inspect', 'reflect', 'report', 'allow'];
const SHIELDS = ['predict', 'least', 'budget'];

const pick = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)];

/** A specification of one or two rules with levels, whatever may be written in one. */
function specificationText(random: Random): string {
  const model = pick(random, ['dtmc', 'mdp']);
  const onUnknown = pick(random, UNKNOWN);
  const rules = Array.from({ length: 1 + below(random, 2) }, (_, i) => {
    const threshold = pick(random, [0.05, 0.2, 0.5, 0.9]);
    const levels =
      model === 'dtmc' && random.next() < 0.4
        ? `levels: [{ threshold: ${threshold}, strategy: ${pick(random, STRATEGIES)} }, { threshold: 0.95, strategy: stop }]`
        : `${pick(random, [`threshold: ${threshold}`, `minimumSafe: ${1 - threshold}`])}, strategy: ${pick(random, STRATEGIES)}`;
    const reflections = random.next() < 0.5 ? ', maxReflections: 1' : '';
    return `  rule${i}: { formula: '${pick(random, FORMULAS)}', ${levels}${reflections} }`;
  });
  const shield = model === 'mdp' ? pick(random, SHIELDS) : null;
  // A budget does not go with samples that are left out.
  const resamples = random.next() < 0.3 && shield !== 'budget';
  const timed = resamples ? `samplingPeriod: 1s\nresample: ${pick(random, ['hold', 'skip'])}\n` : '';
  return `version: 1
predicates: { one: 'x == 1 || x == 3', two: 'x == 2 || x == 3', bad: 'x == 4' }
rules:
${rules.join('\n')}
${shield === null ? '' : `shield: ${shield}\n`}${timed}onUnknown: ${onUnknown}
${onUnknown === 'allow' || onUnknown === 'report' ? 'unsafeAllowUnknown: true\n' : ''}learning: { model: ${model}, smoothing: ${pick(random, [0, 0.5])} }`;
}

/** Recordings with steps that cannot be read, states and actions without data, and times that jump. */
function recordings(random: Random, runs: readonly Trace[], timed: boolean): Trace[] {
  return runs.map(({ id, steps }) => {
    let time = 0;
    const spoilt = steps.map((step): Step => {
      time += timed ? pick(random, [1, 1, 1, 0.2, 3]) : 1;
      const chance = random.next();
      const state =
        chance < 0.08 ? {} : chance < 0.13 ? { x: 'three' } : chance < 0.18 ? { x: 9.5 } : step.state;
      const action = random.next() < 0.1 ? { name: 'never seen' } : step.action;
      return { state, ...(action !== undefined && { action }), time };
    });
    return { id, complete: random.next() < 0.8, steps: spoilt };
  });
}

/** What a rule decided at one step. */
interface Decided {
  readonly decision: Decision;
  readonly reason: Reason | null;
}

const ALLOWED: Decided = { decision: 'allow', reason: null };
const VIOLATIONS: readonly Reason[] = ['violated', 'after-violation'];

/** The guard at run time, one step after the other. */
async function runGuard(
  file: GuardFile,
  traces: readonly Trace[],
): Promise<{ decisions: Decision[]; rules: Record<string, Decided[]> }[]> {
  const guard = await loadGuard(JSON.stringify(file));
  return traces.map(({ steps }) => {
    guard.reset();
    const decisions: Decision[] = [];
    const rules: Record<string, Decided[]> = Object.fromEntries(guard.rules.map(({ name }) => [name, []]));
    for (const step of steps) {
      const result = guard.step(step.state, step);
      decisions.push(result.decision);
      for (const { name, decision, reason } of guard.rules) {
        const own = name === result.ruleOfStrategy ? result : { decision, reason };
        rules[name].push(own.decision === 'allow' ? ALLOWED : { decision: own.decision, reason: own.reason });
      }
    }
    return { decisions, rules };
  });
}

/** The least that the risk of each rule may be, step by step, as the guard has it at run time. */
async function lowersOf(file: GuardFile, traces: readonly Trace[]): Promise<Record<string, number[]>[]> {
  const guard = await loadGuard(JSON.stringify(file));
  return traces.map(({ steps }) => {
    guard.reset();
    const lowers: Record<string, number[]> = {};
    for (const step of steps) {
      guard.step(step.state, step);
      for (const { name, lower } of guard.rules) lowers[name] = [...(lowers[name] ?? []), lower];
    }
    return lowers;
  });
}

/** The same as the replay has it. */
function replayed({ traces }: Replay): Record<string, Decided[]>[] {
  return traces.map(({ steps, rules }) =>
    Object.fromEntries(
      Object.entries(rules).map(([name, { alarms }]) => {
        const decided = Array.from({ length: steps }, () => ALLOWED);
        for (const { from, to, decision, reason } of alarms) decided.fill({ decision, reason }, from, to + 1);
        return [name, decided];
      }),
    ),
  );
}

async function world(seed: number) {
  const random = new Random(seed);
  const specification = parseSpecification(specificationText(random));
  const abstraction = new Abstraction(specification.abstraction);
  const runs = randomRuns(random, 40);
  const { model } =
    specification.learning.model === 'mdp'
      ? await learnMdp(abstraction, runs, specification.learning)
      : await learn(abstraction, runs, specification.learning);
  const traces = recordings(random, randomRuns(random, 12), specification.samplingPeriodSeconds !== null);
  return { specification, model, traces };
}

/** Null where a budget is below what the safest way costs: such a guard is refused. */
async function compiled(seed: number) {
  const { specification, model, traces } = await world(seed);
  try {
    const file = compileGuard(specification, model);
    await loadGuard(file);
    return { file, traces };
  } catch (error) {
    if (error instanceof InvalidArgumentError && error.message.includes('the budget is smaller than'))
      return null;
    throw error;
  }
}

const CASES = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** What holds of a guard, recordings, and what a replay makes of them; specifications that no guard is compiled of are passed over. */
const ofReplays = (check: (file: GuardFile, traces: Trace[], found: Replay) => Promise<void>) =>
  fc.asyncProperty(CASES, async (seed) => {
    const made = await compiled(seed);
    if (made !== null) await check(made.file, made.traces, await replay(made.file, made.traces));
  });

describe('a replay and the guard of the same model', () => {
  it('decide the same at every step, for every rule, steps that cannot be judged too', async () => {
    let [compared, unknown, mdps] = [0, 0, 0];
    await fc.assert(
      ofReplays(async (file, traces, found) => {
        const expected = await runGuard(file, traces);
        expect(replayed(found)).toEqual(expected.map(({ rules }) => rules));
        const decisions: Record<string, number> = {};
        for (const one of expected.flatMap((run) => run.decisions))
          decisions[one] = (decisions[one] ?? 0) + 1;
        expect(found.decisions).toEqual(decisions);
        compared++;
        if (file.actions !== undefined) mdps++;
        for (const total of Object.values(found.totals)) unknown += total.unknown;
      }),
      { numRuns: 120 },
    );
    expect(compared).toBeGreaterThan(25);
    expect(mdps).toBeGreaterThan(10);
    expect(unknown).toBeGreaterThan(100);
  });

  it('agree on which alarms are by threshold, by unknown and by violation, and what of it came before a violation', async () => {
    const sure = { met: 0, doubtful: 0 };
    await fc.assert(
      ofReplays(async (file, traces, found) => {
        const lowers = await lowersOf(file, traces);
        const isMet = (name: string, risk: number): boolean =>
          file.rules
            .filter((rule) => rule.name === name)
            .some(({ levels }) => levels.some(({ threshold }) => meetsThreshold(threshold, risk)));
        for (const [name, total] of Object.entries(found.totals)) {
          const sums = {
            violations: 0,
            predicted: 0,
            missed: 0,
            falseAlarms: 0,
            violated: 0,
            kept: 0,
            open: 0,
          };
          for (const [t, trace] of found.traces.entries()) {
            const { verdict, violatedAt, violatedWhileHeld, violatedWhileMissing, alarms, first } =
              trace.rules[name];
            for (const { kind, reason, from, to } of alarms) {
              if (VIOLATIONS.includes(reason)) expect(kind).toBe('violated');
              else if (reason === 'at-threshold') {
                // Whatever the steps before were that nobody read, the threshold is met; or it is not, and that is not known.
                const surely = lowers[t][name]
                  .slice(from, to + 1)
                  .map((lower) => lower > 0 && isMet(name, lower));
                if (kind === 'unknown') expect(surely).not.toContain(true);
                else expect(kind).toBe('threshold');
                sure[kind === 'unknown' ? 'doubtful' : 'met']++;
              } else if (reason === 'over-budget') expect(kind).toBe('threshold');
              else if (reason !== 'escalated' && reason !== 'nothing-permitted') expect(kind).toBe('unknown');
            }
            // A step that is held comes after the step that it repeats, and has its number.
            const end =
              violatedAt === null
                ? Number.POSITIVE_INFINITY
                : violatedAt + Number(violatedWhileHeld ?? violatedWhileMissing ?? 0);
            const isBefore = (kind: AlarmKind): boolean =>
              alarms.some((alarm) => alarm.kind === kind && alarm.from < end);
            for (const kind of ['threshold', 'unknown', 'violated'] as const)
              expect(first[kind]).toBe(alarms.find((alarm) => alarm.kind === kind)?.from ?? null);
            expect(violatedAt !== null).toBe(verdict === 'violated');
            if (verdict === 'open') sums.open++;
            else if (violatedAt === null) {
              if (isBefore('threshold')) sums.falseAlarms++;
              else if (isBefore('unknown')) sums.kept++;
            } else {
              sums.violations++;
              if (isBefore('threshold')) sums.predicted++;
              else if (isBefore('unknown')) sums.violated++;
              else sums.missed++;
            }
          }
          const { violated, kept, ...rest } = sums; // of these kept: where onUnknown intervened alone
          expect(total).toMatchObject({ ...rest, onUnknownOnly: { violated, kept } });
          const own = total.tradeOff?.find((row) => row.own);
          if (own === undefined) expect(file.actions?.mode).toBe('budget');
          else
            expect(own).toMatchObject({
              predicted: sums.predicted,
              missed: sums.missed,
              falseAlarms: sums.falseAlarms,
            });
        }
      }),
      { numRuns: 60 },
    );
    expect(Math.min(...Object.values(sure))).toBeGreaterThan(0);
  });

  it('know a verdict only if every way to read what could not be read has it', async () => {
    const count = { kept: 0, violated: 0, open: 0 };
    await fc.assert(
      fc.asyncProperty(CASES, async (seed) => {
        const random = new Random(seed);
        const resampling = pick(random, [
          '',
          'samplingPeriod: 1s\nresample: hold',
          'samplingPeriod: 1s\nresample: skip',
        ]);
        const specification = parseSpecification(`version: 1
predicates: { one: 'x == 1 || x == 3', two: 'x == 2 || x == 3', bad: 'x == 4' }
rules: { rule: { formula: '${pick(random, [...FORMULAS, 'G (one -> F<=1 two)'])}', threshold: 0.37 } }
${resampling}
learning: { smoothing: 0.5 }`);
        const runs = randomRuns(random, 20);
        const abstraction = new Abstraction(specification.abstraction);
        const { period } = specification.learning;
        const { model } = await learn(abstraction, runs, specification.learning);
        const traces = recordings(random, randomRuns(random, 6), period !== null);
        const found = await replay(compileGuard(specification, model), traces);
        const [{ formula, atEnd }] = specification.rules;
        const automaton = buildAutomaton(formula, { samplingPeriod: specification.samplingPeriod });
        const stepper = bindAutomaton(automaton, abstraction.predicates);
        traces.forEach(({ steps, complete = true }, i) => {
          const { verdict } = found.traces[i].rules.rule;
          const sampled = period === null ? steps : resample(steps, period).steps;
          // A step that is held reads as the one that it repeats: both are read in the same way.
          const unread = new Map<Step['state'], number>();
          const readings = sampled.map(({ state }, at): number => {
            const valuation = new Uint32Array(1);
            try {
              abstraction.encode(state, sampled[at], valuation, 0);
              return valuation[0];
            } catch {
              if (!unread.has(state)) unread.set(state, unread.size);
              return -1;
            }
          });
          if (unread.size > 3) return;
          const verdicts = new Set<string>();
          for (let way = 0; way < 8 ** unread.size; way++) {
            let q = automaton.initial;
            readings.forEach((read, at) => {
              const place = unread.get(sampled[at].state) ?? 0;
              q = stepper.step(q, Uint32Array.of(read < 0 ? (way >> (3 * place)) & 7 : read), 0);
            });
            const decided = automaton.verdict[q];
            if (decided !== OPEN) verdicts.add(decided === VIOLATED ? 'violated' : 'kept');
            else if (!complete) verdicts.add('open');
            else verdicts.add(atEnd === 'weak' || automaton.accepting[q] === 1 ? 'kept' : 'violated');
          }
          if (verdict !== 'open' || unread.size === 0) expect([...verdicts]).toEqual([verdict]);
          // What a run that may have been violated comes to is open, also where it is then violated for certain by nothing but that doubt.
          else if (verdicts.size === 1) expect([...verdicts][0]).not.toBe('kept');
          count[verdict ?? 'open']++;
        });
      }),
      { numRuns: 150 },
    );
    for (const seen of Object.values(count)) expect(seen).toBeGreaterThan(50);
  });

  it('trade off as detection does where every step can be judged', async () => {
    await fc.assert(
      fc.asyncProperty(CASES, async (seed) => {
        const random = new Random(seed);
        const specification = parseSpecification(`version: 1
predicates: { one: 'x == 1 || x == 3', two: 'x == 2 || x == 3', bad: 'x == 4' }
rules: { safe: { formula: '${pick(random, ['G !bad', '!bad U two'])}', threshold: 0.37 } }
learning: { smoothing: 0.5 }`);
        const runs = randomRuns(random, 60);
        const { model } = await learn(
          new Abstraction(specification.abstraction),
          runs,
          specification.learning,
        );
        const file = compileGuard(specification, model);
        const times = runs.map(({ id, steps }) => ({
          id,
          steps: steps.map((step, i) => ({ ...step, time: 0.5 * i })),
        }));
        const thresholds = [0, 0.1, 0.3, 0.61, 1];
        const { totals } = await replay(file, times, { thresholds });
        const { safe } = await forecastRuns(file, times);
        const rows = totals.safe.tradeOff ?? [];
        expect(rows.map(({ risk }) => risk)).toEqual([0, 0.1, 0.3, 0.37, 0.61, 1]);
        for (const row of rows) {
          const judged = detection(safe, (risk) => risk >= row.risk);
          expect(row).toMatchObject({ predicted: judged.detected, falseAlarms: judged.falseAlarms });
          expect(row.missed).toBe(judged.violations - judged.detected);
          expect(row.falseAlarmRate).toEqual(judged.falseAlarmRate);
          expect(row.missedRate.confidenceLower).toBeCloseTo(1 - judged.detectionRate.confidenceUpper, 12);
          expect(row.missedRate.confidenceUpper).toBeCloseTo(1 - judged.detectionRate.confidenceLower, 12);
          expect(row.stepsAhead).toEqual(judged.warningSteps);
          expect(row.secondsAhead).toEqual(judged.warningSeconds);
        }
      }),
      { numRuns: 30 },
    );
  });
});
