import type {
  AbstractionDiagnosis,
  ObservedRate,
  OrderDependence,
  PredicateRole,
  PredicateSuggestions,
  RuleHistory,
} from '../../study/diagnosis/index.js';
import { plural } from './terminal.js';

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const value = (p: number): string => (p < 1e-4 ? p.toExponential(0) : p.toPrecision(2));
const risk = (one: { readonly upper: number }): string => one.upper.toFixed(3);

/** Describes in words whether an abstraction is good enough. */
export function describeDiagnosis({
  order,
  risks,
  rates,
  suggestions,
  predicates,
}: AbstractionDiagnosis): string {
  return [
    ...describeOrder(order),
    ...risks.flatMap(describeShifts),
    '',
    'Predicted and observed violations, learnt from one half of the traces and judged on the other',
    ...(rates === null ? ['  too few traces: no verdict'] : rates.flatMap(describeRate)),
    ...(rates?.length === 0 ? ['  no rule is on whole traces'] : []),
    '',
    ...describeSuggestions(suggestions),
    '',
    'Predicates that could be dropped, one at a time',
    ...describeRoles(predicates),
  ].join('\n');
}

function describeOrder({ level, tested, untested, testedShare, states }: OrderDependence): string[] {
  const dependent = states.filter((state) => state.dependent);
  const few = untested === 0 ? '' : `; ${plural(untested, 'other')} left too seldom, or with one outcome`;
  const verdict =
    tested === 0
      ? 'no verdict: no state was left often enough in different ways'
      : dependent.length === 0
        ? `in none of ${plural(tested, 'state')} tested does what comes next depend on the state before (level ${level}, ${percent(testedShare)} of steps${few})`
        : `in ${dependent.length} of ${plural(tested, 'state')} tested, what comes next depends on the state before (level ${level}, ${percent(testedShare)} of steps${few})`;
  return [
    'The Markov assumption',
    `  ${verdict}`,
    ...dependent.flatMap((state) => [
      `  state ${state.state} (${state.description}): left ${state.draws} times, G = ${state.statistic.toFixed(1)} with ${state.degreesOfFreedom} degrees of freedom, p = ${value(state.adjusted ?? 1)} corrected, ${methods[state.method ?? 'chiSquare']}; histories are ${state.variation.toFixed(2)} apart in total variation, ${state.variationByChance.toFixed(2)} by chance`,
      ...state.effects.map(
        ({ after, draws, next }) =>
          `    after ${after} (${plural(draws, 'time')}): ${next.state} follows in ${percent(next.share)}, otherwise in ${percent(next.otherwise)}`,
      ),
    ]),
  ];
}

const methods = {
  chiSquare: 'by the chi-square distribution',
  excursions: 'by drawn orders of excursions',
  pooled: 'by the chi-square distribution, rare cells merged',
};

function describeShifts({ rule, start, shifts, reason }: RuleHistory): string[] {
  if (start === null) return [`  ${rule}: no risks to compare: ${reason}`];
  if (shifts.length === 0) return [];
  return [
    `  ${rule}: risk before the first step, without smoothing, ${risk(start.firstOrder)}, with histories ${risk(start.secondOrder)}; where it shifts most:`,
    ...shifts
      .slice(0, 5)
      .map(
        (shift) =>
          `    state ${shift.state} (${shift.description}) after ${shift.after} (${plural(shift.draws, 'time')}), automaton ${shift.automatonState}: ${risk(shift.firstOrder)}, with histories ${risk(shift.secondOrder)}`,
      ),
  ];
}

