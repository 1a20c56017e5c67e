import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import { Counter, type LearningReport } from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import {
  describeGap,
  describeSampled,
  describeSpacing,
  GapCheck,
  periodIsWrong,
  type SamplingPeriod,
  Spacing,
  type SpacingSummary,
  type Trace,
} from '../../observations/trace/index.js';
import type { RuleShape } from '../../rules/risk/index.js';
import { allPredicates, parsePool, type Specification } from '../../rules/specification/index.js';
import { type AbstractionDiagnosis, diagnoseAbstraction } from '../../study/diagnosis/index.js';
import { ActionUses, actionNotes } from './actionUse.js';
import { describeDiagnosis } from './describeDiagnosis.js';
import { loadSpecification, readText, rulesOf, TraceFiles, type TraceOptions } from './inputs.js';
import { describeNotJudged } from './judgement.js';
import { notesOnPrediction } from './notesOnPrediction.js';
import { parseProbability, parseSeed } from './numbers.js';
import { countPolicies, describePolicies, policyContents } from './policy/contents.js';
import { PredicateUses } from './predicateUse.js';
import { type ReadableTraces, readableTraces, requireSomethingRead } from './readableTraces.js';
import { SampledTraces } from './sampled.js';
import { type Outcome, Progress, plural, type Terminal, table } from './terminal.js';
import { unseenActions } from './unseenActions.js';

interface ValidateCommandOptions extends Partial<TraceOptions> {
  readonly spec: string;
  readonly markov?: boolean;
  readonly pool?: readonly string[];
  readonly level?: string;
  readonly seed?: string;
}

