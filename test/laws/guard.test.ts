import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Automaton } from '../../bindings/languages/automaton/index.js';
import {
  createGuard,
  createGuardStep,
  type Decision,
  type GuardFile,
  type GuardRule,
  packTables,
  STRATEGIES,
  type Strategy,
  UNKNOWN_POLICIES,
  UNREADABLE_POLICIES,
} from '../../bindings/runtime/guard/index.js';

/** Everything a random guard is made of, in the plainest form: tables over all valuations. */
interface World {
  readonly k: number;
  readonly known: readonly {
    readonly valuation: number;
    readonly draws: number;
    readonly successors: readonly number[];
  }[];
  readonly constrained: boolean;
  readonly rules: readonly RuleWorld[];
  readonly onUnknown: GuardFile['onUnknown'];
  /** Undefined: `onUnknown` decides what could not be read, as in files of earlier releases. */
  readonly onUnreadable?: GuardFile['onUnreadable'] | undefined;
  readonly period: number | null;
}

interface RuleWorld {
  /** `delta[q][valuation]`. */
  readonly delta: readonly (readonly number[])[];
  readonly verdict: readonly number[];
  readonly levels: GuardRule['levels'];
  readonly escalate: readonly Strategy[];
  readonly maxReflections: number;
  readonly afterViolation: Strategy;
  /** `risk[state][q]`. */
  readonly risk: readonly (readonly number[])[];
  readonly evaluation: 'trace' | 'state';
}

/** A value of one predicate's field: what it should be, or something that cannot be read. */
type Field = boolean | 'missing' | 'wrong';

interface Observation {
  readonly fields: readonly Field[];
  /** Seconds since the last observation. */
  readonly gap: number | null;
}

const names = ['a', 'b', 'c'];
const kinds = STRATEGIES;
const rank: Record<Decision, number> = {
  stop: 5,
  block: 4,
  replace: 4,
  inspect: 3,
  reflect: 2,
  report: 1,
  allow: 0,
};

// ---- The same by its definition (docs/semantics/decisions.md, docs/semantics/time.md): sets of automaton states, all completions of a valuation.

type Lost = number | 'some' | 'anywhere' | 'early';

/** Seconds that pass before a step without time. */
const UNTIMED_GAP = 7;

class SlowGuard {
  readonly world: World;
  sets: Set<number>[];
  /** The states before the last step. */
  befores: Set<number>[];
  violated: boolean[];
  /** Whether some step may have broken the rule, and nobody knows. */
  doubted: boolean[];
  reflections: number[];
  previous: number | null = null;
  /** Whether a step had a time, and since the last that had: seconds, and steps. */
  timed = false;
  elapsed = 0;
  gaps = 0;
  /** Seconds by which irregular gaps were longer than the steps that they were counted for. */
  excess = 0;

  constructor(world: World) {
    this.world = world;
    this.sets = world.rules.map(() => new Set([0]));
    this.befores = world.rules.map(() => new Set([0]));
    this.violated = world.rules.map((rule) => rule.verdict[0] === 1);
    this.doubted = world.rules.map(() => false);
    this.reflections = world.rules.map(() => 0);
  }

