import { EvaluationError, ForeguardError, InvalidDataError } from '../../base/errors.js';
import { bindAutomaton, buildAutomaton, OPEN, violatedAtEnd } from '../../languages/automaton/index.js';
import { children, type Formula } from '../../languages/logic/index.js';
import { Abstraction, adviceOnAbsent } from '../../observations/abstraction/index.js';
import { resample, type Step, type Trace, type TraceNote } from '../../observations/trace/index.js';
import {
  allPredicates,
  guardedEnglish,
  type RuleSpecification,
  type Specification,
} from '../../rules/specification/index.js';
import type { TraceReplay } from '../../study/evaluation/index.js';
import {
  type Equality,
  RobustnessMonitor,
  type RobustnessOptions,
  robustness,
  WholeNumberFields,
} from '../../study/robustness/index.js';
import { loadSpecification, TraceFiles, type TraceOptions } from './inputs.js';
import { Judgement } from './judgement.js';
import { describeSteps, SampledTraces } from './sampled.js';
import { saidRules } from './shownRule.js';
import { formatNumber, type Outcome, Progress, plural, type Terminal, table } from './terminal.js';

interface RobustnessCommandOptions extends TraceOptions {
  readonly spec: string;
  readonly equality: Equality;
}

/** The verdict of a rule's automaton on a trace: `open` if the trace was cut before the rule was decided. */
type Verdict = 'kept' | 'violated' | 'open';

interface JudgedRule {
  /** Null if the rule is not judged, or counts: then it has a verdict alone. */
  readonly robustness: number | null;
  readonly verdict: Verdict | null;
  /** Why the rule is not judged: it reads a field that the recording lacks. */
  readonly notJudged?: string;
  /** Why sign and verdict disagree; absent if they agree. */
  readonly why?: string;
}

/** Traces at fault that were left out, with the fault of the first. */
interface Skipped {
  count: number;
  first: string | null;
}

interface JudgedTrace extends Omit<TraceReplay, 'rules'> {
  readonly rules: Readonly<Record<string, JudgedRule>>;
}

/** `foreguard robustness`: how far each trace is from breaking each rule, or from keeping it, beside the verdict. */
export async function traceRobustness(
  options: RobustnessCommandOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { equality } = options;
  const specification = await loadSpecification(options.spec);
  const rules = specification.rules.filter(({ formula }) => formula.kind !== 'probability');
  if (rules.length === 0) {
    throw new InvalidDataError(
      `${options.spec}: every rule bounds a probability; robustness is defined for one trace`,
    );
  }
  const progress = new Progress(terminal);
  const open = (): TraceFiles =>
    new TraceFiles(options, specification, (read) => progress.show(() => `${plural(read, 'trace')} read`));
  const wholeNumbers = await wholeNumberFields(specification, rules, equality, open);
  const judges = rules.map((rule) => judgeOf(rule, specification, { equality, wholeNumbers }));
  const traces = open();
  const sampled = new SampledTraces(specification);
  const judgement = new Judgement({ ...specification, rules });
  const found: JudgedTrace[] = [];
  const skipped: Skipped = { count: 0, first: null };
  for await (const trace of traces) {
    const notJudged = judgement.add(trace);
    try {
      const { period } = specification.learning;
      const { steps, numbers } =
        period === null ? { steps: trace.steps, numbers: null } : resample(trace.steps, period);
      const judged = judges.map(({ name, judge }): [string, JudgedRule] => {
        const unread = notJudged.get(name);
        if (unread !== undefined) return [name, withoutJudgement(unread)];
        try {
          return [name, judge({ ...trace, steps }, numbers)];
        } catch (error) {
          // A predicate may be true without a field that its margin needs.
          const excuse = judgement.excuse(name, trace, error);
          if (excuse === undefined) throw error;
          return [name, withoutJudgement(excuse)];
        }
      });
      const { held, leftOut, leftOutSteps = [] } = sampled.add(trace);
      found.push({
        id: trace.id,
        steps: trace.steps.length,
        held,
        leftOut,
        leftOutSteps,
        rules: Object.fromEntries(judged),
      });
    } catch (error) {
      if (!(error instanceof ForeguardError)) throw error;
      const advice = error instanceof EvaluationError ? adviceOnAbsent(error) : '';
      const fault = `trace "${trace.id}", ${error.message}${advice}`;
      if (options.skipInvalid !== true) throw new InvalidDataError(fault, { cause: error });
      skipped.count++;
      skipped.first ??= fault;
    }
  }
  progress.clear();
  if (found.length === 0 && skipped.first !== null) throw new InvalidDataError(skipped.first);
  const notes = [...traces.notes, ...judgement.notes(options.strict), ...leftOutNotes(specification)];
  const text = [
    ...saidRules(rules.map((rule) => ({ name: rule.name, ...guardedEnglish(rule, specification) }))),
    ...describe(found, rules),
    '',
    ...notes.map(({ message }) => message),
    [plural(found.length, 'trace'), traces.leftOut()].filter(Boolean).join('; '),
    ...(skipped.count === 0
      ? []
      : [`${plural(skipped.count, 'trace')} at fault left out, the first: ${skipped.first}`]),
    ...sampled.describe(),
    ...(wholeNumbers.length > 0
      ? [
          `read as codes, == being true or false: ${wholeNumbers.join(', ')} (whole wherever a number was read)`,
        ]
      : []),
    totals(found, rules),
    ...openMargins(found, rules),
  ].join('\n');
  return {
    json: {
      traces: found,
      equality,
      wholeNumbers,
      resampled: sampled.total,
      unreadable: traces.unreadable,
      skipped,
      notJudged: judgement.notJudged,
      notes,
    },
    text,
  };
}

