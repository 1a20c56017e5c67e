import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learnMdp, readLearntMdp } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { policyEffect } from '../../bindings/proofs/policyProof/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification, type Specification } from '../../bindings/rules/specification/index.js';
import { createGuard, openTables } from '../../bindings/runtime/guard/index.js';
import { BitSet, type MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import { ExactChain } from '../oracle/chain.js';
import { ExactMdp } from '../oracle/mdp.js';
import { Rational } from '../oracle/rational.js';
import { BAD, below, randomRuns, stateOf } from './actionWorlds.js';

const RUNS = Number(process.env.LAWS_RUNS ?? 1);
const END = BAD + 1;
const TOOLS = ['a', 'b', 'c'] as const;
/** Arguments of calls are 0 to 3. */
const MOST = 3;

/** A condition as text, and as what it means. */
interface Condition {
  readonly text: string;
  readonly holds: (x: number, k: number) => boolean;
}

function randomCondition(random: Random, depth = 2): Condition {
  const pick = below(random, depth === 0 ? 4 : 7);
  const n = below(random, 5);
  switch (pick) {
    case 0:
      return { text: `x == ${n}`, holds: (x) => x === n };
    case 1:
      return { text: `x < ${n}`, holds: (x) => x < n };
    case 2:
      return { text: `k == ${n}`, holds: (_, k) => k === n };
    case 3:
      return { text: `k >= ${n}`, holds: (_, k) => k >= n };
  }
  const one = randomCondition(random, depth - 1);
  if (pick === 4) return { text: `!(${one.text})`, holds: (x, k) => !one.holds(x, k) };
  const other = randomCondition(random, depth - 1);
  return pick === 5
    ? { text: `(${one.text} && ${other.text})`, holds: (x, k) => one.holds(x, k) && other.holds(x, k) }
    : { text: `(${one.text} || ${other.text})`, holds: (x, k) => one.holds(x, k) || other.holds(x, k) };
}

/** Policies over some of the tools: as a file has them, and what they permit. */
function randomPolicies(random: Random): {
  text: string;
  permits: (tool: string, x: number, k: number) => boolean;
} {
  const covered = TOOLS.filter(() => below(random, 3) > 0);
  if (covered.length === 0) covered.push('a');
  const open = below(random, 2) === 0;
  const policies = covered.map((tool) => ({
    tool,
    permit: [randomCondition(random), ...(below(random, 2) === 0 ? [randomCondition(random)] : [])],
    forbid: below(random, 2) === 0 ? [randomCondition(random)] : [],
  }));
  const conditions = (all: readonly Condition[]): string =>
    `{ ${all.map(({ text }, i) => `c${i}: '${text}'`).join(', ')} }`;
  const lines = policies.map(
    ({ tool, permit, forbid }) =>
      `  of_${tool}: { tools: [${tool}], permit: ${conditions(permit)}, forbid: ${conditions(forbid)} }`,
  );
  return {
    text: `inputs: { x: { from: state.x, integer: [0, 4] }, k: { integer: [0, ${MOST}] } }
policies:
${lines.join('\n')}
uncoveredTools: ${open ? 'permit' : 'deny'}`,
    permits: (tool, x, k) => {
      const own = policies.filter((one) => one.tool === tool);
      if (own.length === 0) return open;
      return own.every(
        ({ permit, forbid }) =>
          permit.some((one) => one.holds(x, k)) && !forbid.some((one) => one.holds(x, k)),
      );
    },
  };
}

const specificationWith = (policies: string): Specification =>
  parseSpecification(`version: 1
predicates: { one: 'x == 1 || x == 3', two: 'x == 2 || x == 3', bad: 'x == 4' }
actions: { a: { big: 'k >= 2' }, b: { big: 'k >= 2', odd: 'k == 1 || k == 3' } }
rules: { safe: { formula: 'G !bad', threshold: 0.5 } }
learning: { model: mdp, smoothing: 0 }
${policies}`);

/** The abstraction of a call, by hand. */
function abstractionOf(tool: string, k: number): string {
  const big = k >= 2 ? 'big' : '!big';
  if (tool === 'a') return `a[${big}]`;
  return tool === 'b' ? `b[${big}, ${k % 2 === 1 ? 'odd' : '!odd'}]` : 'c';
}

/** Recordings in which each call has an argument. */
function runsWithArguments(random: Random, count: number): Trace[] {
  return randomRuns(random, count, below(random, 2) === 0).map((trace) => ({
    ...trace,
    steps: trace.steps.map((step) =>
      step.action ? { ...step, action: { ...step.action, arguments: { k: below(random, MOST + 1) } } } : step,
    ),
  }));
}

/** How often each choice (null: none) was made in each state x, and what came of it. */
type Counts = Map<number, Map<string | null, Map<number, number>>>;

function countsOf(traces: readonly Trace[]): Counts {
  const counts: Counts = new Map();
  for (const { steps } of traces)
    steps.forEach(({ state, action }, i) => {
      const x = state.x as number;
      const name = action ? abstractionOf(action.name, (action.arguments as { k: number }).k) : null;
      const choices = counts.get(x) ?? new Map();
      counts.set(x, choices);
      const outcomes = choices.get(name) ?? new Map();
      choices.set(name, outcomes);
      const next = i + 1 < steps.length ? (steps[i + 1].state.x as number) : END;
      outcomes.set(next, (outcomes.get(next) ?? 0) + 1);
    });
  return counts;
}

/** Pairs of which every call is denied: all calls are tried. */
function forbiddenBy(permits: (tool: string, x: number, k: number) => boolean, x: number): Set<string> {
  const all = new Map<string, boolean>();
  for (const tool of TOOLS)
    for (let k = 0; k <= MOST; k++) {
      const name = abstractionOf(tool, k);
      all.set(name, (all.get(name) ?? false) || permits(tool, x, k));
    }
  return new Set([...all].filter(([, isOpen]) => !isOpen).map(([name]) => name));
}

/** The choices that are left in a state, with their shares and outcomes as fractions; the end of the run where none is left. */
function choicesLeft(
  choices: ReadonlyMap<string | null, ReadonlyMap<number, number>>,
  forbidden: Set<string>,
) {
  const sum = (outcomes: ReadonlyMap<number, number>) => [...outcomes.values()].reduce((a, b) => a + b, 0);
  const left = [...choices].filter(([name]) => name === null || !forbidden.has(name));
  if (left.length === 0) return [{ name: null, share: 1, outcomes: new Map([[END, 1]]), draws: 1, ends: 1 }];
  const total = left.reduce((all, [, outcomes]) => all + sum(outcomes), 0);
  return left.map(([name, outcomes]) => ({
    name,
    share: sum(outcomes) / total,
    outcomes,
    draws: sum(outcomes),
    ends: outcomes.get(END) ?? 0,
  }));
}

/** The agent's chain and its decision process, over the states x, the bad one and the end. */
function exactModels(counts: Counts, forbiddenAt: (x: number) => Set<string>) {
  const rows: Map<number, Rational>[] = [];
  const matrix = { group: [0], row: [0], columns: [] as number[], values: [] as number[] };
  const stay = (s: number): void => {
    rows[s] = new Map([[s, Rational.ONE]]);
    matrix.columns.push(s);
    matrix.values.push(1);
    matrix.row.push(matrix.columns.length);
  };
  for (let s = 0; s <= END; s++) {
    const choices = counts.get(s);
    if (s >= BAD || choices === undefined) stay(s);
    else {
      rows[s] = new Map();
      for (const { name, outcomes, draws, ends } of choicesLeft(choices, forbiddenAt(s))) {
        // Doing nothing is judged by the steps that went on, if some did.
        const leavesOut = name === null && ends > 0 && ends < draws;
        for (const [t, count] of [...outcomes].sort(([one], [other]) => one - other)) {
          if (leavesOut && t === END) continue;
          matrix.columns.push(t);
          matrix.values.push(count / (leavesOut ? draws - ends : draws));
        }
        matrix.row.push(matrix.columns.length);
      }
      const left = choicesLeft(choices, forbiddenAt(s));
      const total = left.reduce((all, { draws }) => all + draws, 0);
      for (const { outcomes } of left)
        for (const [t, count] of outcomes)
          rows[s].set(t, (rows[s].get(t) ?? Rational.ZERO).plus(new Rational(BigInt(count), BigInt(total))));
    }
    matrix.group.push(matrix.row.length - 1);
  }
  const mdp: MdpMatrix = {
    rowGroupStart: Uint32Array.from(matrix.group),
    rowStart: Uint32Array.from(matrix.row),
    columns: Uint32Array.from(matrix.columns),
    values: Float64Array.from(matrix.values),
  };
  const [everywhere, target] = [BitSet.full(END + 1), BitSet.of(END + 1, [BAD])];
  const process = new ExactMdp(mdp);
  return {
    asAgent: new ExactChain(rows).until(everywhere, target),
    least: process.until('min', everywhere, target),
    most: process.until('max', everywhere, target),
  };
}

/** Rounding of the six digits of a guard file, and of rows that are mixed as doubles. */
const SLACK = 1e-12;

function expectBetween(bounds: { lower: number; upper: number }, exact: Rational): void {
  expect(exact.compare(bounds.lower - SLACK)).toBeGreaterThanOrEqual(0);
  expect(exact.compare(bounds.upper + SLACK)).toBeLessThanOrEqual(0);
  expect(bounds.upper - bounds.lower).toBeLessThan(1e-5);
}

async function worldOf(seed: number) {
  const random = new Random(seed, 23);
  const { text, permits } = randomPolicies(random);
  const specification = specificationWith(text);
  const traces = runsWithArguments(random, 60);
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  const effect = await policyEffect(specification, model);
  return { random, specification, permits, traces, model, effect };
}

describe('the agent under its policies', () => {
  it('loses the pairs of which every call is denied, and no others', async () => {
    let dropped = 0;
    let kept = 0;
    for (let seed = 1; seed <= 30 * RUNS; seed++) {
      const { permits, model, effect } = await worldOf(seed);
      const { actions, stateOf: ofRow, valuations } = readLearntMdp(model);
      actions.forEach((name, row) => {
        if (name === null) {
          expect(effect.forbidden.has(row)).toBe(false);
          return;
        }
        const bits = valuations[ofRow[row]];
        const x = bits & 4 ? BAD : bits & 3;
        const expected = forbiddenBy(permits, x).has(name);
        if (expected) dropped++;
        else kept++;
        expect(effect.forbidden.has(row), `seed ${seed}: ${name} at ${x}`).toBe(expected);
      });
    }
    expect(Math.min(dropped, kept)).toBeGreaterThan(100);
  });

  it('has the risks of the process that is left, as fractions', async () => {
    let ended = 0;
    let changed = 0;
    for (let seed = 1; seed <= 8 * RUNS; seed++) {
      const { specification, permits, traces, model, effect } = await worldOf(seed);
      const file = compileGuard(specification, model, { policies: effect, precision: 1e-10 });
      const counts = countsOf(traces);
      const exact = exactModels(counts, (x) => forbiddenBy(permits, x));
      const [rule] = file.rules;
      const { risk, least, most } = openTables(rule);
      const recorded = openTables(compileGuard(specification, model).rules[0]).risk;
      const q = rule.automaton.initial;
      file.states.draws.forEach((_, s) => {
        const { x } = stateOf(file, s);
        if (x === BAD) return;
        expectBetween({ lower: risk.lower(s, q), upper: risk.upper(s, q) }, exact.asAgent[x]);
        expectBetween({ lower: least!.lower(s, q), upper: least!.upper(s, q) }, exact.least[x]);
        expectBetween({ lower: most!.lower(s, q), upper: most!.upper(s, q) }, exact.most[x]);
        if (Math.abs(recorded.upper(s, q) - risk.upper(s, q)) > 0.01) changed++;
        const gone = choicesLeft(counts.get(x)!, forbiddenBy(permits, x));
        if (gone.length === 1 && gone[0].outcomes.get(END) === 1) ended++;
      });
    }
    expect(ended).toBeGreaterThan(0);
    expect(changed).toBeGreaterThan(5);
  });

  it('is offered no way out that its policies forbid', async () => {
    for (let seed = 1; seed <= 8 * RUNS; seed++) {
      const { specification, permits, traces, model, effect } = await worldOf(seed);
      const guard = createGuard(compileGuard(specification, model, { policies: effect }));
      for (const [x, choices] of countsOf(traces)) {
        guard.reset();
        guard.step({ x });
        const offered = guard.permitted({ x }).actions.map(({ name }) => name);
        const forbidden = forbiddenBy(permits, x);
        expect(new Set(offered)).toEqual(
          new Set([...choices.keys()].filter((name) => name === null || !forbidden.has(name))),
        );
      }
    }
  });
});