  step({ fields, gap }: Observation): { decision: Decision; rule: number; risk: number; named: boolean } {
    const { world } = this;
    const completions: number[] = [];
    for (let v = 0; v < 2 ** world.k; v++) {
      if (fields.every((field, i) => typeof field !== 'boolean' || Number(field) === ((v >> i) & 1)))
        completions.push(v);
    }
    const valuation = fields.every((field) => typeof field === 'boolean') ? completions[0] : null;
    const state = world.known.findIndex((known) => known.valuation === valuation);
    this.elapsed += gap ?? UNTIMED_GAP;
    this.gaps++;
    const due = this.gaps * (world.period ?? 0);
    const irregular =
      world.period !== null && gap !== null && this.timed && Math.abs(this.elapsed - due) > 0.1 * due;
    const lost = irregular ? this.lost(this.elapsed - due) : 0;
    if (gap !== null) {
      this.timed = true;
      this.elapsed = 0;
      this.gaps = 0;
    }
    const from = world.known.find((known) => known.valuation === this.previous);
    const forbidden =
      world.constrained &&
      valuation !== null &&
      ((state < 0 && (valuation & 3) === 3) ||
        (this.previous !== null &&
          !(state >= 0 && from?.successors.includes(state)) &&
          (this.previous & 1) === 1 &&
          (valuation & 1) === 0));
    const fault = valuation === null || state < 0 || world.known[state].draws === 0 || irregular || forbidden;
    this.previous = valuation;

    const apart = world.onUnreadable !== undefined;
    const wanted = world.rules.map((rule, r) => {
      const highestFirst = rule.levels.toReversed();
      const shadow = rule.levels.every(({ strategy }) => strategy.kind === 'report');
      const at = (risk: number) =>
        highestFirst.filter(({ threshold: { value } }) => !(risk < value)).map(({ strategy }) => strategy);
      const before = this.violated[r];
      let satisfied = false;
      let risk = 1;
      let speakers: Strategy[] = [];
      if (rule.evaluation === 'trace' && !before) {
        const doubt = this.lose(r, lost);
        const next = new Set<number>();
        const early = lost === 'early' ? this.early(r, completions) : null;
        this.befores[r] =
          early === null ? new Set(this.sets[r]) : new Set([...this.sets[r], ...this.befores[r]]);
        if (early !== null) for (const q of early) next.add(q);
        else if (this.violated[r]) for (const q of this.sets[r]) next.add(q);
        else for (const q of this.sets[r]) for (const v of completions) next.add(rule.delta[q][v]);
        const open = new Set([...next].filter((q) => rule.verdict[q] !== 1));
        this.violated[r] = open.size === 0;
        if (doubt) risk = 1;
        else if (!fault) {
          risk = Math.max(
            ...[...next].map((q) =>
              rule.verdict[q] === 1 ? 1 : rule.verdict[q] === 2 ? 0 : rule.risk[state][q],
            ),
          );
        } else if ([...next].every((q) => rule.verdict[q] === 2)) risk = 0;
        this.doubted[r] ||= doubt || open.size < next.size;
        satisfied = !this.doubted[r] && [...next].every((q) => rule.verdict[q] === 2);
        this.sets[r] = open.size > 0 ? open : next;
      } else if (rule.evaluation === 'state' && !fault) risk = rule.risk[state][0];
      if (before) speakers = [rule.afterViolation];
      else if (!fault || this.violated[r]) speakers = at(risk);
      // With a setting of its own for what is unreadable, a rule that nothing can break any more has no strategy for what was read.
      const exempts = apart && valuation !== null && world.onUnknown === 'rule';
      const settled = fault && satisfied && exempts;
      if (settled) speakers = at(0);
      else if (fault) {
        const { onUnknown, onUnreadable } = world;
        const policy = valuation === null ? (onUnreadable ?? onUnknown) : onUnknown;
        if (shadow) speakers.push({ kind: 'report' });
        else if (policy === 'rule') speakers.push(...highestFirst.map(({ strategy }) => strategy));
        // What could not be read is never let through.
        else if (valuation === null && (policy === 'allow' || policy === 'report'))
          speakers.push({ kind: 'stop' });
        else if (policy !== 'allow') speakers.push({ kind: policy });
      }
      // A rule is named for what it is compared with, or broken by.
      const named = !fault || settled || this.violated[r];
      let strategy = speakers.sort((x, y) => rank[y.kind] - rank[x.kind])[0];
      const reflects = strategy?.kind === 'reflect';
      const over = this.reflections[r] - rule.maxReflections;
      if (reflects && over >= 0)
        strategy = rule.escalate[Math.min(over, rule.escalate.length - 1)] ?? { kind: 'stop' };
      const decision = (strategy?.kind ?? 'allow') as Decision;
      return { decision, reflects, shadow, risk, named };
    });
    let winner = 0;
    wanted.forEach(({ decision, named }, r) => {
      const more = rank[decision] - rank[wanted[winner].decision];
      const isNamed = apart && decision !== 'allow' && named && !wanted[winner].named;
      if (more > 0 || (more === 0 && isNamed)) winner = r;
    });
    if (wanted[winner].reflects) this.reflections[winner]++;
    if (wanted.every(({ decision, shadow }) => shadow || decision === 'allow')) this.reflections.fill(0);
    const { decision, risk, named } = wanted[winner];
    return { decision, rule: winner, risk, named };
  }

  /** How many steps are missing, of which nothing is known. */
  lost(late: number): Lost {
    if (this.elapsed < 0) return 'some';
    const period = this.world.period ?? 1;
    const excess = Math.max(0, this.excess + late);
    const missing = Math.round(excess / period);
    this.excess = Math.max(0, excess - missing * period);
    if (missing === 0 && late >= 0) return 0;
    if (this.gaps > 1) return 'anywhere';
    return missing === 0 ? 'early' : missing;
  }

