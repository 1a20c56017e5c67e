import { type Inputs, misfit } from '../../languages/inputs/index.js';
import { type Answer, type Assignment, type Claim, holds } from '../decide/index.js';
import {
  askSolvers,
  type Consensus,
  type Model,
  type Solver,
  type SolverIdentity,
  scriptHash,
  type Term,
} from '../smt/index.js';
import { type Question, questionOf } from './question.js';
import { shrunk } from './shrunk.js';

/** Whom to ask, and for how long. */
export interface SeekOptions {
  readonly solvers: readonly Solver[];
  /** How many solvers must say that there is no input. Default 1. */
  readonly agree?: number;
  /** Milliseconds for each question to a solver. Default 5000. */
  readonly timeoutMs?: number;
  /** Receives each script with its SHA-256 before it is asked. */
  readonly onScript?: (script: string, hash: string) => void;
}

/** Whether some input fulfils a claim, who says so, and of which script. */
export interface Sought {
  readonly answer: Answer;
  readonly by: readonly SolverIdentity[];
  /** SHA-256 of the script of the claim. */
  readonly script: string;
}

const DEFAULT_TIMEOUT = 5000;
/** Milliseconds for an input that is easier to read. */
const MOST_SHRINK_TIME = 1000;

/**
 * Asks outside solvers whether some input fulfils a claim. An input that they find is run through the conditions, and counts only if the claim holds of it; then
 * smaller ones are asked for. That there is none counts if `agree` solvers say so, and all lists and values are covered.
 *
 * @throws SolverError (rejects) if two solvers contradict each other
 */
export async function seek(claim: Claim, inputs: Inputs, options: SeekOptions): Promise<Sought> {
  const question = questionOf(claim, inputs);
  const search = new Search(claim, inputs, question, options);
  const first = await search.ask([], options.agree ?? 1);
  const script = scriptHash(question.script());
  if (first.kind === 'unsat') {
    if (question.shortened.length === 0) return { answer: { kind: 'none' }, by: first.by, script };
    const reason = `there is none with short lists (${question.shortened.join(', ')}); longer ones are not looked at`;
    return { answer: { kind: 'unknown', reason }, by: first.by, script };
  }
  const found = (first.kind === 'sat' ? search.confirmed(first.model) : null) ?? (await search.readable());
  if (found !== null) {
    const { input, by } = await search.smaller(found.input, found.by ?? first.by);
    return { answer: { kind: 'some', input }, by, script };
  }
  const reasons = [
    first.kind === 'sat'
      ? `${first.by[0].name} gives an input of which the claim does not hold when it is run`
      : first.reason,
    ...question.context.reasons,
  ];
  return { answer: { kind: 'unknown', reason: reasons.join('; ') }, by: [], script };
}

interface Found {
  readonly input: Assignment;
  readonly by?: readonly SolverIdentity[];
}

class Search {
  constructor(
    readonly claim: Claim,
    readonly inputs: Inputs,
    readonly question: Question,
    readonly options: SeekOptions,
  ) {}

  async ask(further: readonly Term[], agree: number, most = Number.POSITIVE_INFINITY): Promise<Consensus> {
    const { solvers, onScript } = this.options;
    const timeoutMs = Math.min(most, this.options.timeoutMs ?? DEFAULT_TIMEOUT);
    const script = this.question.script(...further);
    onScript?.(script, scriptHash(script));
    return await askSolvers(solvers, script, { timeoutMs, agree });
  }

  /** The input of a model, if it is one of the declared types and the claim holds of it when it is run. */
  confirmed(model: Model): Found | null {
    const input = this.question.read(model);
    return this.#isConfirmed(input) ? { input } : null;
  }

  #isConfirmed(input: Assignment): boolean {
    const fits = Object.entries(this.inputs).every(([name, type]) => misfit(input[name], type) === null);
    return fits && holds(this.claim, input);
  }

  /** An input with texts that are easy to read, where the first one was not confirmed. */
  async readable(): Promise<Found | null> {
    for (const condition of this.#readable()) {
      const answer = await this.ask([condition], 1);
      const found = answer.kind === 'sat' ? this.confirmed(answer.model) : null;
      if (found !== null) return { ...found, by: answer.by };
    }
    return null;
  }

  /** A smaller input: parts are left out as long as the claim holds; before, solvers are asked once for one that is easy to read. */
  async smaller(input: Assignment, by: readonly SolverIdentity[]): Promise<Required<Found>> {
    let found = { input, by };
    for (const condition of this.#readable()) {
      const answer = await this.ask([condition], 1, MOST_SHRINK_TIME);
      const next = answer.kind === 'sat' ? this.confirmed(answer.model) : null;
      if (next === null) continue;
      found = { input: next.input, by: answer.by };
      break;
    }
    return { ...found, input: shrunk(found.input, (one) => this.#isConfirmed(one)) };
  }

  #readable(): Term[] {
    const { context, readable } = this.question;
    return readable.filter((condition) => condition !== context.terms.true);
  }
}
