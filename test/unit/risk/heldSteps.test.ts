import { expect, it } from 'vitest';
import { InvalidDataError } from '../../../bindings/base/errors.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import '../../../bindings/solvers/kernel/inline.js';
import {
  Learner,
  type LearningParameters,
  learn,
  learnMdp,
} from '../../../bindings/estimation/learning/index.js';
import { certify, certifyMdp, compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';

const source = (policy: string, more = '') => `version: 1
samplingPeriod: 0.1s
resample: ${policy}
predicates: { broken: 'broken' }
rules: { whole: { formula: 'G !broken', threshold: 0.5, horizonSteps: 10 } }
learning: { smoothing: 0 }
${more}`;
const held = parseSpecification(source('hold'));
// A machine that breaks one second after it was started, every time, recorded once a second.
const runs = Array.from({ length: 500 }, (_, i) => ({
  id: `${i}`,
  steps: [false, true].map((broken, time) => ({ state: { broken }, time, action: { name: 'work' } })),
}));
const learnt = async () => (await learn(new Abstraction(held.abstraction), runs, held.learning)).model;

/** The model as it would be if its steps had been recorded. */
function asRecorded(model: Dtmc): Dtmc {
  const { foreguard } = model.parameters as { foreguard: LearningParameters };
  return {
    ...model,
    parameters: { foreguard: { ...foreguard, resampled: { ...foreguard.resampled!, held: 0 } } },
  };
}

it('steps that were held are no draws: counted as such they would make a certificate that is false', async () => {
  const model = await learnt();
  expect(() => certify(held, model)).toThrow(InvalidDataError);
  expect(() => certify(held, model)).toThrow('4,500 of 5,500 steps were held, not recorded');
  // Within ten steps the machine breaks for certain; ten draws, nine of which stay, would say in about 1 - 0.9^10 of all cases.
  const [rule] = certify(held, asRecorded(model)).rules;
  const open = rule.entries.filter(({ verdict }) => verdict === 'open');
  expect(open).toHaveLength(1);
  expect(open[0].confidenceUpper).toBeLessThan(0.75);
});

it('are refused by all that bounds the agent: of decision processes, in guards that decide on confidence, in drift', async () => {
  const process = await learnMdp(new Abstraction(held.abstraction), runs, held.learning);
  const specification = parseSpecification(
    source('hold').replace('smoothing: 0', 'smoothing: 0, model: mdp').replace(', horizonSteps: 10', ''),
  );
  expect(() => certifyMdp(specification, process.model)).toThrow('4,500 of 5,500 steps were held');
  for (const more of ['decideOn: confidenceUpper', 'drift: { falseAlarmRate: 0.01 }']) {
    const deciding = parseSpecification(source('hold', more));
    const model = await learnt();
    expect(() => compileGuard(deciding, model)).toThrow('4,500 of 5,500 steps were held');
    expect(() => compileGuard(deciding, asRecorded(model))).not.toThrow();
  }
});

it('a model that does not say whether steps were held is certified no more than one that says so', async () => {
  const model = await learnt();
  const { foreguard } = model.parameters as { foreguard: LearningParameters };
  const { resampled: _, ...untold } = foreguard;
  expect(() => certify(held, { ...model, parameters: { foreguard: untold } })).toThrow(
    'does not say whether steps were held',
  );
});

it('a learner keeps the count when it is saved and merged, and finds it in one saved without', async () => {
  const one = new Learner(new Abstraction(held.abstraction), { ...held.learning, id: 'one' });
  for (const run of runs.slice(0, 10)) one.add(run);
  const counted = { steps: 110, held: 90, missing: 90, leftOut: 0 };
  const restored = (text: string) => Learner.restore(text).chain().report.resampled;
  expect(restored(one.save())).toEqual(counted);
  const before = JSON.parse(one.save());
  before.counts.reading.resampled = { missing: 90, leftOut: 0 };
  expect(restored(JSON.stringify(before))).toEqual(counted);
});

it('steps that a reader held are counted like those that resampling holds', async () => {
  const even = parseSpecification(source('error').replace('0.1s', '1s'));
  const [first, ...others] = runs;
  const { model, report } = await learn(
    new Abstraction(even.abstraction),
    [{ ...first, heldSteps: 1 }, ...others],
    even.learning,
  );
  expect(report.resampled).toEqual({
    steps: 1000,
    held: 1,
    missing: 0,
    leftOut: 0,
    onTime: { gaps: 500, seconds: 500 },
  });
  expect(() => certify(even, model)).toThrow('1 of 1,000 steps were held');
});
