import { InvalidArgumentError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import { compileRules } from '../../rules/specification/index.js';
import { explainRule, explainStep } from '../../runtime/explanation/index.js';
import { createGuardStep, type Guard, type GuardFile, loadGuard } from '../../runtime/guard/index.js';
import { loadSpecification, type ReadFor, readText } from './inputs.js';
import { chosenPlace, type PlaceWords } from './oneTrace.js';
import type { Outcome } from './terminal.js';

interface ExplainCommandOptions extends PlaceWords {
  readonly guard?: string;
  readonly spec?: string;
  readonly rule?: string;
}

/** `foreguard explain`: what a guard decides at one step of a recording, and why its rules stand as they do there. */
export async function explain(options: ExplainCommandOptions): Promise<Outcome> {
  const { guard, readFor } = await source(options);
  const { trace, at: named } = await chosenPlace(options, readFor);
  const { steps, complete = true } = trace;
  const at = named ?? steps.length - 1;
  const places: number[] = [];
  const result = createGuardStep();
  for (let i = 0; i <= at; i++) {
    guard.stepInto(steps[i].state, steps[i], result);
    places[result.step] ??= i;
  }
  const placeOf = (observation: number): number =>
    places[observation] ?? places[places.length - 1] + observation - (places.length - 1);
  const start = steps[0]?.time ?? Number.NaN;
  const secondsOf = (observation: number): number => (steps[places[observation]]?.time ?? Number.NaN) - start;
  const ended = complete && at === steps.length - 1;
  const names = options.rule === undefined ? guard.rules.map(({ name }) => name) : [options.rule];
  const rules = names.map((name) => {
    const explanation = explainRule(guard, name, { ended, numberOf: placeOf, secondsOf });
    const english = guard.file.rules.find((rule) => rule.name === name)?.english ?? null;
    return { name, english, explanation };
  });
  const decided = explainStep(guard, result);
  const lines = rules.map(({ name, explanation }) =>
    printable(
      `rule "${name}": ${explanation === null ? 'bounds a probability: no single run keeps or breaks it' : explanation.text}`,
    ),
  );
  return {
    json: {
      trace: trace.id,
      step: at,
      ended,
      decision: result.decision,
      rule: result.rule,
      reason: result.reason,
      text: decided,
      rules,
    },
    text: [printable(`trace ${trace.id}, step ${at}: ${decided.replace(/^Step \d+: /, '')}`), ...lines].join(
      '\n',
    ),
  };
}

async function source({
  guard,
  spec,
}: ExplainCommandOptions): Promise<{ readonly guard: Guard; readonly readFor: ReadFor }> {
  if ((guard === undefined) === (spec === undefined))
    throw new InvalidArgumentError(
      'give either --guard FILE, a guard that foreguard compile wrote, or --spec FILE, a specification whose rules are explained without a model',
    );
  if (guard !== undefined) {
    const loaded = await loadGuard(await readText(guard, 'a guard, as foreguard compile writes it'));
    return { guard: loaded, readFor: readingFor(loaded.file) };
  }
  const specification = await loadSpecification(spec as string);
  return { guard: await loadGuard(compileRules(specification)), readFor: specification };
}

function readingFor({ predicates, samplingPeriodSeconds, resample = 'error' }: GuardFile): ReadFor {
  return {
    abstraction: { predicates },
    exactPredicates: [],
    samplingPeriodSeconds,
    resample,
    learning: { period: null },
  };
}
