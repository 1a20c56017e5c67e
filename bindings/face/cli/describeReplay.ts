import { digitsFor, upward } from '../../base/outward.js';
import type { GuardFile, Level, UnknownPolicy } from '../../runtime/guard/index.js';
import {
  ALARM_KINDS,
  type AlarmCause,
  type Replay,
  type RuleReplay,
  type RuleTotals,
} from '../../study/evaluation/index.js';
import { describeTradeOff } from './describeTradeOff.js';
import { describeSteps } from './sampled.js';
import { saidRules } from './shownRule.js';
import { formatNumber, plural, table } from './terminal.js';

/** Maximal number of lines printed per part. */
const SHOWN = 50;
/** Maximal number of traces named for one cause. */
const TRACES_SHOWN = 20;

/** Describes a replay in words, line by line: traces, explanations (if requested), totals, the trade-off over thresholds, drift. */
export function describeReplay(replay: Replay, guard: GuardFile, leftOut: string): string[] {
  const { traces, totals } = replay;
  const steps = traces.reduce((sum, trace) => sum + trace.steps, 0);
  return [
    ...saidRules(guard.rules),
    ...perTrace(replay),
    ...causes(replay),
    ...explanations(replay),
    '',
    [`${plural(traces.length, 'trace')}, ${plural(steps, 'step')}`, decisions(replay), leftOut]
      .filter(Boolean)
      .join('; '),
    ...allowedUnread(replay),
    table(
      [
        'rule',
        'violations',
        'predicted',
        'missed',
        'false alarms',
        'kept',
        'open',
        'not judged',
        'only unknown: violated, kept',
        'unknown steps',
        'steps ahead',
        'seconds ahead',
      ],
      Object.entries(totals).map(([rule, total]) => [rule, ...totalCells(total)]),
    ),
    ...Object.keys(totals).flatMap((rule) => openTraces(rule, traces)),
    ...Object.entries(totals).flatMap(([rule, total]) => unknownSteps(rule, total, guard)),
    ...Object.entries(totals).flatMap(([rule, total]) =>
      describeTradeOff(
        rule,
        total,
        guard.rules.some(({ name, tables }) => name === rule && tables !== undefined),
      ),
    ),
    ...leastRisks(guard),
    ...driftFound(replay),
  ];
}

const cell = (value: number | null): string => (value === null ? '–' : formatNumber(value));

function perTrace({ traces }: Replay): string[] {
  const rows = traces.flatMap((trace) =>
    Object.entries(trace.rules).map(([rule, found]) => {
      const { first, firstIntervention, decidedOn, unknown, maxRisk } = found;
      const head = [trace.id, rule, describeSteps(trace)];
      if (found.notJudged !== undefined) return [...head, 'not judged', '–', '–', '–', '–'];
      const onConfidence = decidedOn === 'confidenceUpper' && first.threshold === firstIntervention;
      return [
        ...head,
        violation(found, trace.steps),
        `${cell(first.threshold)}${onConfidence ? ' (confidence)' : ''}`,
        cell(first.unknown),
        String(unknown),
        maxRisk === null ? '–' : formatNumber(Number(upward(maxRisk, digitsFor(maxRisk, 6)))),
      ];
    }),
  );
  return [
    table(
      [
        'trace',
        'rule',
        'steps',
        'violated at',
        'threshold met at',
        'alarm by unknown at',
        'unknown steps',
        'largest risk',
      ],
      rows.slice(0, SHOWN),
    ),
    ...more(rows.length),
  ];
}

/** Where a rule was broken; if that is unknown, why. */
function violation(
  { verdict, whyOpen, violatedAt, violatedWhileHeld, violatedWhileMissing }: RuleReplay,
  steps: number,
): string {
  if (verdict === 'open') return `open (${whyOpen})`;
  if (violatedAt === steps) return 'end';
  if (violatedWhileMissing) return `after ${cell(violatedAt)}, missing`;
  return `${cell(violatedAt)}${violatedWhileHeld ? ', held' : ''}`;
}

/** How many steps were let through though something could not be read, and what refuses them. */
function allowedUnread({ allowedUnread: found }: Replay): string[] {
  if (found === undefined) return [];
  const { trace, step, predicate } = found.first;
  return [
    `${plural(found.steps, 'step')} let through although a predicate could not be read, the first: trace "${trace}", step ${step}, ${predicate}; onUnreadable: stop refuses such steps`,
  ];
}

