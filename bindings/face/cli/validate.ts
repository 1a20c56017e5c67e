import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import { Counter, type LearningReport } from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { describeSampled, heldSteps, type Trace } from '../../observations/trace/index.js';
import type { RuleShape } from '../../rules/risk/index.js';
import {
  allPredicates,
  misspeltTools,
  parsePool,
  type RuleSpecification,
  type Specification,
  saidRule,
  shownPredicate,
} from '../../rules/specification/index.js';
import { type AbstractionDiagnosis, diagnoseAbstraction } from '../../study/diagnosis/index.js';
import { ActionUses, actionNotes } from './actionUse.js';
import { DeclaredUses, describeDeclared } from './declaredUse.js';
import { describeDiagnosis } from './describeDiagnosis.js';
import { loadSpecification, readText, rulesOf, TraceFiles, type TraceOptions } from './inputs.js';
import { expectsModel, notesOnPrediction } from './notesOnPrediction.js';
import { parseProbability, parseSeed } from './numbers.js';
import { countPolicies, describePolicies, policyContents } from './policy/contents.js';
import { type NeverTrue, PredicateUses } from './predicateUse.js';
import { type ReadableTraces, readableTraces, requireSomethingRead } from './readableTraces.js';
import { SampledTraces } from './sampled.js';
import { type Outcome, Progress, plural, type Terminal, table } from './terminal.js';
import { TimeCheck } from './timeCheck.js';
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
  if (
    specification.shield === 'budget' &&
    specification.resample !== 'error' &&
    specification.samplingPeriodSeconds !== null
  )
    throw new InvalidArgumentError(
      `${options.spec}: a budget judges each call where the world is, and resample: ${specification.resample} leaves out what is observed between samples; choose resample: error, or shield: predict or least`,
    );
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
      english: specification.rules[i].english,
      provenance: specification.rules[i].provenance,
      canonical: formula,
    })),
    ...(specification.policies !== null && { policies: policyContents(specification.policies) }),
  };
  const policies = policiesOf(specification);
  const unseen = [...unseenActions(specification), ...misspeltTools(specification)];
  const predicted = [
    ...(expectsModel(specification) ? notesOnPrediction(specification) : []),
    ...unlocked(specification),
  ];
  const described = rules.map((shape, i) => describeRule(shape, specification.rules[i], specification));
  if (!options.traces) {
    const found = `${summary}, no errors (--traces adds what predicates make of them)`;
    const warned = unseen.map((message) => `warning: ${message}`);
    const told = {
      ...json,
      ...(unseen.length > 0 && { warnings: unseen }),
      ...(predicted.length > 0 && { notes: predicted }),
    };
    const said = predicted.map(({ message }) => message);
    return {
      json: told,
      text: [found, ...warned, ...described, ...policies, ...said].join('\n'),
    };
  }

  const progress = new Progress(terminal);
  const traces = new TraceFiles({ ...options, traces: options.traces }, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  const uses = new PredicateUses(predicates);
  const actions = new ActionUses(specification);
  const declared = new DeclaredUses(specification);
  const times = new TimeCheck(specification);
  const sampled = new SampledTraces(specification);
  const kept: Trace[] = [];
  let recorded = 0;
  const looked = async function* (): AsyncGenerator<Trace[]> {
    for await (const batch of traces.batches()) {
      for (const trace of batch) {
        times.add(trace);
        declared.add(trace);
        recorded += trace.steps.length;
        const { leftOutSteps = [], held } = sampled.add(trace);
        const leftOut = new Set(leftOutSteps);
        for (const [index, step] of trace.steps.entries()) {
          if (leftOut.has(index)) continue;
          uses.add(step, () => `trace "${trace.id}", step ${index}`, trace.notRecorded);
        }
        if (held > (trace.heldSteps ?? 0))
          for (const step of heldSteps(trace, specification.learning.period)) uses.addHeld(step);
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
  const resampled = sampled.total;
  const spoilt =
    diagnose === null || resampled.held === 0
      ? []
      : [
          {
            source: options.spec,
            message:
              'steps that are held are not draws of the agent: the levels of --markov do not hold, and holding may have made what it finds',
          },
        ];
  const notes = [
    ...spoilt,
    ...predicted,
    ...traces.notes,
    ...readable.judgement.notes(),
    ...readable.notes(),
  ];
  const { contradictions, skipped } = counter.read;
  const { gaps, untimed } = times;
  const contradicted = describeContradictions(contradictions);
  const refused = specification.learning.onContradiction === 'error';
  const irregular = times.describeGaps();
  const errors = [
    ...nothingRead(readable),
    ...uses.errors(),
    ...(specification.resample === 'error' ? irregular : []),
    ...(refused ? contradicted : []),
    ...(counter.read.traces > 0 ? actions.errors() : []),
    ...(options.strict ? readable.judgement.failures : []),
  ];
  const unfit =
    skipped.count === 0
      ? []
      : [`${plural(skipped.count, 'trace')} cannot be learnt from, the first: ${skipped.first[0]}`];
  // No error above reports that time jumps further than can be resampled.
  if (errors.length === 0) errors.push(...unfit.splice(0));
  const warnings = [...unseen, ...uses.warnings()];
  const neverTrue = uses.neverTrue();
  const shown = shownPredicate(specification);
  const named = (name: string): string => (shown(name) === name ? name : `${name}: ${shown(name)}`);
  const unchanging = actionNotes(actions.effects(), actions.idle(), actions.mixedIdle(), options.spec);
  const declaredActions = declared.report();
  const diagnosis = errors.length > 0 ? undefined : await diagnose?.(readable.specification, kept);
  const text = [
    `${summary}, ${errors.length === 0 ? 'no errors' : plural(errors.length, 'error')}`,
    ...errors.map((message) => `error: ${message}`),
    ...warnings.map((message) => `warning: ${message}`),
    ...described,
    ...policies,
    '',
    ...notes.map(({ message }) => message),
    ...unchanging.lines,
    ...describeDeclared(declaredActions),
    `${plural(traces.read, 'trace')}, ${plural(recorded, 'step')}`,
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
        named(use.name),
        ...[use.true, use.false, use.missing, use.notRecorded, use.failed].map(String),
      ]),
    ),
    ...neverTrue.map((found) =>
      describeNeverTrue({ ...found, predicate: named(found.predicate) }, uses.steps),
    ),
    ...(diagnosis === undefined ? [] : ['', describeDiagnosis(diagnosis)]),
  ].join('\n');
  return {
    json: {
      ...json,
      errors,
      warnings,
      traces: traces.read,
      steps: recorded,
      unreadable: traces.unreadable,
      notJudged,
      notes: [...notes, ...unchanging.notes],
      actionEffects: actions.effects(),
      ...(declaredActions !== null && { declaredActions }),
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

/** Says of a predicate that it is never true: where it could be read, of `steps`, and whether it is so in steps that were held. */
function describeNeverTrue(
  { predicate, readableSteps, trueWhileHeld, neverRecorded = [] }: NeverTrue,
  steps: number,
): string {
  const where =
    readableSteps < steps ? ` in the ${plural(readableSteps, 'step')} where it could be read` : '';
  const said =
    trueWhileHeld === undefined
      ? `${predicate} is never true${where}`
      : `${predicate} is true in no step that was recorded${where}, but in ${trueWhileHeld} held`;
  const texts = neverRecorded.map(
    ({ field, text, recorded }) =>
      `${field} is never ${quoted(text)}, but ${recorded.map(quoted).join(', ')}`,
  );
  return texts.length === 0 ? said : `${said}: ${texts.join('; ')}`;
}

function quoted(text: string): string {
  return printable(JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text));
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
    if (given) throw new InvalidArgumentError(`${given} applies only with --markov`);
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

/** A note on sentences that have no formula beside them. */
function unlocked({ source, rules }: Specification): { source: string; message: string }[] {
  const names = rules.filter(({ provenance }) => provenance === 'english').map(({ name }) => name);
  if (names.length === 0) return [];
  const are = names.length === 1 ? 'is read from its sentence' : 'are read from their sentences';
  const message = `${names.join(', ')} ${are} each time; foreguard english --lock --spec ${source} writes the formula beside it, so that no later version reads it otherwise unnoticed`;
  return [{ source, message }];
}

/** Describes a rule on a few lines: canonical form, sentence, what it says in words, automaton, end, windows. */
function describeRule(
  { name, formula, evaluation, atEnd, automatonStates, windows }: RuleShape,
  rule: RuleSpecification,
  specification: Specification,
): string {
  const said = saidRule(rule, specification);
  const lines = [
    `${name}: ${formula}`,
    ...(rule.english === null ? [] : [`  written: ${rule.english}`]),
    ...(said === null ? [] : [`  in words: ${said}`]),
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
