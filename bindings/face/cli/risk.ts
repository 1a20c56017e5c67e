import { InvalidArgumentError } from '../../base/errors.js';
import * as outward from '../../base/outward.js';
import { agentChain } from '../../estimation/learning/index.js';
import type { TraceNote } from '../../observations/trace/index.js';
import {
  durationInSteps,
  type RuleRiskTable,
  type RuleTime,
  type RuleTimes,
  riskTable,
  timeToViolation,
  withoutRules,
} from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { between, downward, upperWithin, upward } from './certifiedNumbers.js';
import { loadLearntModel, loadSpecification } from './inputs.js';
import { describeJoint, type JointCommandOptions, joint, namesOf } from './jointRisk.js';
import { judgedModel, requireJudged } from './judgedModel.js';
import { notesOnPrediction } from './notesOnPrediction.js';
import { parseCount, parseDurations, parseHorizons, parsePrecision, parseTimeHorizon } from './numbers.js';
import { describeSampledModel, learntNotes, resampleNotes, sampledOf } from './sampled.js';
import { ruleHead, shownState } from './shownRule.js';
import { type Outcome, Progress, plural, type Terminal, table } from './terminal.js';
import { underPolicies } from './underPolicies.js';
import { describeRest, MAX_SHOWN, worst } from './worstEntries.js';

interface RiskCommandOptions extends JointCommandOptions {
  readonly spec: string;
  readonly model: string;
  readonly precision: string;
  readonly horizons?: string;
  readonly within?: string;
  readonly time?: string | boolean;
  /** Number of rows of a rule to print. */
  readonly top?: string;
  readonly all?: boolean;
  readonly strict?: boolean;
}

/** A requested horizon with its heading: `5` or `3s`; if steps have no fixed duration, the heading of `3s` is its number of steps. */
export interface NamedHorizon {
  readonly name: string;
  readonly steps: number;
}

/** `foreguard risk`: the risk of every rule in every state, worst first. */
export async function risk(options: RiskCommandOptions, terminal: Terminal): Promise<Outcome> {
  requireFitting(options);
  const learnt = await loadLearntModel(options.model);
  const judged = judgedModel(await loadSpecification(options.spec), learnt, options.strict);
  const { notJudged } = judged;
  const under = await underPolicies(judged.specification, learnt);
  const proven = [...(under.effect?.proven ?? [])].map(([name, provenBy]) => ({ name, provenBy }));
  const specification = withoutRules(judged.specification, under.effect?.proven);
  const model = under.model.type === 'mdp' ? agentChain(under.model) : under.model;
  const notes = [
    ...judged.notes,
    ...learntNotes(model, options.model),
    ...resampleNotes(specification, model),
    ...stretchNotes(options, specification),
    ...horizonNotes(options, specification),
    ...notesOnPrediction(specification),
    ...under.notes,
  ];
  const policies = under.takenAway && { policies: under.takenAway };
  const horizons = namedHorizons(options, specification);
  const shown = options.all ? Number.POSITIVE_INFINITY : (parseCount('--top', options.top) ?? MAX_SHOWN);
  const progress = new Progress(terminal);
  const solve = {
    precision: parsePrecision(options.precision),
    horizons: horizons.map(({ steps }) => steps),
    onProgress: ({ fraction }: { readonly fraction: number }) =>
      progress.show(() => `${(100 * fraction).toFixed(0)}% of states solved`),
  };
  try {
    if (options.joint !== undefined) {
      requireJudged(judged, namesOf(options.joint));
      const names = namesOf(options.joint).filter((name) => !under.effect?.proven.has(name));
      if (names.length === 0)
        throw new InvalidArgumentError(
          'no risk is left of these rules: it is proved that policies keep them all',
        );
      const found = joint(specification, model, { ...options, joint: names.join(',') }, solve);
      return {
        json: { ...found, ...policies, resampled: sampledOf(model), notes },
        text: [...describeSampledModel(model), withNotes(notes, describeJoint(found, horizons, shown))].join(
          '\n',
        ),
      };
    }
    const risks = riskTable(specification, model, solve);
    const horizon = parseTimeHorizon(options.time);
    const times = risks.rules.map(({ name, evaluation }) =>
      horizon === undefined || evaluation === 'state'
        ? undefined
        : timeToViolation(specification, model, name, { precision: solve.precision, horizon }),
    );
    return {
      json: {
        ...risks,
        ...policies,
        ...(proven.length > 0 && { proven }),
        resampled: sampledOf(model),
        rules: risks.rules.map((rule, i) => withTimes(rule, times[i])),
        notJudged,
        notes,
      },
      text: withNotes(
        notes,
        [
          ...describeSampledModel(model),
          ...risks.rules.map((rule, i) => describeRule(rule, horizons, times[i], shown)),
        ].join('\n\n'),
      ),
    };
  } finally {
    progress.clear();
  }
}

