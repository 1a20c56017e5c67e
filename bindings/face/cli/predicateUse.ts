import { EvaluationError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { compilePredicate, freeNames, parseExpression } from '../../languages/expression/index.js';
import {
  adviceOnAbsent,
  DECLARE_UNMEASURED,
  notRecordedField,
  type PredicateDefinition,
} from '../../observations/abstraction/index.js';
import type { Step, Trace } from '../../observations/trace/index.js';
import { plural } from './terminal.js';

/** What one predicate did over all steps. */
export interface PredicateUse {
  readonly name: string;
  true: number;
  false: number;
  /** A field it reads was absent. */
  missing: number;
  /** Such a field was absent as the recording does not tell it, which its reader says. */
  notRecorded: number;
  /** It failed in any other way. */
  failed: number;
  /** The first message of a failure; what recordings do not tell is none. */
  firstFailure: string | null;
}

/** A field that predicates read and no step has. */
export interface AbsentField {
  readonly name: string;
  /** The predicates that read it. */
  readonly predicates: readonly string[];
  /** What it may have been meant to be, of the fields that steps have. */
  readonly nearest: string | null;
}

/** Steps whose fields are remembered, to suggest one for a field that is absent. */
const REMEMBERED_STEPS = 1000;

/** What predicates make of steps, one by one. */
export class PredicateUses {
  readonly uses: readonly PredicateUse[];
  steps = 0;
  readonly #predicates: readonly { holds: ReturnType<typeof compilePredicate>; use: PredicateUse }[];
  /** Fields that predicates read and no step has had so far, with those predicates. */
  readonly #absent = new Map<string, string[]>();
  readonly #present = new Set<string>();
  /** Fields that recordings do not tell, as their readers say: nobody misspelt them. */
  readonly #notRecorded = new Set<string>();

  constructor(definitions: readonly PredicateDefinition[]) {
    this.#predicates = definitions.map(({ name, expression: source }) => {
      const expression = parseExpression(source, { name: `predicate "${name}"` });
      for (const field of freeNames(expression)) {
        if (field === 'time' || field === 'action') continue;
        this.#absent.set(field, [...(this.#absent.get(field) ?? []), name]);
      }
      const use = { name, true: 0, false: 0, missing: 0, notRecorded: 0, failed: 0, firstFailure: null };
      return { holds: compilePredicate(expression, name), use };
    });
    this.uses = this.#predicates.map(({ use }) => use);
  }

  /**
   * Counts a step; `place` says which it is.
   *
   * @param notRecorded of its trace
   */
  add(step: Step, place: () => string, notRecorded?: Trace['notRecorded']): void {
    for (const field of Object.keys(notRecorded ?? {})) this.#notRecorded.add(field);
    const { state } = step;
    for (const field of this.#absent.keys()) if (Object.hasOwn(state, field)) this.#absent.delete(field);
    if (this.#absent.size > 0 && this.steps < REMEMBERED_STEPS) {
      for (const field of Object.keys(state)) this.#present.add(field);
    }
    this.steps++;
    for (const { holds, use } of this.#predicates) {
      try {
        use[holds(state, step) ? 'true' : 'false']++;
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        if (notRecordedField(error, notRecorded) !== undefined) {
          use.notRecorded++;
          continue;
        }
        use[error.missingField === undefined ? 'failed' : 'missing']++;
        use.firstFailure ??= `${place()}: ${error.message}${adviceOnAbsent(error)}`;
      }
    }
  }

  /** The fields that no step had, but for those that recordings do not tell. */
  absent(): AbsentField[] {
    const unexplained = [...this.#absent].filter(([name]) => !this.#notRecorded.has(name));
    return unexplained.map(([name, predicates]) => ({
      name,
      predicates,
      nearest: nearestName(name, this.#present) ?? null,
    }));
  }

  /** Predicates that were read and never true, with the number of steps in which they could be read. */
  neverTrue(): { readonly predicate: string; readonly readableSteps: number }[] {
    return this.uses
      .filter(({ true: yes, false: no }) => yes === 0 && no > 0)
      .map(({ name, false: no }) => ({ predicate: name, readableSteps: no }));
  }

  /** What is wrong, in words: fields that no step has, and which predicates fail otherwise, on how many steps. */
  errors(): string[] {
    const absent = this.absent().filter((field) => this.#fails(field));
    const explained = new Set(absent.flatMap(({ predicates }) => predicates));
    return [
      ...absent.map((field) => this.#describe(field)),
      ...this.uses.flatMap(({ name, missing, failed, firstFailure }) => {
        if (firstFailure === null || (failed === 0 && explained.has(name))) return [];
        const failures = missing + failed;
        const often = failures === this.steps ? 'every step' : `${failures} of ${plural(this.steps, 'step')}`;
        return [`predicate "${name}" fails on ${often}, the first: ${firstFailure}`];
      }),
    ];
  }

  /** Fields that no step has where other parts of the predicates decided: `&&` and `||` need not read both sides. */
  warnings(): string[] {
    return this.absent()
      .filter((field) => !this.#fails(field))
      .map((field) => this.#describe(field));
  }

  #fails({ predicates }: AbsentField): boolean {
    return this.uses.some(({ name, missing }) => missing > 0 && predicates.includes(name));
  }

  #describe({ name, predicates, nearest }: AbsentField): string {
    const one = predicates.length === 1;
    const readers = predicates.map((reader) => `"${reader}"`).join(', ');
    const hint =
      nearest === null
        ? `steps have ${listed(this.#present)}; ${DECLARE_UNMEASURED}`
        : `did you mean "${nearest}"?`;
    return `no step has the field "${name}", which ${one ? 'predicate' : 'predicates'} ${readers} ${one ? 'reads' : 'read'}; ${hint}`;
  }
}

function listed(fields: ReadonlySet<string>): string {
  const names = [...fields];
  if (names.length === 0) return 'no fields';
  return names.length > 10
    ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more`
    : names.join(', ');
}
