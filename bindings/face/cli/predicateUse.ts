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
import { type NeverRecorded, RecordedTexts } from './recordedTexts.js';
import { plural } from './terminal.js';

/** Statistics of one predicate over all steps. */
export interface PredicateUse {
  readonly name: string;
  true: number;
  false: number;
  /** Steps in which a field that it reads was absent. */
  missing: number;
  /** Steps in which such a field was absent because the recording lacks it, according to its reader; not counted in `missing`. */
  notRecorded: number;
  /** Steps in which it failed in any other way. */
  failed: number;
  /** Steps that were held, not recorded, in which it is true: it reads the time when they were due. Absent if there are none. */
  trueWhileHeld?: number;
  /** The first error message; null if it never failed. A field that the recording lacks is not a failure. */
  firstFailure: string | null;
}

/** A field that predicates read and no step has. */
export interface AbsentField {
  readonly name: string;
  /** The predicates that read it. */
  readonly predicates: readonly string[];
  /** The most similar field that steps have, if it may be a misspelling. */
  readonly nearest: string | null;
}

/** A predicate that is true in no step that was recorded and counts. */
export interface NeverTrue {
  readonly predicate: string;
  readonly readableSteps: number;
  readonly trueWhileHeld?: number;
  /** Texts that it compares fields with and that no step has there, though steps have others; absent if there are none. */
  readonly neverRecorded?: readonly NeverRecorded[];
}

/** Number of steps whose fields are remembered, to suggest one for an absent field. */
const REMEMBERED_STEPS = 1000;

/** Statistics of predicates, collected step by step. */
export class PredicateUses {
  readonly uses: readonly PredicateUse[];
  steps = 0;
  readonly #predicates: readonly { holds: ReturnType<typeof compilePredicate>; use: PredicateUse }[];
  /** Fields that predicates read and no step has had so far, with those predicates. */
  readonly #absent = new Map<string, string[]>();
  readonly #present = new Set<string>();
  readonly #texts = new RecordedTexts();
  /** Fields that recordings lack according to their readers, so they are not misspelt. */
  readonly #notRecorded = new Set<string>();

  constructor(definitions: readonly PredicateDefinition[]) {
    this.#predicates = definitions.map(({ name, expression: source }) => {
      const expression = parseExpression(source, { name: `predicate "${name}"` });
      this.#texts.add(name, expression);
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
   * Counts a step; `place` describes it.
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
    this.#texts.take(state);
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

  /** Looks at a step that was held at its due time: it counts in none of the numbers but `trueWhileHeld`. */
  addHeld(step: Step): void {
    for (const { holds, use } of this.#predicates) {
      if (use.true > 0) continue;
      try {
        if (holds(step.state, step)) use.trueWhileHeld = (use.trueWhileHeld ?? 0) + 1;
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
      }
    }
  }

  /** The fields that no step had, except those that recordings lack. */
  absent(): AbsentField[] {
    const unexplained = [...this.#absent].filter(([name]) => !this.#notRecorded.has(name));
    return unexplained.map(([name, predicates]) => ({
      name,
      predicates,
      nearest: nearestName(name, this.#present) ?? null,
    }));
  }

  /** Predicates that were readable but never true, with the number of steps in which they could be read, and of held steps in which they are true. */
  neverTrue(): NeverTrue[] {
    return this.uses
      .filter(({ true: yes, false: no }) => yes === 0 && no > 0)
      .map(({ name, false: no, trueWhileHeld }) => {
        const neverRecorded = this.#texts.neverRecorded(name);
        return {
          predicate: name,
          readableSteps: no,
          ...(trueWhileHeld !== undefined && { trueWhileHeld }),
          ...(neverRecorded.length > 0 && { neverRecorded }),
        };
      });
  }

  /** The errors in words: fields that no step has, and other failures of predicates, with the number of steps. */
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

  /** Fields that no step has although the predicates could be evaluated: `&&` and `||` need not read both sides. */
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