  /** An observation too early is a step or none; where it breaks the rule as a step, and in place of the one before, it does so for certain. */
  early(r: number, completions: readonly number[]): Set<number> {
    const { delta, verdict } = this.world.rules[r];
    const after = (states: Set<number>): number[] =>
      [...states].flatMap((q) => completions.map((v) => delta[q][v]));
    const isStep = after(this.sets[r]);
    const breaks = (states: readonly number[]): boolean => states.every((q) => verdict[q] === 1);
    if (breaks(isStep) && breaks(after(this.befores[r]))) return new Set(isStep);
    return new Set([...this.sets[r], ...isStep]);
  }

  /** Whatever was there: all valuations at each step that is missing. Returns whether the rule may have been violated, though not for certain. */
  lose(r: number, lost: Lost): boolean {
    const { delta, verdict } = this.world.rules[r];
    const broken = (q: number): boolean => verdict[q] === 1;
    let doubt = false;
    const take = (next: Set<number>): void => {
      const open = new Set([...next].filter((q) => !broken(q)));
      this.violated[r] = open.size === 0;
      if (open.size > 0 && open.size < next.size) doubt = true;
      this.sets[r] = open.size > 0 ? open : next;
    };
    const after = (states: Set<number>): number[] => [...states].flatMap((q) => delta[q]);
    if (lost === 'anywhere') take(new Set(delta.keys()));
    else if (lost === 'some') {
      const reached = new Set(this.sets[r]);
      for (const _ of delta) for (const q of after(reached)) reached.add(q);
      take(reached);
    } else if (lost !== 'early')
      for (let i = 0; i < lost && !this.violated[r]; i++) take(new Set(after(this.sets[r])));
    return doubt;
  }
}

// ---- From a world to a guard file: complete decision trees, so that nothing of the real construction is shared.

function toAutomaton({ delta, verdict }: RuleWorld, k: number): Automaton {
  const nodes: number[] = [];
  const build = (q: number, depth: number, valuation: number): number => {
    if (verdict[q] !== 0) return -1 - q;
    if (depth === k) return -1 - delta[q][valuation];
    const node = nodes.length / 3;
    nodes.push(depth, 0, 0);
    nodes[3 * node + 1] = build(q, depth + 1, valuation);
    nodes[3 * node + 2] = build(q, depth + 1, valuation | (1 << depth));
    return node;
  };
  const roots = delta.map((_, q) => build(q, 0, 0));
  return {
    predicates: names.slice(0, k),
    states: delta.length,
    initial: 0,
    verdict,
    accepting: verdict.map((v) => (v === 1 ? 0 : 1)),
    roots,
    nodes,
  };
}

const oneState: Automaton = {
  predicates: [],
  states: 1,
  initial: 0,
  verdict: [0],
  accepting: [1],
  roots: [-1],
  nodes: [],
};

function toFile(world: World): GuardFile {
  const { k, known, rules } = world;
  const rowStart = [0];
  const columns: number[] = [];
  for (const { successors } of known) {
    columns.push(...successors);
    rowStart.push(columns.length);
  }
  return {
    format: 'foreguard-guard',
    version: 2,
    specificationHash: '',
    modelHash: '',
    predicates: names.slice(0, k).map((name) => ({ name, expression: `fields.${name}` })),
    constraints: world.constrained ? { state: '!(a && b)', transition: '!(from.a && !to.a)' } : {},
    states: {
      words: 1,
      valuations: known.map(({ valuation }) => valuation),
      draws: known.map(({ draws }) => draws),
    },
    seen: { rowStart, columns },
    rules: rules.map((rule, r) => {
      const automaton = rule.evaluation === 'state' ? oneState : toAutomaton(rule, k);
      const upper = known.flatMap((_, s) =>
        Array.from({ length: automaton.states }, (_, q) => [rule.risk[s][q], 1, 0][automaton.verdict[q]]),
      );
      return {
        name: `rule${r}`,
        formula: '',
        evaluation: rule.evaluation,
        automaton,
        levels: rule.levels,
        escalate: rule.escalate,
        maxReflections: rule.maxReflections,
        afterViolation: rule.afterViolation,
        onFailure: { kind: 'stop' },
        horizonSteps: null,
        tables: packTables(automaton, known.length, () => true, { lower: upper, upper }),
      };
    }),
    onUnknown: world.onUnknown,
    ...(world.onUnreadable !== undefined && { onUnreadable: world.onUnreadable }),
    unsafeAllowUnknown: true,
    decideOn: 'upper',
    samplingPeriodSeconds: world.period,
    periodTolerance: 0.1,
  };
}

