import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import {
  InvalidArgumentError,
  InvalidDataError,
  InvalidModelError,
  NotSupportedError,
} from '../../bindings/base/errors.js';
import { Random } from '../../bindings/base/random.js';
import { learn, learnMdp } from '../../bindings/estimation/learning/index.js';
import {
  type Formula,
  mapChildren,
  parseFormula,
  printFormula,
} from '../../bindings/languages/logic/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import {
  createSession,
  type RunRecord,
  readAudit,
  readRun,
  replayAudit,
  type Session,
  type Verdict,
} from '../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard, type GuardFile } from '../../bindings/runtime/guard/index.js';
import { auditOf, chunksOf } from '../unit/enforcement/audit/records.js';
import { nestedFormula } from './formulas.js';
import { runs } from './runs.js';

/** Of the state that is learnt; of the state and the call that only exact rules read; and one that both read. */
const LEARNT = { p: 'p', acts: 'has(action.name) && action.name == "x"', both: 'q' };
const LEARNT_OF_STATE = { p: 'p', acts: 's', both: 'q' };
const EXACT = { flag: 'r', big: 'action.arguments.n > 3' };
const EXACT_OF_STATE = { flag: 'r', big: 't' };
const TOOLS = ['x', 'y', 'z'];

/** The formula over other predicates. */
function over(formula: Formula, names: Readonly<Record<string, string>>): string {
  const renamed = (part: Formula): Formula =>
    part.kind === 'predicate' ? { ...part, name: names[part.name] } : mapChildren(part, renamed);
  return printFormula(renamed(formula));
}

interface Case {
  readonly seed: number;
  /** What the learnt predicates read; only a chain's may read the call, and exact rules of a decision process may not either. */
  readonly kind: 'chain of calls' | 'chain of states' | 'process';
  readonly learnt: Formula;
  readonly exact: readonly Formula[];
  readonly threshold: number;
  readonly strategies: readonly string[];
  readonly first: boolean;
  readonly shield: string;
  readonly faults: Readonly<Record<string, unknown>>;
}

const cases: fc.Arbitrary<Case> = fc.record({
  seed: fc.integer({ min: 1, max: 1e9 }),
  kind: fc.constantFrom<Case['kind']>(
    'chain of calls',
    'chain of calls',
    'chain of calls',
    'chain of states',
    'process',
  ),
  learnt: nestedFormula.filter((formula) => printFormula(formula).length < 80),
  exact: fc.array(
    nestedFormula.filter((formula) => printFormula(formula).length < 80),
    { minLength: 1, maxLength: 2 },
  ),
  threshold: fc.constantFrom(0.2, 0.5, 0.8, 1),
  strategies: fc.array(fc.constantFrom('block', 'stop', 'report'), { minLength: 3, maxLength: 3 }),
  first: fc.boolean(),
  shield: fc.constantFrom('predict', 'least', 'budget'),
  faults: fc.constantFrom(
    {},
    { onUnknown: 'block' },
    { onUnknown: 'allow', unsafeAllowUnknown: true },
    { onUnreadable: 'block' },
    { onUnknown: 'report', unsafeAllowUnknown: true, onUnreadable: 'stop' },
  ),
});

/** In the recordings of this case no action changes anything. */
const IDLE: Case = {
  seed: 798319521,
  kind: 'process',
  learnt: parseFormula('X (!(a & a) & !false)'),
  exact: [parseFormula('(a U !(a & c)) & a')],
  threshold: 0.2,
  strategies: ['block', 'block', 'block'],
  first: false,
  shield: 'predict',
  faults: {},
};

interface Guards {
  readonly whole: GuardFile;
  readonly learnt: GuardFile;
  readonly exact: GuardFile;
}

/** What a fragment of the world looks like; `lost` takes fields away. */
function worldOf(random: Random, lost: number): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const name of ['p', 'q', 'r', 's', 't']) if (random.next() >= lost) state[name] = random.next() < 0.5;
  return state;
}

function argumentsOf(random: Random): Record<string, unknown> {
  return random.next() < 0.15 ? {} : { n: Math.floor(random.next() * 6) };
}

