import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError } from '../../../bindings/base/errors.js';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import {
  type ChainView,
  checkProperty,
  stateRisk,
  violationRisk,
} from '../../../bindings/solvers/checker/index.js';
import { dtmcFromRows, type Transition } from '../../../bindings/solvers/model/index.js';
import { chainView } from '../../laws/chains.js';
import { holds, type Position } from '../../oracle/ltlf.js';

const rule = (text: string) => buildAutomaton(parseFormula(text));

/**
 * start, idle, asked (predicate a), done (predicate b), end. From asked the agent answers with 1/2, dawdles with 1/4, and
 * stops with 1/4.
 */
const rows: Transition[][] = [
  [[1, 1]],
  [
    [1, 0.5],
    [2, 0.25],
    [4, 0.25],
  ],
  [
    [1, 0.25],
    [3, 0.5],
    [4, 0.25],
  ],
  [
    [1, 0.5],
    [4, 0.5],
  ],
  [[4, 1]],
];
const chain = chainView(rows, [0b00, 0b01, 0b10], ['a', 'b']);

function expectBetween(lower: number, value: number, upper: number): void {
  expect(lower <= value && value <= upper, `${lower} <= ${value} <= ${upper}`).toBe(true);
  expect(upper - lower).toBeLessThan(1e-5);
}

describe('violationRisk', () => {
  it('agrees with frequencies of simulated runs, with 1 - 1e-6 confidence', () => {
    const formula = parseFormula('G (a -> F<=2 b)');
    const { start } = violationRisk({ chain, automaton: buildAutomaton(formula), atEnd: 'strong' });
    let seed = 42;
    const random = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    const positions: Position[] = [
      { a: false, b: false },
      { a: true, b: false },
      { a: false, b: true },
    ];
    const total = 20_000;
    let broken = 0;
    for (let run = 0; run < total; run++) {
      const trace: Position[] = [];
      for (let s = 1; s !== 4; ) {
        trace.push(positions[s - 1]);
        let left = random();
        s = (rows[s].find(([, p]) => (left -= p) < 0) as Transition)[0];
      }
      if (!holds(formula, trace)) broken++;
    }
    // Hoeffding: the frequency is off by more than this with probability at most 1e-6.
    const margin = Math.sqrt(Math.log(2 / 1e-6) / (2 * total));
    expect(broken / total).toBeGreaterThan(start.lower - margin);
    expect(broken / total).toBeLessThan(start.upper + margin);
    expect(start.lower).toBeGreaterThan(0.05);
  });

  it('counts an obligation that is open when the run ends under strong only', () => {
    const automaton = rule('G (a -> F b)');
    const { lower, upper } = violationRisk({ chain, automaton, atEnd: 'strong' });
    const waiting = automaton.accepting[0] ? 1 : 0;
    // asked and idle, waiting: x = 1/4 i + 1/2 d + 1/4, i = 1/2 i + 1/4 x + 1/4; d, idle and met: d = 1/2 j, j = 1/2 j + 1/4 x.
    // Hence j = x/2, d = x/4, i = x/2 + 1/2, x = 1/2.
    expectBetween(lower[2 * 2 + waiting], 0.5, upper[2 * 2 + waiting]);
    expectBetween(lower[1 * 2 + waiting], 0.75, upper[1 * 2 + waiting]);
    expectBetween(lower[1 * 2 + (1 - waiting)], 0.25, upper[1 * 2 + (1 - waiting)]);
    expect(() => violationRisk({ chain, automaton, atEnd: 'weak' })).toThrow(InvalidArgumentError);
    expect(() => violationRisk({ chain, automaton: rule('F b'), atEnd: 'weak' })).toThrow(/vacuous/);
    expect(() => violationRisk({ chain, automaton: rule('G (a | !a)'), atEnd: 'strong' })).toThrow(/vacuous/);
  });

  it('counts the move to end as a step of the horizon', () => {
    const automaton = rule('F b');
    const idle = 1 * automaton.states + automaton.initial;
    const within = (horizonSteps: number) =>
      violationRisk({ chain, automaton, atEnd: 'strong', horizonSteps });
    expect(within(0).upper[idle]).toBe(0);
    expectBetween(within(1).lower[idle], 0.25, within(1).upper[idle]);
    // 1/4 at once, 1/2 * 1/4 by idle, 1/4 * 1/4 by asked.
    expectBetween(within(2).lower[idle], 0.4375, within(2).upper[idle]);
    expect(() => within(-1)).toThrow(InvalidArgumentError);
    expect(() => within(1.5)).toThrow(/horizon is 1.5/);
  });

  it('finds the risk within further horizons as if each had been asked for alone', () => {
    const dark = chainView(
      rows.map((row, s) => (s === 3 ? [] : row)),
      [0b00, 0b01, 0b10],
      ['a', 'b'],
    );
    for (const view of [chain, dark]) {
      const problem = { chain: view, automaton: rule('G (a -> F<=2 b)'), atEnd: 'strong' as const };
      const { horizons } = violationRisk({ ...problem, horizons: [7, 0, 2, 7, 1, 30] });
      expect([...horizons.keys()]).toEqual([0, 1, 2, 7, 30]);
      for (const [horizonSteps, bounds] of horizons) {
        const { lower, upper } = violationRisk({ ...problem, horizonSteps });
        expect(bounds).toEqual({ lower, upper });
      }
      expect(() => violationRisk({ ...problem, horizons: [1, -1] })).toThrow(/horizon is -1/);
    }
  });

  it('has NaN where no word leads, which no guard allows on', () => {
    const automaton = rule('G !b');
    const { upper } = violationRisk({ chain, automaton, atEnd: 'weak' });
    const open = automaton.initial;
    expect(upper).toHaveLength(10);
    expect(upper[3 * 2 + (1 - open)]).toBe(1);
    // Having read b, the automaton cannot still be open.
    expect(upper[3 * 2 + open]).toBeNaN();
    expect(upper[0]).toBeNaN();
    expect(upper[4 * 2]).toBeNaN();
    expect(0.5 >= upper[3 * 2 + open]).toBe(false);
  });

  it('counts states without data with [0,1], unless the rule is decided there', () => {
    const dark = chainView(
      [
        [[1, 1]],
        [
          [2, 0.25],
          [3, 0.25],
          [4, 0.5],
        ],
        [],
        [[4, 1]],
        [[4, 1]],
      ],
      [0b00, 0b01, 0b10],
      ['a', 'b'],
    );
    const open = rule('G !b').initial;
    const { lower, upper, start } = violationRisk({ chain: dark, automaton: rule('G !b'), atEnd: 'weak' });
    expect([lower[2 * 2 + open], upper[2 * 2 + open]]).toEqual([0, 1]);
    expectBetween(start.lower, 0.25, start.lower + 1e-12);
    expectBetween(start.upper - 1e-12, 0.5, start.upper);
    const decided = violationRisk({ chain: dark, automaton: rule('G !a'), atEnd: 'weak' });
    expect(decided.lower[2 * 2 + (1 - open)]).toBe(1);
    expectBetween(decided.start.lower, 0.25, decided.start.upper);
  });

  it('refuses a strong rule where a run may go on for ever with its obligation open', () => {
    const endless = chainView(
      [
        [[1, 1]],
        [
          [1, 0.5],
          [2, 0.5],
        ],
        [[2, 1]],
        [[3, 1]],
      ],
      [0b00, 0b01],
      ['a', 'b'],
    );
    const problem = { chain: endless, automaton: rule('F b'), atEnd: 'strong' as const };
    expect(() => violationRisk(problem)).toThrow(InvalidModelError);
    expect(() => violationRisk(problem)).toThrow(/from state 1 a run may go on for ever/);
    // Nothing to fulfil, or fulfilled for ever: the missing end does no harm.
    expect(violationRisk({ ...problem, automaton: rule('G !b') }).start.upper).toBe(0);
    expect(violationRisk({ ...problem, automaton: rule('F a') }).start.upper).toBe(0);
    // Behind states never left in the data, whose rows smoothing invented, nothing is demanded.
    const unseen: ChainView = { ...endless, draws: [1, 0, 0, 0] };
    expect(violationRisk({ ...problem, chain: unseen }).start.lower).toBe(0);
  });

  it('solves rules with K = 100 on 64 states in few sweeps over the product states that can be reached', () => {
    const states = 64;
    const big = chainView(
      [
        [[1, 1]],
        ...Array.from({ length: states }, (_, i): Transition[] => [
          [1 + ((i * 7 + 3) % 32), 0.5],
          [33 + ((i * 5 + 1) % 32), 0.4375],
          [states + 1, 0.0625],
        ]),
        [[states + 1, 1]],
      ],
      Array.from({ length: states }, (_, i) => i % 8),
      ['a', 'b', 'c'],
    );
    for (const text of ['G (a -> F<=100 (b & c))', 'G (b -> F<=100 (a & !c))', 'G (c -> F<=100 (a & !b))']) {
      const solution = violationRisk({ chain: big, automaton: rule(text), atEnd: 'weak' });
      const { nodes, transitions, iterations, upper } = solution;
      expect(nodes).toBeGreaterThan(3000);
      expect(nodes).toBeLessThan(64 * 102);
      expect(transitions).toBeLessThanOrEqual(3 * nodes);
      expect(iterations).toBeLessThan(200);
      expect(Math.max(...upper.filter((risk) => !Number.isNaN(risk)))).toBe(1);
    }
  });
});