const probability = fc.oneof(fc.constantFrom(0, 0.25, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
/** What a guard file holds as it is: six digits, and none beyond the 21st decimal place. */
const risk = probability.map((value) => Number(Number(value.toPrecision(6)).toFixed(21)));
const strategy: fc.Arbitrary<Strategy> = fc.oneof(
  fc.constantFrom(...kinds).map((kind) => ({ kind })),
  fc.constant({ kind: 'replace' as const, action: 'wait' }),
);

function ruleWorlds(k: number, states: number): fc.Arbitrary<RuleWorld> {
  return fc.integer({ min: 1, max: 5 }).chain((size) =>
    fc
      .record({
        delta: fc.array(fc.array(fc.nat(size - 1), { minLength: 2 ** k, maxLength: 2 ** k }), {
          minLength: size,
          maxLength: size,
        }),
        verdict: fc
          .array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: size, maxLength: size })
          .map((verdict) => verdict.map((v, q) => (q === 0 ? 0 : v))),
        levels: fc.array(
          fc.record({
            threshold: fc.record({ compare: fc.constant('risk>=' as const), value: probability }),
            strategy,
          }),
          { minLength: 1, maxLength: 3 },
        ),
        escalate: fc.array(
          strategy.filter(({ kind }) => kind !== 'reflect'),
          { maxLength: 3 },
        ),
        maxReflections: fc.nat(3),
        afterViolation: strategy,
        risk: fc.array(fc.array(risk, { minLength: size, maxLength: size }), {
          minLength: states,
          maxLength: states,
        }),
        evaluation: fc.constantFrom('trace' as const, 'trace' as const, 'state' as const),
      })
      .map((rule) => ({
        ...rule,
        delta: rule.delta.map((row, q) => (rule.verdict[q] === 0 ? row : row.map(() => q))),
      })),
  );
}

const worlds: fc.Arbitrary<World> = fc
  .record({
    k: fc.integer({ min: 2, max: 3 }),
    valuations: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 8 }),
  })
  .chain(({ k, valuations }) => {
    const within = valuations.filter((v) => v < 2 ** k);
    const states = within.length === 0 ? [0] : within;
    const successors = fc.uniqueArray(fc.nat(states.length - 1)).map((row) => row.sort((x, y) => x - y));
    return fc.record({
      k: fc.constant(k),
      known: fc.tuple(
        ...states.map((valuation) =>
          fc.record({ valuation: fc.constant(valuation), draws: fc.constantFrom(0, 3, 9, 9), successors }),
        ),
      ),
      constrained: fc.boolean(),
      rules: fc.array(ruleWorlds(k, states.length), { minLength: 1, maxLength: 3 }),
      onUnknown: fc.constantFrom(...UNKNOWN_POLICIES),
      onUnreadable: fc.option(fc.constantFrom(...UNREADABLE_POLICIES), { nil: undefined }),
      period: fc.constantFrom(null, null, 0.5),
    });
  });

const observations: fc.Arbitrary<Observation[]> = fc.array(
  fc.record({
    fields: fc.tuple(
      ...names.map(() =>
        fc.oneof(
          { weight: 8, arbitrary: fc.boolean() },
          fc.constantFrom('missing' as const, 'wrong' as const),
        ),
      ),
    ),
    gap: fc.constantFrom(null, 0.5, 0.5, 0.5, 0.52, 0.6, 0.7, 1.5, 4, 0, -0.5),
  }),
  { maxLength: 25 },
);

function toState(fields: readonly Field[]): Record<string, unknown> {
  const entries = fields.map((field, i) => [names[i], field === 'wrong' ? 'true' : field] as const);
  return { fields: Object.fromEntries(entries.filter(([, field]) => field !== 'missing')) };
}

