import { EvaluationError, NotSupportedError } from '../../base/errors.js';
import type { Formula } from '../../languages/logic/index.js';
import type { Step } from '../../observations/trace/index.js';
import { type Answer, type Ask, createAsk } from '../../rules/questions/index.js';
import { formulaProbability } from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { loadGuard } from '../../runtime/guard/index.js';
import { loadModel, loadSpecification, readText } from './inputs.js';
import { parsePrecision } from './numbers.js';
import { chosenPlace, type PlaceWords } from './oneTrace.js';
import { describeSampledModel, learntNotes, sampledOf } from './sampled.js';
import type { Outcome } from './terminal.js';

interface AskCommandOptions extends Omit<PlaceWords, 'traces'> {
  readonly questions: readonly string[];
  readonly spec: string;
  readonly guard?: string;
  readonly model?: string;
  readonly traces?: readonly string[];
  readonly precision: string;
}

/** `foreguard ask`: answers questions about the rules of a specification, at a step of a recording or before the first. */
export async function ask(options: AskCommandOptions): Promise<Outcome> {
  const specification = await loadSpecification(options.spec);
  const { guard, model, traces } = options;
  const learnt = model === undefined ? null : await loadModel(model);
  const asked = createAsk({
    specification,
    ...(guard !== undefined && {
      guard: await loadGuard(await readText(guard, 'a guard, as foreguard compile writes it')),
    }),
    ...(learnt !== null && {
      probabilityOf: probabilities(specification, learnt, parsePrecision(options.precision)),
    }),
  });
  const trace = traces === undefined ? null : await follow(asked, { ...options, traces }, specification);
  const answers = options.questions.map((question) => ({ question, ...asked.question(question) }));
  const isAnswered = answers.every(({ kind }) => kind !== 'ask' && kind !== 'refused');
  const notes = learnt === null ? [] : learntNotes(learnt, String(model));
  const sampled = learnt === null ? [] : describeSampledModel(learnt);
  return {
    json: {
      ...{ file: specification.source, hash: specification.hash, trace, step: asked.step, answers },
      ...(learnt !== null && { resampled: sampledOf(learnt), notes }),
    },
    text: [...answers.map(said), ...sampled, ...notes.map(({ message }) => message)].join('\n\n'),
    exitCode: isAnswered ? 0 : 1,
  };
}

function said(
  { question, text }: Answer & { readonly question: string },
  _: number,
  all: readonly unknown[],
): string {
  return all.length === 1 ? text : `${question}\n${text}`;
}

/** Leads the run to the step at hand. @returns the trace's id */
async function follow(
  asked: Ask,
  options: AskCommandOptions & PlaceWords,
  specification: Specification,
): Promise<string> {
  const { trace, at } = await chosenPlace(options, specification);
  const steps = at === null ? trace.steps : trace.steps.slice(0, at + 1);
  steps.forEach((step, i) => {
    const isAtHand = at !== null && i === at;
    asked.observe(isAtHand ? withoutAction(step) : step);
  });
  const last = steps.at(-1);
  if (at === null && last?.action) asked.acted(last.action);
  return trace.id;
}

function withoutAction({ action: _, ...step }: Step): Step {
  return step;
}

/** How probable a formula is after steps; null where the model does not know the step, or what the formula reads. */
function probabilities(
  specification: Specification,
  model: Awaited<ReturnType<typeof loadModel>>,
  precision: number,
) {
  return (formula: Formula, steps: readonly Step[]) => {
    try {
      const { lower, upper } = formulaProbability(specification, model, formula, { precision })(steps);
      return { lower, upper };
    } catch (error) {
      if (error instanceof EvaluationError || error instanceof NotSupportedError) return null;
      throw error;
    }
  };
}