describe('stateRisk', () => {
  const model = dtmcFromRows(rows, {
    labels: { start: [0], end: [4], a: [2], b: [3], moving: [1, 2, 3] },
    parameters: { foreguard: {} },
  });
  const risk = (text: string) => stateRisk(model, parseFormula(text));

  it('is the probability of the path under an upper bound and of its negation under a lower one', () => {
    const reach = risk('P<0.1 [ F b ]');
    const avoid = risk('P>=0.9 [ F b ]');
    // i = 1/2 i + 1/4 x, x = 1/4 i + 1/2: i = 2/7, x = 4/7.
    expectBetween(reach.lower[1], 2 / 7, reach.upper[1]);
    expectBetween(reach.lower[0], 2 / 7, reach.upper[0]);
    expectBetween(avoid.lower[2], 3 / 7, avoid.upper[2]);
    expect(avoid.upper[3]).toBe(0);
  });

  it('goes on in end, where every predicate is false: G moving has probability 0 there, moving W end has not', () => {
    expectBetween(risk('P>0.5 [ G moving ]').lower[1], 1, risk('P>0.5 [ G moving ]').upper[1]);
    expectBetween(risk('P>0.5 [ moving W "end" ]').lower[1], 0, risk('P>0.5 [ moving W "end" ]').upper[1]);
    expect(checkProperty(model, parseFormula('P>0 [ G moving ]')).value).toBe(false);
    // The same formula as a rule on finite traces is never violated by these runs.
    const moving = chainView(rows, [1, 1, 1], ['moving']);
    expect(violationRisk({ chain: moving, automaton: rule('G moving'), atEnd: 'strong' }).start.upper).toBe(
      0,
    );
  });

  it('asks for a bound', () => {
    expect(() => risk('P=? [ F b ]')).toThrow(InvalidArgumentError);
    expect(() => risk('G b')).toThrow(/not a bound on a probability/);
  });
});