/** The guard's decisions over all rules. */
function decisions({ decisions: counts }: Replay): string {
  return Object.entries(counts)
    .map(([decision, count]) => `${decision} at ${count}`)
    .join(', ');
}

function totalCells({
  violations,
  predicted,
  missed,
  falseAlarms,
  kept,
  open,
  notJudged,
  onUnknownOnly,
  unknown,
  meanStepsAhead,
  meanSecondsAhead,
}: RuleTotals): string[] {
  return [
    ...[violations, predicted, missed, falseAlarms, kept, open, notJudged].map(cell),
    `${onUnknownOnly.violated}, ${onUnknownOnly.kept}`,
    ...[unknown, meanStepsAhead, meanSecondsAhead].map(cell),
  ];
}

/** The number of traces with an open verdict on a rule, and the reasons. */
function openTraces(rule: string, traces: Replay['traces']): string[] {
  const count = (why: RuleReplay['whyOpen']): number =>
    traces.filter(({ rules }) => rules[rule].whyOpen === why).length;
  const [cut, unread] = [count('cut'), count('unread')];
  const whys = [
    ...(cut > 0 ? [`cut before the rule was decided ${cut}`] : []),
    ...(unread > 0
      ? [`a step that could not be read, or is missing in a gap in time, may have broken it ${unread}`]
      : []),
  ];
  if (whys.length === 0) return [];
  return [
    `${rule}: it is not known whether it is kept in ${plural(cut + unread, 'trace')} (${whys.join(', ')}), which ${cut + unread === 1 ? 'counts' : 'count'} neither as kept nor as violated`,
  ];
}

/** The number of steps that could not be judged, the reasons, and the decisions on them. */
function unknownSteps(
  rule: string,
  { unknown, unknownBy, onUnknownOnly: { violated, kept } }: RuleTotals,
  guard: GuardFile,
): string[] {
  const alone = [
    ...(violated > 0 ? [`before the violation of ${plural(violated, 'trace')}`] : []),
    ...(kept > 0 ? [`in ${plural(kept, 'trace')} that ${kept === 1 ? 'keeps' : 'keep'} the rule`] : []),
  ].join(' and ');
  if (unknown === 0)
    return alone === ''
      ? []
      : [
          `${rule}: its risk was not known where the guard intervened ${alone}: steps before, which nobody read, may have been such that the threshold was met`,
        ];
  const { onUnknown, onUntried, onUnreadable, onlyReports } = onUnjudged(rule, guard);
  const others = [
    { fault: 'untried-action', ...onUntried },
    { fault: 'predicate-failed', ...onUnreadable },
  ] as const;
  const apart = others.filter(({ fault, text }) => text !== onUnknown.text && (unknownBy[fault] ?? 0) > 0);
  const rest = apart.reduce((left, { fault }) => left - (unknownBy[fault] ?? 0), unknown);
  const decided =
    rest === 0 && apart.length === 1
      ? apart[0].text
      : [
          ...(rest === 0 ? [] : [onUnknown.text]),
          ...apart.map(({ fault, text }) => `${rest === 0 ? '' : 'but for '}${fault} by ${text}`),
        ].join(', ');
  const by = Object.entries(unknownBy).map(([fault, count]) => `${fault} ${count}`);
  const policies = [...apart, ...(rest === 0 ? [] : [onUnknown])].map(({ policy }) => policy);
  const acts = onlyReports || policies.every((policy) => policy === 'report') ? 'report' : 'intervene';
  const acted = alone === '' ? '' : `; they alone made the guard ${acts} ${alone}`;
  return [
    `${rule}: ${plural(unknown, 'step')} could not be judged (${by.join(', ')}), decided by ${decided}${acted}`,
  ];
}

/** A setting that decides where a rule cannot be judged, and in words. */
interface Decider {
  readonly policy: UnknownPolicy;
  readonly text: string;
}

