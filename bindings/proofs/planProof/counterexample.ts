import type { Contracts } from '../contract/index.js';
import { eachStep, type Json, type Plan, type Step } from '../workflow/index.js';
import { type Run, runConcretely, type World } from './concrete.js';
import { exampleOf, withPart } from './examples.js';
import type { Issue } from './issues.js';
import type { Prover, SymbolValue } from './prover.js';
import { negation, type Term } from './terms.js';
import type { Finding } from './verdict.js';

type Shown = NonNullable<Finding['run']>;

/** What candidates are tried on. */
export interface Trial {
  readonly plan: Plan;
  readonly contracts: Contracts;
  /** Inputs whose values are known. */
  readonly inputs: Readonly<Record<string, Json>>;
  readonly prover: Prover;
  /** The conditions of the plan's branches. */
  readonly conditions: readonly Term[];
  /** Whether a run shows an issue, and is one that may be: what tools ensure holds of it. */
  shows(
    issue: Issue,
    run: Run,
    inputs: Readonly<Record<string, Json>>,
    answers: readonly Answered[],
  ): boolean;
}

/** What a step got. */
export interface Answered {
  readonly step: string;
  readonly result: Json;
}

/** A run that shows an issue, executed; null if none was found. */
export function executedRun(
  issue: Issue,
  trial: Trial,
): { readonly run: Shown; readonly steps: readonly string[] } | null {
  const lengths = lengthsIn(trial.plan);
  for (const values of candidates(issue, trial))
    for (const rich of [1, 0, 2, ...lengths])
      for (const failing of [false, true]) {
        const made = new Values(trial, values, rich, failing);
        const run = runConcretely(trial.plan, made.inputs, made, MOST_STEPS);
        if (trial.shows(issue, run, made.inputs, made.answers))
          return { run: { inputs: made.inputs, results: made.answers }, steps: run.steps };
        // Only plans with calls that may be skipped run otherwise if such calls fail.
        if (!made.hasSkipped) break;
      }
  return null;
}

const MOST_STEPS = 2_000;
/** Longest list that is made because conditions speak of its length. */
const MOST_LENGTH = 32;

/** Lengths of lists beyond two that conditions of the plan may tell apart: their whole numbers, and one more. */
function lengthsIn({ steps }: Plan): number[] {
  const found = new Set<number>();
  eachStep(steps, (step) => {
    if (step.kind !== 'if' && step.kind !== 'require') return;
    for (const [digits] of step.condition.source.matchAll(/(?<![\w.])\d{1,2}(?![\w.])/g))
      for (const length of [Number(digits), Number(digits) + 1])
        if (length > 2 && length <= MOST_LENGTH) found.add(length);
  });
  return [...found].sort((a, b) => a - b).slice(0, MOST_LENGTHS);
}

/** Most such lengths that are tried. */
const MOST_LENGTHS = 4;

function* candidates({ values, facts = [], doubt }: Issue, trial: Trial): Iterable<readonly SymbolValue[]> {
  const { prover, conditions } = trial;
  const answer = (terms: readonly Term[]): readonly SymbolValue[] => {
    const found = prover.contradict(terms);
    return found.kind === 'refuted' ? found.values : [];
  };
  if (doubt !== undefined) yield answer([...facts, negation(doubt)]);
  yield values;
  yield answer(facts);
  yield [];
  // Into as many branches as can be taken together.
  const taken = [...facts];
  for (const condition of conditions.slice(0, MOST_BRANCHES))
    if (prover.contradict([...taken, condition]).kind === 'refuted') taken.push(condition);
  if (taken.length > facts.length) yield answer(taken);
}

/** Most branches that a run is led into. */
const MOST_BRANCHES = 8;

/** What inputs, tools and models give, from values of symbols and examples of types. */
class Values implements World {
  readonly inputs: Readonly<Record<string, Json>>;
  readonly answers: Answered[] = [];
  hasSkipped = false;
  readonly #byName = new Map<string, SymbolValue[]>();
  readonly #steps = new Map<string, Step>();
  readonly #trial: Trial;
  readonly #rich: number;
  readonly #failing: boolean;

  constructor(trial: Trial, values: readonly SymbolValue[], rich: number, failing: boolean) {
    this.#trial = trial;
    this.#rich = rich;
    this.#failing = failing;
    const items = new Map<string, { readonly name: string; readonly path: readonly (string | number)[] }>();
    this.#index(trial.plan.steps, items);
    for (const value of values) {
      let [name, path] = [value.symbol.slice(1), value.path];
      // What is known of an element is known of the first of its list.
      for (let origin = items.get(name); origin !== undefined; origin = items.get(name))
        [name, path] = [origin.name, [...origin.path, 0, ...path]];
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), { ...value, path }]);
    }
    this.inputs = Object.fromEntries(
      Object.entries(trial.plan.inputs).map(([name, type]) => [
        name,
        Object.hasOwn(trial.inputs, name) ? trial.inputs[name] : this.#made(name, exampleOf(type, rich)),
      ]),
    );
  }

  call(step: string, rounds: readonly number[]): ReturnType<World['call']> {
    const found = this.#steps.get(step);
    if (found?.kind !== 'call') return { kind: 'failed' };
    if (found.onError === 'skip') {
      this.hasSkipped = true;
      if (this.#failing) return { kind: 'failed' };
    }
    const type = this.#trial.contracts.tools.get(found.tool)?.result.type ?? { kind: 'any' };
    return this.#answer(
      step,
      this.#made(found.as ?? `result of ${step}`, exampleOf(type, this.#rich), rounds),
    );
  }

  ask(step: string, rounds: readonly number[]): ReturnType<World['ask']> {
    const found = this.#steps.get(step);
    if (found?.kind !== 'ask') return { kind: 'failed' };
    return this.#answer(step, this.#made(found.as, exampleOf(found.type, this.#rich), rounds));
  }

  #answer(step: string, value: Json): ReturnType<World['ask']> {
    this.answers.push({ step, result: value });
    return { kind: 'result', value };
  }

  #made(name: string, example: Json, rounds: readonly number[] = []): Json {
    // What rounds gave is known by their numbers, innermost first.
    const ofRound = `${name}${[...rounds]
      .reverse()
      .map((round) => `#${round}`)
      .join('')}`;
    const values = [
      ...(this.#byName.get(name) ?? []),
      ...(ofRound === name ? [] : (this.#byName.get(ofRound) ?? [])),
    ];
    return values.reduce((value, { path, value: part }) => withPart(value, path, part), example);
  }

  #index(
    steps: readonly Step[],
    items: Map<string, { readonly name: string; readonly path: readonly (string | number)[] }>,
  ): void {
    for (const step of steps) {
      this.#steps.set(step.id, step);
      if (step.kind === 'if') this.#index([...step.then, ...step.else], items);
      if (step.kind !== 'forEach' && step.kind !== 'fold') continue;
      if (step.in.kind === 'reference') items.set(step.item, step.in);
      this.#index(step.do, items);
    }
  }
}
