import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, NotSupportedError } from '../../../bindings/base/errors.js';
import {
  bindAutomaton,
  buildAutomaton,
  OPEN,
  SATISFIED,
  VIOLATED,
} from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { processorTime } from '../../processorTime.js';

const build = (text: string, samplingPeriod?: number) =>
  buildAutomaton(parseFormula(text), samplingPeriod === undefined ? {} : { samplingPeriod });

/** Verdicts after each position of a word over the automaton's predicates in their order, e.g. `10 01`. */
function verdicts(text: string, word: string): number[] {
  const automaton = build(text);
  const stepper = bindAutomaton(automaton, automaton.predicates);
  let q = automaton.initial;
  return word.split(' ').map((position) => {
    const bits = [...position].reduce((sum, bit, i) => sum + (bit === '1' ? 2 ** i : 0), 0);
    q = stepper.step(q, Uint32Array.of(bits));
    return automaton.verdict[q];
  });
}

describe('buildAutomaton', () => {
  it('violates bounded response exactly K positions after the trigger, not K + 1, and reads the first valuation', () => {
    // p at position 0, no q at 0..K: violated on reading position K.
    expect(verdicts('G (p -> F<=2 q)', '10 00 00 00')).toEqual([OPEN, OPEN, VIOLATED, VIOLATED]);
    expect(verdicts('G (p -> F<=2 q)', '10 00 01 00')).toEqual([OPEN, OPEN, OPEN, OPEN]);
    expect(verdicts('G (p -> F<=0 q)', '11 10')).toEqual([OPEN, VIOLATED]);
  });

  it('keeps the deadline of the oldest open trigger', () => {
    expect(verdicts('G (p -> F<=2 q)', '10 10 10')).toEqual([OPEN, OPEN, VIOLATED]);
    expect(verdicts('G (p -> F<=2 q)', '10 11 00 10 00 00')).toEqual([
      OPEN,
      OPEN,
      OPEN,
      OPEN,
      OPEN,
      VIOLATED,
    ]);
  });

  it('costs K + 2 states for a bounded response', () => {
    for (const deadline of [0, 1, 2, 100]) {
      expect(build(`G (p -> F<=${deadline} q)`).states).toBe(deadline + 2);
    }
    expect(build('G (p -> F q)').states).toBe(2);
    expect(build('G (p & !q -> F<=5 q)').states).toBe(7);
  });

  it('has the sizes that minimal automata have', () => {
    expect(build('G !(a & b)').states).toBe(2);
    expect(build('F a').states).toBe(2);
    expect(build('a U b').states).toBe(3);
    expect(build('X a').states).toBe(4);
    expect(build('a').states).toBe(3);
    expect(build('F[2,4] a').states).toBe(7);
    expect(build('G (a | !a)').states).toBe(1);
    expect(build('a U (a & false)').states).toBe(1);
  });

  it('gives verdicts by good and bad prefixes', () => {
    expect(verdicts('F a', '0 1 0')).toEqual([OPEN, SATISFIED, SATISFIED]);
    expect(verdicts('G a', '1 0 1')).toEqual([OPEN, VIOLATED, VIOLATED]);
    expect(verdicts('a W b', '10 00')).toEqual([OPEN, VIOLATED]);
    expect(verdicts('a W b', '10 01')).toEqual([OPEN, SATISFIED]);
    expect(verdicts('X a', '0 1')).toEqual([OPEN, SATISFIED]);
    expect(verdicts('F[1,2] a', '1 0 0')).toEqual([OPEN, OPEN, VIOLATED]);
  });

  it('counts windows in time as steps, exactly', () => {
    // 0.3 / 0.1 is 2.9999999999999996 in floating point.
    expect(build('G (p -> F[0,0.3s] q)', 0.1).states).toBe(5);
    expect(build('G (p -> F[0,300ms] q)', 0.1)).toEqual(build('G (p -> F<=3 q)'));
    expect(build('F[0.15s,0.3s] p', 0.1)).toEqual(build('F[2,3] p'));
  });

  it('builds a response of 6000 steps with one state and one node of the diagram for each', () => {
    const { states, nodes } = build('G (p & (r | !s) -> F<=6000 q)');
    expect(states).toBe(6002);
    // Three numbers a node, and the two more that tell whether an obligation begins.
    expect(nodes.length).toBe(3 * (6002 + 2));
  });

  it('has the sizes of nested rules that other makers of smallest automata find, too', () => {
    for (const [text, states] of [
      ['F (a & X F (b & X F c))', 4],
      ['G (a -> X b)', 3],
      ['F G a', 2],
      ['G F a', 2],
      ['(G a) & (F b)', 3],
      ['G (a -> O b)', 3],
      // Judged where the trace begins, the past is the first position alone.
      ['H a', 3],
      ['a S b', 3],
      ['G (a -> Y b)', 3],
      ['G (b -> O<=5 a)', 7],
    ] as const) {
      expect(build(text).states, text).toBe(states);
    }
  });

  it('keeps of a window that opens late which of the last steps had a trigger', () => {
    expect(verdicts('G (p -> F[1,2] q)', '10 11 00 00')).toEqual([OPEN, OPEN, OPEN, VIOLATED]);
    for (const late of [1, 2, 3, 4]) {
      const { states } = build(`G (p -> F[${late},8] q)`);
      expect(states).toBeGreaterThan(2 ** late);
      expect(states).toBeLessThanOrEqual(2 ** late * (9 - late) + 1 + late);
    }
  });

  it('keeps of a window in the past that opens late no more than covers it', () => {
    // With b within 3..10 steps: 8 ways how long the last b of at least 3 steps ago still counts, and 7 in which a younger one matters.
    expect(build('G (a -> O[3,10] b)').states).toBe(16);
    expect(build('G (a -> O[20,40] b)').states).toBeLessThan(1500);
    expect(build('G (a -> O>=50 b)').states).toBe(52);
  });

  it.each([
    ['G (p -> F[20,4000] q)', /more than 2\^20 states, for its window begins 20 steps after/],
    ['G (p -> F[17,17] q)', /more than 2\^17 states/],
    ['G (!p | F[30,40] (q & r))', /more than 2\^30 states/],
  ])('refuses %s with its size, and at once', (text, message) => {
    const taken = processorTime(() => {
      expect(() => build(text)).toThrow(NotSupportedError);
      expect(() => build(text)).toThrow(message);
    });
    // The states that it counts instead of making them would take minutes.
    expect(taken).toBeLessThan(5000);
  });

  it.each([
    'G (a -> ((G[8,20] b) | (F[10,20] c)))',
    'G ((a & F[15,16] b) -> F[0,9] c)',
    'G ((F[10,12] a) | (F[11,14] b) | (F[7,9] c))',
  ])('gives %s up by the work that its states take, with the size reached', (text) => {
    const givenUp = (maxStates: number): number => {
      try {
        return buildAutomaton(parseFormula(text), { maxStates }).states;
      } catch (error) {
        expect(error).toBeInstanceOf(NotSupportedError);
        const size = /given up at (\d+) states, some with (\d+) alternatives: .* than (\d+) states should/;
        const [, states, alternatives, limit] = (size.exec(String(error)) ?? []).map(Number);
        expect(limit, String(error)).toBe(maxStates);
        expect(states).toBeLessThan(maxStates);
        return states * alternatives;
      }
    };
    expect(givenUp(2000)).toBeGreaterThan(givenUp(500));
  });

  it('counts states up to maxStates, and more where that is raised', () => {
    const rule = parseFormula('G (a -> F[0,20] (b & F[0,20] c))');
    expect(() => buildAutomaton(rule, { maxStates: 1000 })).toThrow(
      /more than 1000 states: .* raise maxStates/,
    );
    expect(buildAutomaton(rule, { maxStates: 10_000 }).states).toBe(buildAutomaton(rule).states);
    expect(() => buildAutomaton(parseFormula('F<=60 a'), { maxStates: 50 })).toThrow(/at most 50 are made/);
    const product = parseFormula('(G (a -> F<=30 b)) & (G (c -> F<=30 b)) & (G (d -> F<=30 e))');
    expect(() => buildAutomaton(product, { maxStates: 100 })).toThrow(/more than 100 states/);
  });

  it('refuses by no such size what is small all the same', () => {
    for (const text of ['G (p -> F>=20 q)', 'G F[20,40] q']) {
      expect(build(text).states, text).toBeLessThan(1000);
    }
  });

  it('finds the same automaton of a bounded response in one go as by progression', () => {
    for (const k of [0, 1, 2, 7]) {
      // What adds nothing hides the response from the short cut.
      const { predicates, ...longWay } = build(`G (p -> ((F<=${k} q) | F<=${k} (q & r)))`);
      expect(build(`G (p -> F<=${k} q)`)).toEqual({ ...longWay, predicates: predicates.slice(0, 2) });
    }
  });

  it('finds the same automaton of several responses and an invariant in one go as part by part', () => {
    for (const [j, k] of [
      [1, 1],
      [2, 5],
      [6, 3],
    ]) {
      const others = `(G (p -> F<=${j} q)) & (G !(p & r))`;
      const { predicates, ...longWay } = build(`${others} & (G (r -> ((F<=${k} u) | (F<=${k} (u & v)))))`);
      expect(predicates).toEqual(['p', 'q', 'r', 'u', 'v']);
      expect(build(`${others} & (G (r -> F<=${k} u))`)).toEqual({
        ...longWay,
        predicates: predicates.slice(0, 4),
      });
    }
  });

  it('refuses what is no rule about a trace, and what would be too large with its size', () => {
    for (const text of ['P=? [ F a ]', 'X<=2 a', 'Y<=2 a']) {
      expect(() => build(text), text).toThrow(NotSupportedError);
    }
    expect(() => build('G speed > 3')).toThrow(/deriveAbstraction/);
    expect(() => build('F<=2000000 a')).toThrow(/2000000 steps/);
  });

  it('refuses windows that no step falls into and seconds without a sampling period', () => {
    expect(() => build('F[0.11s,0.19s] a', 0.1)).toThrow(InvalidArgumentError);
    expect(() => build('F[0.11s,0.19s] a', 0.1)).toThrow(/empty/);
    expect(() => build('F<=3s a')).toThrow(/sampling period/);
    expect(() => build('F<=3s a', 0)).toThrow(/positive/);
  });
});