/** The text with notes below it. */
function withNotes(notes: readonly TraceNote[], text: string): string {
  return notes.length === 0 ? text : `${text}\n\n${notes.map(({ message }) => message).join('\n')}`;
}

/** @throws InvalidArgumentError if one of two options would be ignored silently */
function requireFitting({ joint, fromStart, maxStates, time }: RiskCommandOptions): void {
  if (joint !== undefined) {
    if (time === undefined) return;
    throw new InvalidArgumentError('--time applies to each rule by itself; leave out --time or --joint');
  }
  const ignored = fromStart ? '--from-start' : maxStates === undefined ? undefined : '--max-states';
  if (ignored !== undefined) throw new InvalidArgumentError(`${ignored} applies only with --joint RULES`);
}

function namedHorizons(
  { horizons, within }: Pick<RiskCommandOptions, 'horizons' | 'within'>,
  specification: Specification,
): NamedHorizon[] {
  return [
    ...parseHorizons(horizons).map((steps) => ({ name: String(steps), steps })),
    ...parseDurations(within).map((duration) => {
      const steps = durationInSteps(duration, specification);
      return { name: specification.resample === 'skip' ? String(steps) : duration, steps };
    }),
  ];
}

/** Notes for requested times if steps may last longer than the sampling period: the results count steps, and how many. */
function stretchNotes(
  { within, time }: Pick<RiskCommandOptions, 'within' | 'time'>,
  specification: Specification,
): TraceNote[] {
  const { resample, samplingPeriodSeconds: period, source } = specification;
  if (resample !== 'skip' || period === null || (within === undefined && time === undefined)) return [];
  const ahead = typeof time === 'string' && /s$/.test(time) ? [time] : [];
  const counted = [...parseDurations(within), ...ahead].map((duration) => {
    const steps = durationInSteps(duration, specification);
    return `; ${duration} is taken for ${plural(steps, 'step')}, which ${steps === 1 ? 'lasts' : 'last'} ${duration} or longer`;
  });
  return [
    {
      source,
      message: `under resample: skip a step lasts ${period} s or longer, so that times are told in steps, not in seconds${counted.join('')}`,
    },
  ];
}

/** What is told of violations that come ever, though the rule is about those within a horizon. */
function horizonNotes(
  { joint: together, time }: Pick<RiskCommandOptions, 'joint' | 'time'>,
  { rules, source }: Specification,
): TraceNote[] {
  const names = together === undefined ? undefined : namesOf(together);
  if (names === undefined && time === undefined) return [];
  return rules.flatMap(({ name, horizonSteps }) => {
    if (horizonSteps === null || names?.includes(name) === false) return [];
    const ever =
      names === undefined
        ? `--time is about violations at any time, not only within the rule's horizonSteps of ${horizonSteps}`
        : `the joint risk is that of violations at any time, not only within the rule's horizonSteps of ${horizonSteps}; --horizons ${horizonSteps} adds the joint risk within as many steps`;
    return [{ source, message: `rule "${name}": ${ever}` }];
  });
}

/** The rule with its times to violation beside each risk. */
function withTimes(rule: RuleRiskTable, times: RuleTimes | undefined): unknown {
  if (times === undefined) return rule;
  const timeOf = timesByState(times);
  return {
    ...rule,
    time: {
      horizonSteps: times.horizonSteps,
      samplingPeriodSeconds: times.samplingPeriodSeconds,
      start: times.start,
    },
    entries: rule.entries.map((entry) => {
      const time = timeOf(entry);
      return time === undefined ? entry : { ...entry, time };
    }),
  };
}

