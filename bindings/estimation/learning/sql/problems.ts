import { EvaluationError, InvalidDataError } from '../../../base/errors.js';
import type { Abstraction } from '../../../observations/abstraction/index.js';
import { CONTRADICTION_ADVICE, contradictionMessage } from '../contradictionMessage.js';
import type { LearningSettings } from '../options.js';
import type { Contradiction, LearningReport } from '../report.js';
import { PROBLEM_KINDS } from './problemsStatement.js';
import type { ValuationCode } from './valuation.js';

/** A row that `problemsStatement` returned. Numbers may be bigints or texts. */
export interface ProblemRow {
  readonly kind: unknown;
  readonly trace_id: unknown;
  readonly step: unknown;
  readonly predicate: unknown;
  readonly state_there: unknown;
  readonly state_before: unknown;
  readonly of_kind: unknown;
  readonly traces: unknown;
  readonly place: unknown;
  readonly listed: unknown;
  readonly met: unknown;
}

/** The problems of traces, as the streaming counter reports them. */
export class Problems {
  readonly skipped: LearningReport['skipped'];
  readonly dropped: number;
  readonly contradictions: LearningReport['contradictions'];

  /**
   * @param given rows of `problemsStatement`, in any order
   * @throws InvalidDataError if steps have no order, time is irregular or a constraint is contradicted, EvaluationError if a predicate
   * fails, unless the settings say otherwise
   */
  constructor(
    abstraction: Abstraction,
    code: ValuationCode,
    settings: LearningSettings,
    given: readonly ProblemRow[],
  ) {
    const rows = given.toSorted((a, b) => Number(a.listed) - Number(b.listed));
    const kindOf = ({ kind }: ProblemRow): (typeof PROBLEM_KINDS)[number] => PROBLEM_KINDS[Number(kind)];
    const faults = rows.filter((row) => ['time', 'predicate'].includes(kindOf(row)));
    const contradictions = rows.filter((row) => ['state', 'transition', 'end'].includes(kindOf(row)));
    const disorder = rows.find((row) => kindOf(row) === 'order');
    if (disorder !== undefined) {
      throw new InvalidDataError(
        `trace "${disorder.trace_id}", step ${disorder.step}: its trace or its number is NULL, the next step has the same number, or, where there is a sampling period, only one of the two has a time; every step needs a place of its own`,
      );
    }
    const [fault] = faults;
    const [contradiction] = contradictions;
    const throwsContradiction = contradiction !== undefined && settings.onContradiction === 'error';
    const faultFirst =
      fault !== undefined && !(throwsContradiction && Number(contradiction.met) < Number(fault.met));
    if (faultFirst && !settings.skipInvalid) throw faultError(abstraction, kindOf(fault), fault);

    const firstContradictions = contradictions.map((row): Contradiction => {
      const { words } = abstraction;
      const valuations = new Uint32Array(2 * words);
      code.read(row.state_there, valuations.subarray(0, words));
      if (row.state_before !== null) code.read(row.state_before, valuations.subarray(words));
      const kind = kindOf(row) as Contradiction['kind'];
      const place = { kind, trace: String(row.trace_id), step: Number(row.step) };
      return {
        ...place,
        message: contradictionMessage(abstraction, place, { valuations, offset: 0, before: words }),
      };
    });
    if (throwsContradiction) {
      throw new InvalidDataError(`${firstContradictions[0].message}; ${CONTRADICTION_ADVICE}`);
    }
    const total = (kind: Contradiction['kind']): number =>
      Number(contradictions.find((row) => kindOf(row) === kind)?.of_kind ?? 0);
    this.skipped = {
      count: Number(fault?.traces ?? 0),
      first: faults
        .filter(({ place }) => Number(place) <= 100)
        .map((row) => faultError(abstraction, kindOf(row), row).message),
    };
    this.dropped = settings.onContradiction === 'dropTrace' ? Number(contradictions[0]?.traces ?? 0) : 0;
    this.contradictions = {
      state: total('state'),
      transition: total('transition'),
      end: total('end'),
      first: firstContradictions,
    };
  }
}

function faultError(
  abstraction: Abstraction,
  kind: (typeof PROBLEM_KINDS)[number],
  { trace_id, step, predicate }: ProblemRow,
): Error {
  const place = `trace "${trace_id}", step ${step}`;
  if (kind === 'time')
    return new InvalidDataError(
      [
        `${place}: it does not come a sampling period after the step before it, to within periodTolerance; correct samplingPeriod`,
        'An engine does not resample: JSON lines are learnt without one under resample: hold or skip, and foreguard validate says how their steps are spaced',
      ].join('. '),
    );
  const { name, expression } = abstraction.definition.predicates[Number(predicate)];
  return new EvaluationError(
    `${place}: predicate "${name}" has no value there: ${expression}; a field is missing, of the wrong type, or NaN`,
    { predicate: name },
  );
}
