import { ForeguardError } from '../../base/errors.js';
import { printable } from '../../base/words.js';

/** What is wrong with a plan: its shape, or the type of a value. */
export interface PlanProblem {
  readonly kind: 'shape' | 'type';
  /** Id of the step; null: of the plan as a whole, or of a step without id. */
  readonly step: string | null;
  /** JSON pointer (RFC 6901) to the part in what was read; in checks, to the part in the nested form. */
  readonly pointer: string;
  /** Line and column in the code, both from 1, if the plan was written as code. */
  readonly line?: number;
  readonly column?: number;
  readonly found: string;
  readonly expected: string;
  /** What was most likely meant. */
  readonly hint: string | null;
  /** All of it in one sentence. */
  readonly text: string;
}

/** Most problems that are kept. */
export const MOST_PROBLEMS = 100;
const SHOWN = 10;

/** A plan that cannot be read. It names every problem found, up to 100. */
export class PlanError extends ForeguardError {
  readonly problems: readonly PlanProblem[];
  /** What was read: the name of a file, or `plan`. */
  readonly source: string;

  constructor(source: string, problems: readonly PlanProblem[]) {
    const shown = problems.slice(0, SHOWN).map(({ text }) => `${source}: ${text}`);
    if (problems.length > SHOWN) shown.push(`… and ${problems.length - SHOWN} more`);
    super('invalid-plan', shown.join('\n'));
    this.source = source;
    this.problems = problems;
  }
}

/** A problem with its sentence. */
export function planProblem(
  problem: Omit<PlanProblem, 'text' | 'hint'> & { hint?: string | undefined },
): PlanProblem {
  const { kind, step, pointer, line, column } = problem;
  const found = printable(problem.found);
  const expected = printable(problem.expected);
  const hint = problem.hint === undefined ? null : printable(problem.hint);
  const at = line === undefined ? pointer || 'the plan' : `${line}:${column}`;
  const where = step === null ? at : `step ${step} (${at})`;
  const text = `${where}: found ${found}; expected ${expected}${hint === null ? '' : ` (did you mean ${hint}?)`}`;
  const place = line === undefined || column === undefined ? {} : { line, column };
  return { kind, step, pointer, ...place, found, expected, hint, text };
}
