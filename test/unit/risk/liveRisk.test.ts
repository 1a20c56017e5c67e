import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError, InvalidModelError } from '../../../bindings/base/errors.js';
import { Learner } from '../../../bindings/estimation/learning/index.js';
import { VIOLATED } from '../../../bindings/languages/automaton/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { createLiveRisk } from '../../../bindings/rules/risk/index.js';
import type { Specification } from '../../../bindings/rules/specification/index.js';
import { runs, specify, word } from './learnt.js';

const never = specify(`
rules: { noC: { formula: 'G !c', threshold: 0.5 } }
learning: { smoothing: 0 }
`);

function learnerFor(specification: Specification): Learner {
  return new Learner(new Abstraction(specification.abstraction), specification.learning);
}

/** Valuations of the letters. */
const [a, b, c] = [1, 2, 4].map((bits) => Uint32Array.of(bits));

describe('live risks', () => {
  it('are those of the chain that was learnt so far, from none on', () => {
    const learner = learnerFor(never);
    using live = createLiveRisk(never, learner);
    expect(live.start('noC')).toEqual({ lower: 0, upper: 1 });
    expect(live.at('noC', a, 0)).toEqual({ lower: 0, upper: 1 });
    for (const run of runs) learner.add(run);
    expect(live.at('noC', a, 0)).toEqual({ lower: 0, upper: 1 });
    live.update();
    const open = live.automaton('noC')!.initial;
    // The chance that c comes is 2/5 from a and 3/5 from b (see `runs`), and every run starts in a.
    for (const [{ lower, upper }, risk] of [
      [live.at('noC', a, open), 2 / 5],
      [live.at('noC', b, open), 3 / 5],
      [live.start('noC'), 2 / 5],
    ] as const) {
      expect(lower).toBeLessThanOrEqual(risk);
      expect(upper).toBeGreaterThanOrEqual(risk);
      expect(upper - lower).toBeLessThanOrEqual(2e-6);
    }
    const violated = Array.from(live.automaton('noC')!.verdict).indexOf(VIOLATED);
    expect(live.at('noC', c, violated)).toEqual({ lower: 1, upper: 1 });
  });

  it('solve nothing where nothing was learnt, and little where little changed', () => {
    const learner = learnerFor(never);
    for (const run of runs) learner.add(run);
    using live = createLiveRisk(never, learner);
    expect(live.update()).toEqual({ added: 0, replaced: 0, solved: 0, anew: [] });
    learner.add(word('ac'));
    const { added, replaced, solved } = live.update();
    expect(added).toBe(0);
    expect(replaced).toBe(2);
    expect(solved).toBeGreaterThan(0);
  });

  it('span from 0 to 1 in a state that was never left, until it is', () => {
    const learner = learnerFor(never);
    learner.add({ ...word('ab'), complete: false });
    using live = createLiveRisk(never, learner);
    const open = live.automaton('noC')!.initial;
    expect(live.at('noC', b, open)).toEqual({ lower: 0, upper: 1 });
    expect(live.at('noC', a, open)).toEqual({ lower: 0, upper: 1 });
    learner.add(word('b'));
    live.update();
    expect(live.at('noC', a, open)).toEqual({ lower: 0, upper: 0 });
  });

  it('refuse a learner that learns something else, a rule that there is not, and use after they were freed', () => {
    const other = specify(`
rules: { noC: { formula: 'G !c', threshold: 0.5 } }
learning: { smoothing: 1 }
`);
    expect(() => createLiveRisk(never, learnerFor(other))).toThrow(
      'learning.smoothing is 0 in the specification, 1 in the model',
    );
    const live = createLiveRisk(never, learnerFor(never));
    expect(() => live.at('noD', a, 0)).toThrow('has no rule "noD"; did you mean "noC"?');
    live.free();
    expect(() => live.free()).toThrow(InvalidArgumentError);
    expect(() => live.update()).toThrow('these risks were freed already');
    expect(() => live.at('noC', a, 0)).toThrow(InvalidArgumentError);
  });

  it('are unknown after a rule could not be judged, and known again once it can', () => {
    const answered = specify(`
rules: { answered: { formula: 'G (a -> F b)', threshold: 0.5 } }
learning: { smoothing: 0 }
`);
    // For all that was seen, a and c follow each other for ever.
    const endless = learnerFor(answered);
    endless.add({ ...word('acaca'), complete: false });
    expect(() => createLiveRisk(answered, endless)).toThrow(InvalidModelError);
    using later = createLiveRisk(answered, learnerFor(answered));
    later.learner.add({ ...word('acaca'), complete: false });
    expect(() => later.update()).toThrow('answered');
    expect(() => later.start('answered')).toThrow('their last update was not finished: call update()');
    later.learner.add(word('ca'));
    later.update();
    const { lower, upper } = later.start('answered');
    expect(lower).toBeGreaterThan(0.99);
    expect(upper).toBe(1);
  });
});