/** Notes on rules that have no margin whatever the recording: a probability is not a property of one trace, and a count has no distance. */
function leftOutNotes({ rules, source }: Specification): TraceNote[] {
  return rules.flatMap(({ name, formula }) => {
    if (formula.kind === 'probability') {
      const message = `rule "${name}" is left out: it bounds a probability, and robustness is defined for one trace`;
      return [{ source, message }];
    }
    if (!counts(formula)) return [];
    const message = `rule "${name}" has a verdict and no margin: a count changes by whole steps, so how far it is from its bound says nothing of how far a signal is from changing it`;
    return [{ source, message }];
  });
}

function counts(formula: Formula): boolean {
  return formula.kind === 'count' || children(formula).some(counts);
}

function withoutJudgement(notJudged: string): JudgedRule {
  return { robustness: null, verdict: null, notJudged };
}

/**
 * Fields that the rules compare by `==` with whole numbers, and whose numbers in the traces are all whole. The traces are read once before,
 * for this purpose.
 */
async function wholeNumberFields(
  specification: Specification,
  rules: readonly RuleSpecification[],
  equality: Equality,
  open: () => TraceFiles,
): Promise<string[]> {
  if (equality !== 'whole') return [];
  const found = new WholeNumberFields(
    rules.map(({ formula }) => formula),
    allPredicates(specification),
  );
  if (found.fields.size > 0) for await (const { steps } of open()) found.observe(steps);
  return found.seen;
}

/** Margin and verdict of a rule on steps as they were sampled. */
function judgeOf(
  { name, formula, atEnd }: RuleSpecification,
  specification: Specification,
  { equality, wholeNumbers }: { readonly equality: Equality; readonly wholeNumbers: readonly string[] },
): {
  readonly name: string;
  readonly judge: (trace: Trace, numbers: readonly number[] | null) => JudgedRule;
} {
  const { samplingPeriod } = specification;
  const predicates = allPredicates(specification);
  const options: RobustnessOptions = {
    predicates,
    equality,
    wholeNumbers,
    ...(samplingPeriod === null ? {} : { samplingPeriod }),
  };
  const automaton = buildAutomaton(formula, { samplingPeriod });
  // The recording may lack fields that other rules read.
  const read = new Abstraction({
    predicates: predicates.filter(({ name: one }) => automaton.predicates.includes(one)),
  });
  const stepper = bindAutomaton(automaton, read.predicates);
  const valuation = new Uint32Array(read.words);
  const verdictOf = ({ steps, complete = true }: Trace): Verdict => {
    let q = automaton.initial;
    for (const step of steps) {
      read.encode(step.state, step, valuation, 0);
      q = stepper.step(q, valuation);
    }
    if (automaton.verdict[q] === OPEN && !complete) return 'open';
    return violatedAtEnd(automaton, q, atEnd) ? 'violated' : 'kept';
  };
  if (counts(formula)) {
    return { name, judge: (trace) => ({ robustness: null, verdict: verdictOf(trace) }) };
  }
  return {
    name,
    judge: (trace, numbers) => {
      const own = robustness(formula, trace.steps, { ...options, numbers });
      const margin = atEnd === 'strong' ? own : largest(trace.steps);
      const verdict = verdictOf(trace);
      const why = disagreement(margin, verdict);
      return { robustness: margin, verdict, ...(why !== null && { why }) };
    },
  };

  /** Under a weak rule, the largest robustness of the trace's continuations. */
  function largest(steps: readonly Step[]): number {
    const monitor = new RobustnessMonitor(formula, options);
    for (const step of steps) monitor.step(step.state, step);
    return monitor.upper;
  }
}