describe('a guard', () => {
  it('decides as the definition says, on random guards and observations with faults', () => {
    fc.assert(
      fc.property(worlds, observations, (world, run) => {
        const guard = createGuard(toFile(world));
        const slow = new SlowGuard(world);
        const result = createGuardStep();
        let time = 100;
        for (const observation of run) {
          time += observation.gap ?? UNTIMED_GAP;
          const own = { ...observation, fields: observation.fields.slice(0, world.k) };
          guard.stepInto(toState(own.fields), observation.gap === null ? {} : { time }, result);
          const { decision, rule, risk, named } = slow.step(own);
          const ruleOfStrategy = `rule${rule}`;
          expect({ ...result }).toMatchObject({
            ...{ decision, risk, ruleOfStrategy, rule: named ? ruleOfStrategy : '' },
          });
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('decides on one rule alike with one setting for what is not known and with the same for each, unless it is satisfied for good', () => {
    let faults = 0;
    fc.assert(
      fc.property(worlds, observations, (world, run) => {
        const open = world.rules.slice(0, 1).map((rule) => ({
          ...rule,
          verdict: rule.verdict.map((verdict) => (verdict === 2 ? 0 : verdict)),
        }));
        const one = toFile({ ...world, rules: open, onUnreadable: undefined });
        const { onUnknown } = one;
        const onUnreadable = onUnknown === 'allow' || onUnknown === 'report' ? 'stop' : onUnknown;
        const [together, apart] = [one, { ...one, onUnreadable }].map(createGuard);
        let time = 100;
        for (const { fields, gap } of run) {
          time += gap ?? UNTIMED_GAP;
          const [state, context] = [toState(fields.slice(0, world.k)), gap === null ? {} : { time }];
          const decided = together.step(state, context);
          expect(apart.step(state, context)).toEqual(decided);
          if (together.rules.some(({ fault }) => fault !== null)) faults++;
        }
      }),
      { numRuns: 500 },
    );
    expect(faults).toBeGreaterThan(500);
  });

  it('never allows on a fault, whatever is observed', () => {
    const rules: RuleWorld[] = [0.5, 1].map((value) => ({
      delta: [
        [0, 0, 0, 1],
        [1, 1, 1, 1],
      ],
      verdict: [0, 1],
      levels: [{ threshold: { compare: 'risk>', value }, strategy: { kind: 'stop' } }],
      escalate: [],
      maxReflections: 0,
      afterViolation: { kind: 'stop' },
      risk: [0, 1, 2].map(() => [0, 0]),
      evaluation: 'trace',
    }));
    const known = [0, 1, 2].map((valuation) => ({ valuation, draws: 1, successors: [0, 1, 2] }));
    const guards = (['rule', 'stop', 'inspect'] as const).map((onUnknown) =>
      createGuard(toFile({ k: 2, known, constrained: true, rules, onUnknown, period: null })),
    );
    const key = fc.oneof(
      fc.constantFrom('a', 'b', 'fields', '__proto__', 'constructor', 'toString', 'length'),
      fc.string(),
    );
    const anything = fc.anything({
      key,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    });
    const observation = fc.oneof(
      anything,
      fc.record({ fields: anything }),
      fc.record({ fields: fc.dictionary(key, anything, { noNullPrototype: false }) }),
      fc.record({ fields: fc.record({ a: anything, b: anything }) }),
    );
    fc.assert(
      fc.property(observation, anything, (state, context) => {
        const fields = own(state, 'fields');
        const values = [own(fields, 'a'), own(fields, 'b')];
        const good = values.every((value) => typeof value === 'boolean') && !(values[0] && values[1]);
        for (const guard of guards) {
          guard.reset();
          const { decision, reason } = guard.step(
            state as Record<string, unknown>,
            context as Record<string, unknown>,
          );
          expect(decision === 'allow').toBe(good);
          if (!good) expect(['predicate-failed', 'forbidden-state', 'violated']).toContain(reason);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('does not fall over huge, deep or hostile objects', () => {
    const known = [{ valuation: 0, draws: 1, successors: [0] }];
    const rule: RuleWorld = {
      delta: [[0, 0, 0, 0]],
      verdict: [0],
      levels: [{ threshold: { compare: 'risk>=', value: 0.5 }, strategy: { kind: 'stop' } }],
      escalate: [],
      maxReflections: 0,
      afterViolation: { kind: 'stop' },
      risk: [[0]],
      evaluation: 'trace',
    };
    const guard = createGuard(
      toFile({ k: 2, known, constrained: false, rules: [rule], onUnknown: 'rule', period: 1 }),
    );
    let deep: unknown = {};
    for (let i = 0; i < 100_000; i++) deep = { fields: deep };
    const throwing = new Proxy({}, { getOwnPropertyDescriptor: fail, get: fail, has: fail, ownKeys: fail });
    const huge = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`field${i}`, i]));
    for (const state of [deep, throwing, huge, { fields: huge }, { fields: throwing }]) {
      guard.reset();
      expect(guard.step(state as Record<string, unknown>, throwing).decision).toBe('stop');
    }
    guard.reset();
    expect(guard.step({ fields: { a: false, b: false } }).decision).toBe('allow');
    expect(guard.step({ fields: { a: false, b: false } }, throwing)).toMatchObject({
      decision: 'stop',
      reason: 'irregular-time',
    });
  });
});

function fail(): never {
  throw new Error('hostile');
}

function own(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
