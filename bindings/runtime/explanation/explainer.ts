import { OPEN, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { type Formula, predicatesOf } from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { GuardFile } from '../guard/index.js';
import { type Core, coreOf } from './core.js';
import { Describer } from './describe.js';
import { type Evidence, EvidenceGatherer } from './evidence.js';
import type { Explanation, Fact } from './explanation.js';
import { type Owed, owedParts } from './obligations.js';
import { PredicateNames } from './predicateNames.js';
import type { Prefix } from './prefix.js';
import type { Run } from './run.js';
import { FALSE, TRUE, truthValues, UNDECIDED } from './truth.js';
import { enumerate, Words } from './words.js';

/** The circumstances of a verdict. */
export interface Circumstances {
  readonly run: Run;
  /** Whether no step follows the prefix. */
  readonly ended: boolean;
  /** Number of the prefix's first step. */
  readonly firstStep: number;
  /** The step of the prefix from which the formula is explained, as if the run began there; earlier ones are those that it looks back at. Default 0. */
  readonly origin?: number;
  /** The first kept step, if the rule depends on earlier ones; default 0: it depends on none. */
  readonly keptFrom?: number;
  /** Maps a step to the number used in texts; the rule reads steps from 0 on, including held ones. Default: the same number. */
  readonly numberOf?: (step: number) => number;
  /**
   * For a missing step of which nothing is known, the number of the next observed step; null for all others. The missing step itself has the number of the step
   * before it. Default: no step is missing.
   */
  readonly nextTo?: (step: number) => number | null;
  /** Seconds from the first step to the given one, if steps may span several periods; NaN if unknown. Default: always unknown. */
  readonly secondsOf?: (step: number) => number;
  /** Whether the number of steps determines the seconds, given a sampling period; default true. */
  readonly isTimed?: boolean;
}

/** What a formula demands at a step of a prefix. */
interface Demand {
  readonly values: readonly Uint8Array[];
  readonly length: number;
  /** The formula's value. */
  readonly value: number;
  readonly owed: readonly Owed[];
}

/** Explains the verdicts of one rule. */
export class Explainer {
  /** The formula over predicates alone. */
  readonly formula: Formula;
  readonly #parts: readonly Core[];
  readonly #words: Words;
  readonly #names: PredicateNames;

  /** @param resample how early and missing steps are treated; default `error`: there are none */
  constructor(
    formula: Formula,
    predicates: readonly PredicateDefinition[],
    samplingPeriod: number | string | undefined,
    resample?: GuardFile['resample'],
  ) {
    this.#names = new PredicateNames(predicates);
    this.formula = this.#names.resolve(formula);
    this.#parts = coreOf(this.formula, samplingPeriod);
    this.#words = new Words(samplingPeriod, resample);
  }

  /** Explains a prefix. The verdict is the automaton's; the formula's parts, step by step, give the reasons. */
  explain(whole: Prefix, circumstances: Circumstances): Explanation {
    const { run, ended, firstStep, origin = 0, keptFrom = 0, secondsOf, isTimed } = circumstances;
    const { numberOf = (step: number) => step, nextTo = () => null } = circumstances;
    const decided = run.verdict !== OPEN;
    const prefix = decided ? { ...whole, length: run.step + 1 } : whole;
    const end = firstStep + prefix.length;
    const words = this.#words.numbered({ numberOf, nextTo, secondsOf, last: end - 1 }, isTimed);
    const last = end === 0 ? null : end - 1;
    const step = last === null ? null : words.number(last);
    const place = { step, ...(last !== null && words.isMissing(last) && { missing: true as const }) };
    const verdict = verdictOf(run, ended);
    const atEnd = ended && !decided;
    const [looking, alone] = this.#demands(prefix, origin, keptFrom, atEnd);
    const { values, length, value, owed } = looking ?? alone;
    // The end does not break a rule that is weak at the end, whatever its formula says.
    if (atEnd && verdict === 'satisfied' && value === FALSE)
      return this.explain(whole, { ...circumstances, ended: false });
    const headline = headlineOf(verdict, last, atEnd, words);
    const isCertain = verdict !== 'open' && value === (verdict === 'satisfied' ? TRUE : FALSE);
    if (isCertain && looking !== null) {
      const found = this.#gather([{ part: this.#root, step: origin }], values, length);
      const evidence = this.#facts(found, firstStep, words);
      // The headline says that the run ends; repeat it only if there is nothing else to say.
      const told = atEnd && evidence.length > 0 ? { ...found, readsEnd: false } : found;
      const reasons =
        this.#reasons(evidence, told, firstStep, length, words) || this.#whole(verdict, null, []);
      return { verdict, ...place, evidence, obligations: [], text: `${headline}: ${reasons}` };
    }
    if (isCertain || (keptFrom > 0 && verdict !== 'open')) {
      const text = `${headline}: the steps that show why are no longer kept`;
      return { verdict, ...place, evidence: [], obligations: [], text };
    }
    const first = end - length;
    const describer = new Describer(words, (formula) => this.#names.show(formula), first, length);
    const obligations = owed
      .filter(({ since }) => first + since >= keptFrom)
      .map((one) =>
        describer.obligation(one, this.#facts(this.#gather(one.because, values, length), first, words)),
      )
      .sort(
        (a, b) => (a.deadline ?? Number.POSITIVE_INFINITY) - (b.deadline ?? Number.POSITIVE_INFINITY) || 0,
      );
    const why = this.#whole(verdict, step, obligations);
    const text = keptFrom > 0 ? this.#partly(why, obligations, words.number(keptFrom)) : why;
    return { verdict, ...place, evidence: [], obligations, text: `${headline}: ${text}` };
  }

  /**
   * What the formula demands at step `origin`: with the steps before it, which show more of the reasons, and of a run that begins there, which the automaton
   * vouches for. The first is null if it is not the same as the second.
   */
  #demands(prefix: Prefix, origin: number, keptFrom: number, ended: boolean): [Demand | null, Demand] {
    if (origin === 0 || keptFrom > 0) {
      const demand = this.#demandAt(prefix, origin, ended);
      return [demand, demand];
    }
    const alone = this.#demandAt(from(prefix, origin), 0, ended);
    if (alone.length === 0) return [null, alone];
    const looking = this.#demandAt(prefix, origin, ended);
    const isSame =
      looking.value === alone.value &&
      looking.owed.length === alone.owed.length &&
      looking.owed.every((one, i) => isSameOwed(one, alone.owed[i], origin));
    return [isSame ? looking : null, alone];
  }

  #demandAt(prefix: Prefix, step: number, ended: boolean): Demand {
    const { length } = prefix;
    const values = truthValues(this.#parts, prefix, ended);
    const value = length === 0 ? UNDECIDED : values[this.#root.id][step];
    return { values, length, value, owed: owedParts(this.#parts, values, length, step) };
  }

  get #root(): Core {
    return this.#parts[this.#parts.length - 1];
  }

  /** The formula as text for people. */
  get text(): string {
    return this.#names.show(this.formula);
  }

  #whole(
    verdict: Explanation['verdict'],
    step: number | null,
    obligations: Explanation['obligations'],
  ): string {
    const alike = step === null ? '' : ' that begins like this';
    const due = this.#words.obligations(obligations);
    if (verdict === 'violated') {
      // A single obligation can only conflict with what every step must satisfy.
      const alone = obligations.filter(({ standing }) => !standing).length < 2;
      const told = alone ? obligations.map((one) => ({ ...one, standing: false })) : obligations;
      return obligations.length > 1
        ? `no continuation does all that is due: ${this.#words.obligations(told)}`
        : `no trace${alike} satisfies \`${this.text}\``;
    }
    if (verdict === 'satisfied') return `every trace${alike} satisfies \`${this.text}\``;
    return obligations.length > 0 ? due : 'whether an earlier step broke it could not be read';
  }

  /** The text if steps that may matter are no longer kept. */
  #partly(why: string, obligations: Explanation['obligations'], keptFrom: number): string {
    const missing = `the steps before step ${keptFrom} are no longer kept, so that what they made due is not known`;
    return obligations.length > 0 ? `${why}; ${missing}` : missing;
  }

  #gather(
    parts: readonly { readonly part: Core; readonly step: number }[],
    values: readonly Uint8Array[],
    length: number,
  ): Evidence {
    const gatherer = new EvidenceGatherer(values, length);
    for (const { part, step } of parts) gatherer.add(part, step);
    return gatherer.evidence();
  }

  #facts({ facts }: Evidence, firstStep: number, words: Words): Fact[] {
    const told: Fact[] = [];
    for (const { leaf, holds, from, to } of facts) {
      if (predicatesOf(leaf.formula).length === 0) continue;
      const formula = this.#names.show(leaf.formula);
      // The same fact may occur in several places of a formula.
      const known = told.findIndex(
        (one) => one.formula === formula && one.holds === holds && one.to + 1 >= from + firstStep,
      );
      const fact = { formula, holds, from: from + firstStep, to: to + firstStep };
      if (known < 0) told.push(fact);
      else told[known] = { ...fact, from: told[known].from, to: Math.max(told[known].to, fact.to) };
    }
    return told.map((fact) => {
      const leftOut = words.leftOut(fact.from, fact.to);
      return {
        ...fact,
        from: words.number(fact.from),
        to: words.number(fact.to),
        ...(leftOut.length > 0 && { leftOut }),
      };
    });
  }

  #reasons(
    facts: readonly Fact[],
    evidence: Evidence,
    firstStep: number,
    length: number,
    words: Words,
  ): string {
    const parts = facts.length > 0 ? [words.facts(facts)] : [];
    if (evidence.readsEnd) parts.push(`no step follows step ${words.number(firstStep + length - 1)}`);
    if (evidence.readsStart) parts.push(`no step comes before step ${words.number(firstStep)}`);
    return enumerate(parts);
  }
}