/** Why the margin's sign disagrees with the automaton; null if they agree. */
function disagreement(margin: number, verdict: Verdict): string | null {
  if (margin === 0) {
    return 'a margin of 0 is undecided: a comparison is at its limit, where > and >= have the same margin, and so has == between quantities where it holds; the verdict counts';
  }
  if (verdict === 'open' && margin < 0) {
    return 'the trace was cut before the rule was decided; the margin is that of its steps, as if it had ended there';
  }
  if (verdict === 'violated' && margin > 0) {
    return 'each part of the rule could still be satisfied by itself, and the margin bounds parts one by one; the automaton knows that no continuation satisfies all of them';
  }
  return null;
}

function shown({ robustness: margin, verdict }: JudgedRule): string {
  return margin === null ? (verdict === null ? 'not judged' : '–') : formatNumber(margin);
}

function describe(found: readonly JudgedTrace[], rules: readonly RuleSpecification[]): string[] {
  const rows = found.flatMap(({ id, steps, held, rules: judged }) =>
    rules.map(({ name }) => [
      id,
      name,
      describeSteps({ steps, held }),
      shown(judged[name]),
      judged[name].verdict ?? '–',
    ]),
  );
  const first = rows.slice(0, 50);
  const reasons = new Map<string, string[]>();
  for (const { id, rules: judged } of found) {
    for (const { name } of rules) {
      const { why, verdict } = judged[name];
      if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), `${id}, ${name}: ${verdict}`]);
    }
  }
  return [
    table(['trace', 'rule', 'steps', 'robustness', 'verdict'], first),
    ...(rows.length > first.length ? [`… ${rows.length - first.length} more; --json has all`] : []),
    ...[...reasons].map(([why, places]) => {
      const more = places.length > 10 ? `; and ${places.length - 10} more` : '';
      return `${places.slice(0, 10).join('; ')}${more} – ${why}`;
    }),
  ];
}

/** Names the rules whose totals include traces that were cut before the rule was decided. */
function openMargins(found: readonly JudgedTrace[], rules: readonly RuleSpecification[]): string[] {
  return rules.flatMap(({ name }) => {
    const open = found.filter(({ rules: of }) => of[name].verdict === 'open').length;
    if (open === 0) return [];
    const margins = open === 1 ? 'its margin is that' : 'their margins are those';
    return [
      `${name}: ${plural(open, 'trace')} cut before the rule was decided; ${margins} of the steps recorded, in the totals too, and nothing is known of those that would have followed`,
    ];
  });
}

/** Totals of each rule over all traces. */
function totals(found: readonly JudgedTrace[], rules: readonly RuleSpecification[]): string {
  const rows = rules.map(({ name }) => {
    const judged = found.map(({ rules: of }) => of[name]);
    const margins = judged.flatMap(({ robustness: margin }) => margin ?? []);
    const least = margins.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const count = (is: (rule: JudgedRule) => boolean): string => String(judged.filter(is).length);
    return [
      name,
      ...(margins.length > 0
        ? [
            formatNumber(least),
            String(margins.filter((margin) => margin < 0).length),
            String(margins.filter((margin) => margin === 0).length),
          ]
        : [judged.some(({ verdict }) => verdict !== null) ? '–' : 'not judged', '–', '–']),
      count(({ verdict }) => verdict === 'violated'),
      count(({ verdict }) => verdict === 'open'),
      count(({ verdict }) => verdict !== null),
    ];
  });
  return table(
    ['rule', 'least robustness', 'negative', 'undecided (0)', 'violated', 'cut, open', 'judged'],
    rows,
  );
}