function timesByState(
  times: RuleTimes | undefined,
): (entry: { state: number; automatonState: number }) => RuleTime | undefined {
  const known = new Map(
    (times?.entries ?? []).map((entry) => {
      const { risk, expectedSteps, within, quantiles } = entry;
      return [`${entry.state},${entry.automatonState}`, { risk, expectedSteps, within, quantiles }];
    }),
  );
  return ({ state, automatonState }) => known.get(`${state},${automatonState}`);
}

const nearest = (value: number, digits: number): string => value.toFixed(digits);

/** Digits of a time in seconds; further digits are rounding errors of the product. */
const PRODUCT_DIGITS = 12;

/** Columns of times, in seconds if the specification has a sampling period. */
const TIME_HEADERS = ['mean', 'half by'];

function timeCells(time: RuleTime | undefined, secondsAStep: number | null): string[] {
  if (time === undefined || time.expectedSteps === null) return ['', ''];
  const written = (steps: number, digits: number, round = nearest): string =>
    secondsAStep === null
      ? round(steps, digits)
      : `${round(Number((steps * secondsAStep).toPrecision(PRODUCT_DIGITS)), 2)} s`;
  const { lower, upper } = time.expectedSteps;
  const half = time.quantiles.find(({ part }) => part === 0.5)?.steps;
  return [
    upper === Infinity ? `${written(lower, 1, outward.downward)}…` : written((lower + upper) / 2, 1),
    half === undefined || half === null
      ? ''
      : half.upper === Infinity
        ? `${written(half.lower, 0, outward.downward)}…`
        : written(half.upper, 0, outward.upward),
  ];
}

function describeRule(
  rule: RuleRiskTable,
  horizons: readonly NamedHorizon[],
  times: RuleTimes | undefined,
  shown: number,
): string {
  const { horizonSteps, start, entries } = rule;
  // With a window, the same state may be open in several ways, at different risks; the automaton's state distinguishes them.
  const open = new Set(
    entries.filter(({ verdict }) => verdict === 'open').map(({ automatonState }) => automatonState),
  );
  const history = open.size > 1;
  const timeOf = timesByState(times);
  const period = times?.samplingPeriodSeconds ?? null;
  const listed = worst(entries, shown);
  const rows = listed.map((entry) => [
    upward(entry.upper),
    downward(entry.lower),
    ...horizons.map(({ steps }) => upperWithin(entry, steps)),
    ...(times === undefined ? [] : timeCells(timeOf(entry), period)),
    entry.draws === 0 ? 'unknown' : String(entry.draws),
    entry.verdict,
    ...(history ? [String(entry.automatonState)] : []),
    shownState(entry),
  ]);
  const header = [
    'risk',
    'at least',
    ...horizons.map(({ name }) => `in ${name}`),
    ...(times === undefined ? [] : TIME_HEADERS),
    'seen',
    'verdict',
    ...(history ? ['automaton'] : []),
    'state',
  ];
  return [
    ...ruleHead(rule),
    `before the first step: ${between(start)}`,
    ...(times === undefined ? [] : [describeTimes(times, horizonSteps)]),
    table(header, rows),
    ...describeRest(entries, listed, ({ upper }) => upper),
  ].join('\n');
}

function describeTimes(
  { start, samplingPeriodSeconds, horizonSteps }: RuleTimes,
  ruleHorizon: number | null,
): string {
  const unit = samplingPeriodSeconds === null ? 'steps' : 'seconds';
  const ever = ruleHorizon === null ? '' : `, ever and not only within ${plural(ruleHorizon, 'step')}`;
  const head = `when a violation comes${ever}, in ${unit}:`;
  if (start.expectedSteps === null) return `${head} none can come`;
  const [mean, half] = timeCells(start, samplingPeriodSeconds);
  const missing = start.quantiles.some(({ steps }) => steps?.upper === Infinity);
  return `${head} from the first step ${mean} on average, half of them by ${half}${missing ? ` (looked ${horizonSteps} steps ahead; … is at least)` : ''}`;
}