/** The steps of a prefix from the given one on. */
function from(prefix: Prefix, step: number): Prefix {
  const at = step * prefix.words;
  const { valuations, known, length } = prefix;
  return {
    ...prefix,
    length: length - step,
    valuations: valuations.subarray(at),
    known: known && known.subarray(at),
  };
}

/** Whether both are the same demand, the second with its steps numbered from step `origin` of the first. */
function isSameOwed(one: Owed, other: Owed, origin: number): boolean {
  return (
    one.part === other.part &&
    one.wanted === other.wanted &&
    one.since === other.since + origin &&
    one.standing === other.standing
  );
}

function verdictOf({ verdict, verdictAtEnd }: Run, ended: boolean): Explanation['verdict'] {
  const certain = ended ? verdictAtEnd : verdict;
  return certain === VIOLATED ? 'violated' : certain === SATISFIED ? 'satisfied' : 'open';
}

function headlineOf(
  verdict: Explanation['verdict'],
  step: number | null,
  atEnd: boolean,
  words: Words,
): string {
  if (step === null) return verdict === 'open' ? 'open before the first step' : `${verdict} from the start`;
  const place = words.step(step);
  if (verdict === 'open') return `open after ${place}`;
  return atEnd ? `${verdict} by a run that ends at ${place}` : `${verdict} at ${place}`;
}
