import { OPEN, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { type Formula, predicatesOf } from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { GuardFile } from '../guard/index.js';
import { type Core, coreOf } from './core.js';
import { Describer } from './describe.js';
import { type Evidence, EvidenceGatherer } from './evidence.js';
import type { Explanation, Fact } from './explanation.js';
import { owedParts } from './obligations.js';
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
    const { run, ended, firstStep, keptFrom = 0, secondsOf, isTimed } = circumstances;
    const { numberOf = (step: number) => step, nextTo = () => null } = circumstances;
    const decided = run.verdict !== OPEN;
    const prefix = decided ? { ...whole, length: run.step + 1 } : whole;
    const { length } = prefix;
    const words = this.#words.numbered(
      { numberOf, nextTo, secondsOf, last: firstStep + length - 1 },
      isTimed,
    );
    const last = firstStep + length === 0 ? null : firstStep + length - 1;
    const step = last === null ? null : words.number(last);
    const place = { step, ...(last !== null && words.isMissing(last) && { missing: true as const }) };
    const values = truthValues(this.#parts, prefix, ended && !decided);
    const root = this.#parts[this.#parts.length - 1];
    const value = length === 0 ? UNDECIDED : values[root.id][0];
    const verdict = verdictOf(run, ended);
    // The end does not break a rule that is weak at the end, whatever its formula says.
    if (ended && !decided && verdict === 'satisfied' && value === FALSE)
      return this.explain(whole, { ...circumstances, ended: false });
    const certain = verdict === 'satisfied' ? TRUE : FALSE;
    if (verdict !== 'open' && value === certain) {
      const found = this.#gather([{ part: root, step: 0 }], values, length);
      const evidence = this.#facts(found, firstStep, words);
      const atEnd = ended && !decided;
      // The headline says that the run ends; repeat it only if there is nothing else to say.
      const told = atEnd && evidence.length > 0 ? { ...found, readsEnd: false } : found;
      const reasons =
        this.#reasons(evidence, told, firstStep, length, words) || this.#whole(verdict, null, []);
      const text = `${headlineOf(verdict, last, atEnd, words)}: ${reasons}`;
      return { verdict, ...place, evidence, obligations: [], text };
    }
    const headline = headlineOf(verdict, last, ended && !decided, words);
    if (keptFrom > 0 && verdict !== 'open') {
      const text = `${headline}: the steps that show why are no longer kept`;
      return { verdict, ...place, evidence: [], obligations: [], text };
    }
    const describer = new Describer(words, (formula) => this.#names.show(formula), firstStep, length);
    const obligations = owedParts(this.#parts, values, length)
      .filter(({ since }) => firstStep + since >= keptFrom)
      .map((owed) =>
        describer.obligation(owed, this.#facts(this.#gather(owed.because, values, length), firstStep, words)),
      )
      .sort(
        (a, b) => (a.deadline ?? Number.POSITIVE_INFINITY) - (b.deadline ?? Number.POSITIVE_INFINITY) || 0,
      );
    const why = this.#whole(verdict, step, obligations);
    const text = keptFrom > 0 ? this.#partly(why, obligations, words.number(keptFrom)) : why;
    return { verdict, ...place, evidence: [], obligations, text: `${headline}: ${text}` };
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