/** What decides a rule at steps that could not be judged: by what is not known of them. */
function onUnjudged(
  name: string,
  { onUnknown, onUntried, onUnreadable, rules }: GuardFile,
): Readonly<Record<'onUnknown' | 'onUntried' | 'onUnreadable', Decider>> & { readonly onlyReports: boolean } {
  const rule = rules.find((one) => one.name === name);
  const onlyReports = rule?.shadow === true || rule?.levels.every(isReport) === true;
  const reports: Decider = {
    policy: 'report',
    text: `report, ${rule?.levels.every(isReport) ? 'the only strategy of the rule' : 'as the rule is in shadow mode'}`,
  };
  const decided = (policy: UnknownPolicy, text: string): Decider =>
    onlyReports && (policy !== 'allow' || rule?.levels.every(isReport)) ? reports : { policy, text };
  const policy = `onUnknown: ${onUnknown}`;
  const unknown = decided(onUnknown, policy);
  const lets = onUnknown === 'allow' || onUnknown === 'report';
  const unread = lets
    ? decided('stop', `stop, because ${policy} applies only to what could be read`)
    : unknown;
  return {
    onUnknown: unknown,
    onUntried: onUntried === undefined ? unknown : decided(onUntried, `onUntried: ${onUntried}`),
    onUnreadable:
      onUnreadable === undefined ? unread : decided(onUnreadable, `onUnreadable: ${onUnreadable}`),
    onlyReports,
  };
}

function isReport({ strategy }: Level): boolean {
  return strategy.kind === 'report';
}

/** The causes of the guard's interventions, each once. */
function causes({ causes: found = [] }: Replay): string[] {
  if (found.length === 0) return [];
  const order = new Map(ALARM_KINDS.map((kind, i) => [kind, i]));
  const place = ({ kind }: AlarmCause): number => order.get(kind) ?? 0;
  const sorted = found.toSorted((a, b) => place(a) - place(b));
  return [
    '',
    ...sorted.slice(0, SHOWN).flatMap(({ rule, kind, text, alarms, runs }) => {
      const named = runs
        .slice(0, TRACES_SHOWN)
        .map(
          ({ trace, steps }) => `${trace} at ${steps.length === 1 ? 'step' : 'steps'} ${steps.join(', ')}`,
        );
      const rest = runs.length - named.length;
      if (rest > 0) named.push(`${rest} more; --json has all`);
      return [
        `${rule}, alarm by ${kind} (${plural(alarms, 'alarm')} in ${plural(runs.length, 'trace')}): ${text}`,
        `  ${named.join('; ')}`,
      ];
    }),
    ...more(sorted.length),
  ];
}

/** Explanations for each trace and rule: why it was violated, and its state at the guard's first intervention. */
function explanations({ traces }: Replay): string[] {
  const lines = traces.flatMap(({ id, rules }) =>
    Object.entries(rules).flatMap(([rule, { whyViolated, whyIntervened }]) => [
      ...(whyIntervened ? [`${id}, ${rule}, first intervention: ${whyIntervened}`] : []),
      ...(whyViolated ? [`${id}, ${rule}: ${whyViolated}`] : []),
    ]),
  );
  return lines.length > 0 ? ['', ...lines.slice(0, SHOWN), ...more(lines.length)] : [];
}

function more(count: number): string[] {
  return count > SHOWN ? [`… ${count - SHOWN} more; --json has all`] : [];
}

/** Where it is not the risk as learnt that is compared. */
function leastRisks({ actions, rules }: GuardFile): string[] {
  if (actions === undefined || actions.mode === 'predict') return [];
  const named = rules.filter(({ tables }) => tables?.least !== undefined).map(({ name }) => name);
  if (named.length === 0) return [];
  const compared =
    actions.mode === 'least'
      ? 'that is what thresholds are compared with'
      : 'what an action adds to it is compared with what is left of the budget';
  return [
    '',
    `${named.join(', ')}: under shield: ${actions.mode} a risk is the least risk over all ways to go on (${compared}); foreguard risk prints the risk if the agent goes on as learnt`,
  ];
}

/** Whether the traces behave as the data, where that is watched. */
function driftFound({ drift }: Replay): string[] {
  if (drift === undefined) return [];
  const { alarmAt, why } = drift;
  const place = alarmAt === null ? '' : ` Found at step ${alarmAt.step} of ${alarmAt.trace}.`;
  return ['', `Drift: ${why}${place}`];
}
