import { InvalidArgumentError } from '../../base/errors.js';
import { type Guard, type GuardRule, type Judge, MAX_PENDING, type Strategy } from '../guard/index.js';
import { requireFree, takeFor } from './followedRuns.js';
import { GuardRun } from './guardRun.js';
import { hashOf } from './hashOf.js';

const judges = new WeakMap<Guard, Judge>();

/** A guard, learnt or of rules alone, as a judge: always the same one. It follows one run at a time. */
export function guardJudge(guard: Guard): Judge {
  const known = judges.get(guard);
  if (known !== undefined) return known;
  const { file } = guard;
  const { samplingPeriodSeconds: period, specificationHash: specification, modelHash: model } = file;
  const strategies = strategiesOf(guard);
  const judge: Judge = {
    name: 'guard',
    get hash() {
      return hashOf(file);
    },
    decisions: strategies,
    idleDecisions: [...strategies, ...(file.onIdle === undefined ? [] : [file.onIdle].flat())],
    needs: {
      // Without a clock, rules that count sampling periods would count calls, however many the agent makes.
      ...(period !== null && {
        clock: `the guard's rules count sampling periods of ${period} s, and the session has no clock: each call would count as a period`,
      }),
      reads: (field) => {
        const named = new RegExp(`\\b${field}\\b`);
        return file.predicates.some(({ expression }) => named.test(expression));
      },
      ...(file.detectors !== undefined && { detectors: file.detectors }),
      // A guard of a chain does not know the effects of calls, and judges a call beside others as if they did nothing.
      pending: file.actions === undefined ? 0 : MAX_PENDING,
    },
    about: { specification, model },
    begin(run) {
      requireFree(guard);
      requireSeen(guard);
      const begun = new GuardRun(guard, run);
      takeFor(guard, run.id);
      return begun;
    },
  };
  judges.set(guard, judge);
  return judge;
}

/** No rule would see the calls that resampling leaves out. */
function requireSeen({ file, readsActions }: Guard): void {
  const { samplingPeriodSeconds: period, resample = 'error' } = file;
  if (period === null || !readsActions || resample === 'error') return;
  throw new InvalidArgumentError(
    `predicates of the guard read the action, and resample: ${resample} leaves out what comes before its time, so that no rule would see a call made less than ${period} s after the one before; choose resample: error, or leave samplingPeriod out`,
  );
}

/** All strategies that a guard may ever use on a call. */
function strategiesOf({ file }: Guard): Strategy[] {
  const strategies: Strategy[] = file.rules.flatMap((rule) => [
    ...rule.levels.map(({ strategy }) => strategy),
    // A shield that chooses its own response names neither of the two.
    ...(rule.shieldChooses ? ([{ kind: 'reflect' }, { kind: 'block' }] as const) : []),
    ...(mayReflect(rule) ? rule.escalate : []),
    rule.afterViolation,
    rule.onFailure,
  ]);
  for (const policy of [file.onUnknown, file.onUntried, file.onUnreadable])
    if (policy !== undefined && policy !== 'rule' && policy !== 'allow') strategies.push({ kind: policy });
  if (file.drift !== undefined) strategies.push({ kind: file.drift.onDrift });
  // A shield permits nothing beside too many calls.
  if (file.actions !== undefined) strategies.push({ kind: 'block' });
  return strategies;
}

function mayReflect({ levels, shieldChooses }: GuardRule): boolean {
  return shieldChooses === true || levels.some(({ strategy }) => strategy.kind === 'reflect');
}