async function guardsOf({ seed, kind, learnt, exact, threshold, strategies, first, shield, faults }: Case) {
  const random = new Random(seed);
  const mdp = kind === 'process';
  const settings = {
    version: 1,
    ...faults,
    learning: { smoothing: 0, ...(mdp && { model: 'mdp' }) },
    ...(mdp && { shield }),
  };
  const predicted = {
    predicted: {
      formula: over(learnt, { a: 'p', b: 'acts', c: 'both' }),
      atEnd: 'weak',
      threshold,
      strategy: strategies[0],
    },
  };
  const exactRules = (key: object): Record<string, object> =>
    Object.fromEntries(
      exact.map((formula, i) => [
        `exact${i}`,
        {
          formula: over(formula, { a: 'flag', b: 'big', c: 'both' }),
          strategy: strategies[i + 1],
          ...key,
        },
      ]),
    );
  // A predicate is learnt unless only exact rules read it.
  const text = JSON.stringify(exactRules({}));
  const { both: _both, ...unshared } = kind === 'chain of calls' ? LEARNT : LEARNT_OF_STATE;
  const isShared = JSON.stringify(predicted).includes('both') || !text.includes('both');
  const learntPredicates = { ...unshared, ...(isShared && { both: 'q' }) };
  const used = Object.fromEntries(
    Object.entries({ ...(mdp ? EXACT_OF_STATE : EXACT), both: 'q' }).filter(([name]) => text.includes(name)),
  );
  const read = (specification: object) => parseSpecification(JSON.stringify(specification));
  const ofExact = exactRules({ exact: true });
  const whole = read({
    ...settings,
    predicates: { ...used, ...learntPredicates },
    rules: first ? { ...ofExact, ...predicted } : { ...predicted, ...ofExact },
  });
  const alone = read({ ...settings, predicates: learntPredicates, rules: predicted });
  const {
    learning: _learning,
    shield: _shield,
    ...plain
  } = settings as typeof settings & { shield?: string };
  const rules = read({
    ...plain,
    predicates: used,
    rules: exactRules({}),
  });
  const traces: Trace[] = Array.from({ length: 4 }, (_, id) => ({
    id: `${id}`,
    steps: Array.from({ length: 1 + Math.floor(random.next() * 6) }, () => ({
      state: { ...worldOf(random, 0) },
      action: { name: random.pick(TOOLS), arguments: argumentsOf(random) },
    })),
  }));
  expect(whole.abstraction.predicates.map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(learntPredicates)),
  );
  expect(whole.abstraction.predicates).toHaveLength(Object.keys(learntPredicates).length);
  const { model } = mdp
    ? await learnMdp(new Abstraction(whole.abstraction), traces, alone.learning)
    : await learn(new Abstraction(whole.abstraction), traces, alone.learning);
  return {
    whole: compileGuard(whole, model),
    learnt: compileGuard(alone, model),
    exact: compileRules(rules),
  } satisfies Guards;
}

const numbers = ({ rules }: Guard) =>
  rules.map(({ name, decision, reason, fault, risk, lower, upper, verdict, violated }) => ({
    name,
    decision,
    reason,
    fault,
    risk,
    lower,
    upper,
    verdict,
    violated,
  }));

const byName = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => (a.name < b.name ? -1 : 1));