/** `foreguard validate`: checks a specification, and evaluates its predicates on traces. */
export async function validate(options: ValidateCommandOptions, terminal: Terminal): Promise<Outcome> {
  const diagnose = await diagnosisOf(options);
  const specification = await loadSpecification(options.spec);
  // Refuses early what later commands would refuse: counting checks the options of learning.
  const counterOf = ({ abstraction, learning }: Specification): Counter =>
    new Counter(new Abstraction(abstraction), {
      ...learning,
      // Errors of traces in predicates and constraints do not depend on the kind of model.
      model: 'dtmc',
      onContradiction: 'accept',
      skipInvalid: true,
    });
  counterOf(specification);
  const rules = rulesOf(specification, terminal);
  const predicates = allPredicates(specification);
  const summary = `${options.spec}: ${plural(predicates.length, 'predicate')}, ${plural(specification.rules.length, 'rule')}`;
  const json = {
    specification: options.spec,
    hash: specification.hash,
    predicates: predicates.map(({ name }) => name),
    rules: rules.map(({ formula, ...shape }, i) => ({
      ...shape,
      formula: specification.rules[i].formulaText,
      canonical: formula,
    })),
    ...(specification.policies !== null && { policies: policyContents(specification.policies) }),
  };
  const policies = policiesOf(specification);
  const unseen = unseenActions(specification);
  const predicted = notesOnPrediction(specification);
  if (!options.traces) {
    const found = `${summary}, no errors (what predicates make of traces is said with --traces)`;
    const warned = unseen.map((message) => `warning: ${message}`);
    const told = {
      ...json,
      ...(unseen.length > 0 && { warnings: unseen }),
      ...(predicted.length > 0 && { notes: predicted }),
    };
    const said = predicted.map(({ message }) => message);
    return {
      json: told,
      text: [found, ...warned, ...rules.map(describeRule), ...policies, ...said].join('\n'),
    };
  }

  const progress = new Progress(terminal);
  const traces = new TraceFiles({ ...options, traces: options.traces }, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  const uses = new PredicateUses(predicates);
  const actions = new ActionUses(specification);
  const times = new TimeCheck(specification);
  const sampled = new SampledTraces(specification);
  const kept: Trace[] = [];
  const looked = async function* (): AsyncGenerator<Trace[]> {
    for await (const batch of traces.batches()) {
      for (const trace of batch) {
        times.add(trace);
        sampled.add(trace);
        for (const [index, step] of trace.steps.entries())
          uses.add(step, () => `trace "${trace.id}", step ${index}`, trace.notRecorded);
      }
      yield batch;
    }
  };
  const readable = await readableTraces(looked(), specification);
  const counter = counterOf(readable.specification);
  for await (const batch of readable.batches) {
    for (const trace of batch) {
      counter.add(trace);
      actions.add(trace);
      if (diagnose !== null) kept.push(trace);
    }
  }
  progress.clear();
  const { notJudged } = readable.judgement;
  const notes = [...predicted, ...traces.notes, ...readable.judgement.notes(), ...readable.notes()];
  const { contradictions, skipped } = counter.read;
  const resampled = sampled.total;
  const { gaps, untimed } = times;
  const contradicted = describeContradictions(contradictions);
  const refused = specification.learning.onContradiction === 'error';
  const irregular =
    gaps.count === 0
      ? []
      : [
          `${plural(gaps.count, 'irregular gap')} (resample: ${specification.resample}), the first: ${gaps.first}; ${times.describeSpacing()}`,
        ];
  const errors = [
    ...nothingRead(readable),
    ...uses.errors(),
    ...(specification.resample === 'error' ? irregular : []),
    ...(refused ? contradicted : []),
    ...(counter.read.traces > 0 ? actions.errors() : []),
    ...(options.strict ? notJudged.map(describeNotJudged) : []),
  ];
  const unfit =
    skipped.count === 0
      ? []
      : [`${plural(skipped.count, 'trace')} cannot be learnt from, the first: ${skipped.first[0]}`];
  // No error above reports that time jumps further than can be resampled.
  if (errors.length === 0) errors.push(...unfit.splice(0));
  const warnings = [...unseen, ...uses.warnings()];
  const neverTrue = uses.neverTrue();
  const unchanging = actionNotes(actions.effects(), actions.idle(), actions.mixedIdle(), options.spec);
  const diagnosis = errors.length > 0 ? undefined : await diagnose?.(readable.specification, kept);
  const text = [
    `${summary}, ${errors.length === 0 ? 'no errors' : plural(errors.length, 'error')}`,
    ...errors.map((message) => `error: ${message}`),
    ...warnings.map((message) => `warning: ${message}`),
    ...rules.map(describeRule),
    ...policies,
    '',
    ...notes.map(({ message }) => message),
    ...unchanging.lines,
    `${plural(traces.read, 'trace')}, ${plural(uses.steps, 'step')}`,
    ...(traces.unreadable.count > 0 ? [traces.leftOut()] : []),
    ...(specification.resample === 'error' ? [] : irregular),
    ...(untimed.count > 0
      ? [`${plural(untimed.count, 'step')} without time, taken for on time, the first: ${untimed.first}`]
      : []),
    ...unfit,
    ...describeSampled({ ...resampled, untimed: 0 }),
    ...(refused ? [] : contradicted),
    '',
    table(
      ['predicate', 'true', 'false', 'missing', 'not recorded', 'failed'],
      uses.uses.map((use) => [
        use.name,
        ...[use.true, use.false, use.missing, use.notRecorded, use.failed].map(String),
      ]),
    ),
    ...neverTrue.map(({ predicate, readableSteps: read }) => {
      const where = read < uses.steps ? ` in the ${plural(read, 'step')} where it could be read` : '';
      return `${predicate} is never true${where}`;
    }),
    ...(diagnosis === undefined ? [] : ['', describeDiagnosis(diagnosis)]),
  ].join('\n');
  return {
    json: {
      ...json,
      errors,
      warnings,
      traces: traces.read,
      steps: uses.steps,
      unreadable: traces.unreadable,
      notJudged,
      notes: [...notes, ...unchanging.notes],
      actionEffects: actions.effects(),
      irregularGaps: gaps,
      stepsWithoutTime: untimed,
      resampled,
      spacing: times.spacing,
      contradictions,
      absentFields: uses.absent(),
      uses: uses.uses,
      neverTrue,
      ...(diagnosis !== undefined && { markov: diagnosis }),
    },
    text,
    exitCode: errors.length > 0 ? 2 : 0,
  };
}

/** What the policies of a specification say, in lines. */
function policiesOf({ source, policies }: Specification): string[] {
  if (policies === null) return [];
  const counted = `${countPolicies(policies)}; foreguard policy verify ${source} proves them`;
  return [counted, ...describePolicies(policies)].map((line) => printable(line));
}

/** The error of `learn` for traces in which no predicate can be read. */
function nothingRead(readable: ReadableTraces): string[] {
  try {
    requireSomethingRead(readable);
    return [];
  } catch (error) {
    if (error instanceof InvalidDataError) return [error.message];
    throw error;
  }
}

/** The diagnosis requested by `--markov`; null if it is not given. */
async function diagnosisOf({
  markov,
  pool = [],
  level,
  seed,
  traces,
  skipInvalid = false,
}: ValidateCommandOptions): Promise<
  ((specification: Specification, kept: readonly Trace[]) => Promise<AbstractionDiagnosis>) | null
> {
  if (!markov) {
    const given = pool.length > 0 ? '--pool' : level !== undefined ? '--level' : seed && '--seed';
    if (given) throw new InvalidArgumentError(`${given} says something only with --markov`);
    return null;
  }
  if (traces === undefined) {
    throw new InvalidArgumentError('--markov needs traces to judge the abstraction by: give --traces FILES');
  }
  const asked = parseProbability('--level', level);
  const number = parseSeed('--seed', seed);
  const predicates = await Promise.all(
    pool.map(async (file) => parsePool(await readText(file, 'a pool of predicates'), { source: file })),
  );
  const options = {
    pool: predicates.flat(),
    skipInvalid,
    ...(asked !== undefined && { level: asked }),
    ...(number !== undefined && { seed: number }),
  };
  return (specification, kept) => diagnoseAbstraction(specification, kept, options);
}

/** How often each constraint is contradicted, and where first. */
function describeContradictions({ first, ...counts }: LearningReport['contradictions']): string[] {
  return (['state', 'transition', 'end'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => {
      const place = first.find((contradiction) => contradiction.kind === kind);
      return `${plural(counts[kind], 'contradiction')} of constraints.${kind}, the first: ${place?.message}`;
    });
}

/** Describes a rule on a few lines: canonical form, automaton, end, windows. */
function describeRule({ name, formula, evaluation, atEnd, automatonStates, windows }: RuleShape): string {
  const lines = [
    `${name}: ${formula}`,
    evaluation === 'state'
      ? '  judged in every state afresh'
      : `  ${plural(automatonStates, 'automaton state')}, ${atEnd} at the end`,
    ...windows.map(
      ({ text, fromSteps, toSteps, fromSeconds, toSeconds }) =>
        `  ${text} is ${span(fromSteps, toSteps)} steps${fromSeconds === null ? '' : `, ${span(fromSeconds, toSeconds)} s`}`,
    ),
  ];
  return lines.join('\n');
}

function span(from: number, to: number | null): string {
  return to === null ? `${from} and more` : `${from} to ${to}`;
}

/** The number of occurrences, and the first of them. */
interface Found {
  count: number;
  first: string | null;
}

/** Irregular times of traces. */
class TimeCheck {
  /** Steps that do not follow the previous time by a sampling period. */
  readonly gaps: Found = { count: 0, first: null };
  /** Steps without time. */
  readonly untimed: Found = { count: 0, first: null };
  readonly #period: SamplingPeriod | null;
  readonly #check: GapCheck | null;
  readonly #spacing: Spacing | null;

  constructor({ learning: { period } }: Specification) {
    this.#period = period;
    this.#check = period && new GapCheck(period);
    this.#spacing = period && new Spacing(period);
  }

  /** The spacing of steps; null without a sampling period, and if no two steps have a time. */
  get spacing(): SpacingSummary | null {
    return this.#spacing?.summary ?? null;
  }

  /** The spacing in words, and whether the sampling period seems to be wrong. */
  describeSpacing(): string {
    const { spacing } = this;
    if (this.#period === null || spacing === null) return '';
    const words = describeSpacing(spacing, this.#period);
    return periodIsWrong(spacing) ? `${words}: samplingPeriod does not look like theirs` : words;
  }

  add({ id, steps }: Trace): void {
    if (this.#period === null) return;
    this.#check?.reset();
    this.#spacing?.add(steps);
    for (const [i, { time }] of steps.entries()) {
      if (time === undefined) {
        this.#check?.takeUntimed();
        this.untimed.count++;
        this.untimed.first ??= `trace "${id}", step ${i}`;
      } else if (this.#check?.isRegular(Float64Array.of(time)) === false) {
        this.gaps.count++;
        this.gaps.first ??= `trace "${id}", ${describeGap(steps, i, this.#period)}`;
      }
    }
  }
}