function describeRate(rate: ObservedRate): string[] {
  const { rule, predicted, predictedInterval, violations, runs, unknown, observed, disagrees } = rate;
  const cut = unknown === 0 ? '' : `, ${unknown} cut before it was decided`;
  return [
    `  ${rule}: predicted ${risk(predicted)} (${percent(predictedInterval.confidenceLower)} – ${percent(predictedInterval.confidenceUpper)}), observed ${violations} of ${runs}${cut} (${percent(observed.confidenceLower)} – ${percent(observed.confidenceUpper)}): ${disagrees ? 'they disagree' : 'no contradiction'}`,
    ...(rate.unknownSteps === 0
      ? []
      : [
          `    at ${rate.unknownSteps} of ${plural(rate.steps, 'step')} before a violation no risk is known: the traces learnt from never left such a state`,
        ]),
    ...rate.reliability
      .filter(
        ({ meanRisk, observed: seen }) => meanRisk < seen.confidenceLower || meanRisk > seen.confidenceUpper,
      )
      .map(
        (bin) =>
          `    at a predicted risk of ${bin.from.toFixed(1)} to ${bin.to.toFixed(1)}, on average ${bin.meanRisk.toFixed(3)}: ${bin.violations} of ${plural(bin.runs, 'trace')} (${percent(bin.observed.confidenceLower)} – ${percent(bin.observed.confidenceUpper)})`,
      ),
  ];
}

function describeSuggestions({
  candidates,
  failed,
  targets,
  chosenOn,
  heldOut,
  level,
}: PredicateSuggestions): string[] {
  return [
    `Predicates that would tell more: ${candidates} tried, chosen on ${plural(chosenOn, 'trace')}, judged on ${heldOut} others (level ${level})`,
    ...failed.map(({ name, message }) => `  "${name}" of the pool fails: ${message}`),
    ...(targets.length === 0 ? ['  too few traces: no verdict'] : []),
    ...targets.flatMap(({ rule, suggestions, rejected }) => {
      const what = rule === null ? 'the next state' : `whether ${rule} will be broken`;
      const best =
        rejected === null
          ? 'nothing else seems to tell more'
          : `the best of the others, ${rejected.expression}, is no better than chance on other traces${rejected.heldOut.pValue === null ? ' as far as so few show' : ` (p = ${value(rejected.heldOut.pValue)})`}`;
      return [
        `  for ${what}: ${suggestions.length > 0 ? best : rejected === null ? 'none: nothing tried seems to tell more' : `none; ${best}`}`,
        ...suggestions.flatMap((one) => [
          `    add ${one.name === null ? '' : `${one.name}: `}${one.expression}: ${one.heldOut.gainBits.toFixed(4)} bits a step on other traces, p = ${value(one.heldOut.pValue ?? 1)}`,
          ...one.splits.map(
            ({ description, steps, outcome }) =>
              `      in ${description} (${plural(steps, 'step')}): ${outcome.name} in ${percent(outcome.ifTrue)} where it holds, in ${percent(outcome.ifFalse)} where not`,
          ),
        ]),
      ];
    }),
  ];
}

function describeRoles(roles: readonly PredicateRole[]): string[] {
  const free = roles.filter(({ evidence }) => evidence !== null);
  if (free.length === 0) return ['  none: a rule or a constraint reads each of them'];
  return free.map(({ name, evidence, verdict }) => {
    if (evidence === null) return '';
    if (evidence.follows && verdict === 'drop') {
      return `  ${name}: it could be dropped: in all states seen its value follows from those of the others`;
    }
    const { compared, overlapping, merged, within, largestChange, supported, foretells } = evidence;
    const figures = `${overlapping} of ${compared} certified risks overlap, ${within} of ${merged} merged ones are within them, as learnt they change by ${largestChange.toFixed(3)} at most; foretells the others by ${foretells.gainBits.toFixed(4)} bits a step${foretells.pValue === null ? '' : ` (p = ${value(foretells.pValue)})`}`;
    const words = {
      keep: 'keep it',
      drop: `it could be dropped: data exclude larger differences in ${percent(supported)} of steps`,
      undecided: `nothing was found to differ, but data exclude large differences in ${percent(supported)} of the steps only: no verdict`,
    };
    return `  ${name}: ${words[verdict]} (${figures})`;
  });
}