describe('a guard of a model with exact rules', () => {
  it('decides as two judges do in one session, the rules alone and the learnt guard, on whatever is read or not; its records replay and resume', async () => {
    const seen = new Set<string>();
    let [calls, beside, resumed, lost] = [0, 0, 0, 0];
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        let guards: Guards;
        try {
          guards = await guardsOf(one);
        } catch (error) {
          const isNoTest = [InvalidArgumentError, InvalidModelError, NotSupportedError].some(
            (kind) => error instanceof kind,
          );
          // Of what is drawn at random, some recordings are none of a process that anybody acts in.
          const isIdle =
            error instanceof InvalidDataError && /no action ever changes a predicate/.test(error.message);
          if (isNoTest || isIdle) fc.pre(false);
          throw error;
        }
        const random = new Random(one.seed, 7);
        // Nothing changes but by a call that runs: what is observed again after a refusal is no step for any judge.
        const change = (): Record<string, unknown> => worldOf(random, random.next() < 0.3 ? 0.3 : 0);
        let state = change();
        const begin = (judges: readonly Guard[], log: RunRecord[]): Session =>
          createSession({
            id: 'run',
            judges,
            tools: TOOLS,
            state: () => ({ ...state }),
            now: () => 0,
            maxPending: one.kind === 'chain of states' ? 0 : 2,
            log: { append: async (record) => void log.push(record) },
            ...(log.length > 0 && { resume: [...log] }),
          });
        /** A session goes on from its records, as another process would do it. */
        const resume = async (judges: readonly Guard[], log: RunRecord[]): Promise<Session> => {
          const found = await readRun(chunksOf(await auditOf(log), 1 << 16), 'run');
          log.splice(0, log.length, ...found);
          return begin(judges, log);
        };
        const [records, others]: RunRecord[][] = [[], []];
        let two = [createGuard(guards.learnt), createGuard(guards.exact)];
        let separately = begin(two, others);
        let whole = createGuard(guards.whole);
        let together = begin([whole], records);
        // Guards that read calls and guards that do not count steps alike only where each call has come back before the next.
        const readCalls = two.every(({ readsActions }) => readsActions);
        const running: (readonly [Verdict, Verdict])[] = [];
        for (let i = 0; i < 10 && together.stopped === null; i++) {
          const call = { id: `${i}`, name: random.pick(TOOLS), arguments: argumentsOf(random) };
          const [a, b] = [await together.decide(call), await separately.decide(call)];
          calls++;
          if (running.length > 0) beside++;
          const context = JSON.stringify({ i, state, call, seed: one.seed });
          if (b.reason === 'nothing-permitted' && a.reason !== 'nothing-permitted') {
            // The learnt guard says so of its own refusals; here an exact rule refused the call before it.
            expect([a.run, whole.rules.find(({ name }) => name === a.rule)?.decision]).toEqual([
              null,
              a.decision,
            ]);
            expect(a.rule).toMatch(/^exact/);
            break;
          }
          expect([a.decision, a.run === null], context).toEqual([b.decision, b.run === null]);
          expect(byName(numbers(whole)), context).toEqual(byName(two.flatMap(numbers)));
          // Where nothing is against it, the risk is told, not that an exact rule is kept.
          if (a.decision === 'allow') expect(a.reason, context).toBe(b.reason);
          seen.add(a.decision).add(a.reason);
          if (a.run !== null) running.push([a, b]);
          if (together.stopped === null && readCalls && random.next() < 0.2) {
            // What is running then is lost.
            lost += running.splice(0).length;
            resumed++;
            whole = createGuard(guards.whole);
            two = [createGuard(guards.learnt), createGuard(guards.exact)];
            together = await resume([whole], records);
            separately = await resume(two, others);
          } else if (!readCalls || running.length > 1 || random.next() < 0.6) {
            for (const [ofOne, ofTwo] of running.splice(0)) {
              state = change();
              await together.ran(ofOne, { result: 1 });
              await separately.ran(ofTwo, { result: 1 });
            }
          }
          expect(together.stopped === null, context).toBe(separately.stopped === null);
        }
        await together.end();
        const replay = await replayAudit(readAudit(chunksOf(await auditOf(records), 1 << 16)), guards.whole);
        expect(replay.difference).toBeNull();
        expect(replay.runs).toBe(1);
      }),
      { numRuns: runs(200), examples: [[IDLE]] },
    );
    expect(calls).toBeGreaterThan(300);
    expect(beside).toBeGreaterThan(10);
    expect(resumed).toBeGreaterThan(10);
    expect(lost).toBeGreaterThan(5);
    for (const word of [
      'allow',
      'block',
      'stop',
      'violated',
      'at-threshold',
      'unknown-state',
      'predicate-failed',
    ])
      expect(seen).toContain(word);
  });
});
