import { OPEN, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { type Formula, predicatesOf } from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { GuardFile } from '../guard/index.js';
import { type Core, coreOf } from './core.js';
import { Describer } from './describe.js';
import { type Evidence, EvidenceGatherer } from './evidence.js';
import type { Explanation, Fact } from './explanation.js';
import { lookBack } from './look.js';
import { type Owed, owedParts } from './obligations.js';
import { PredicateNames, type PredicateWordsByName } from './predicateNames.js';
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

/** What a formula demands at step `origin` of a prefix. */
interface Demand {
  readonly values: readonly Uint8Array[];
  readonly length: number;
  readonly origin: number;
  /** The formula's value there. */
  readonly value: number;
  /** Number of the prefix's first step. */
  readonly firstStep: number;
}

/** Explains the verdicts of one rule. */
export class Explainer {
  /** The formula over predicates alone. */
  readonly formula: Formula;
  readonly #parts: readonly Core[];
  readonly #words: Words;
  readonly #names: PredicateNames;

  /**
   * @param resample how early and missing steps are treated; default `error`: there are none
   * @param words how people say those predicates that have words
   */
  constructor(
    formula: Formula,
    predicates: readonly PredicateDefinition[],
    samplingPeriod: number | string | undefined,
    resample?: GuardFile['resample'],
    words: PredicateWordsByName = {},
  ) {
    this.#names = new PredicateNames(predicates, words);
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
    const looking = this.#demand(prefix, origin, firstStep, atEnd);
    // The automaton vouches for what a run that begins at the origin owes; the steps before it show more of the reasons.
    const isOwn = origin === 0 || keptFrom > 0;
    const own = isOwn ? looking : this.#demand(from(prefix, origin), 0, firstStep + origin, atEnd);
    // The end does not break a rule that is weak at the end, whatever its formula says.
    if (atEnd && verdict === 'satisfied' && own.value === FALSE)
      return this.explain(whole, { ...circumstances, ended: false });
    const headline = headlineOf(verdict, last, atEnd, words);
    const certain = verdict === 'satisfied' ? TRUE : FALSE;
    if (verdict !== 'open' && looking.value === certain) {
      const found = this.#gather([{ part: this.#root, step: origin }], looking);
      const evidence = this.#facts(found, firstStep, words);
      // The headline says that the run ends; repeat it only if there is nothing else to say.
      const told = atEnd && evidence.length > 0 ? { ...found, readsEnd: false } : found;
      const reasons =
        this.#reasons(evidence, told, firstStep, looking.length, words) || this.#whole(verdict, null, []);
      return { verdict, ...place, evidence, obligations: [], text: `${headline}: ${reasons}` };
    }
    if (verdict !== 'open' && (keptFrom > 0 || own.value === certain)) {
      const text = `${headline}: the steps that show why are no longer kept`;
      return { verdict, ...place, evidence: [], obligations: [], text };
    }
    const owed = owedParts(this.#parts, own.values, own.length);
    const describer = new Describer(words, this.#names, own.firstStep, own.length);
    const obligations = owed
      .filter((one) => one.standing || this.#isOpen(one, own, looking, keptFrom))
      .map((one) => describer.obligation(one, this.#because(one, own, looking, words)))
      .sort(
        (a, b) => (a.deadline ?? Number.POSITIVE_INFINITY) - (b.deadline ?? Number.POSITIVE_INFINITY) || 0,
      );
    const why = this.#whole(verdict, step, obligations);
    const isSure = isOwn || owed.every((one) => looksBackTo(one, own.length) >= 0);
    const more =
      keptFrom > 0
        ? `the steps before step ${words.number(keptFrom)} are no longer kept, so that what they made due is not known`
        : `what the steps before step ${words.number(own.firstStep)} made due is not known`;
    const text = keptFrom === 0 && isSure ? why : obligations.length > 0 ? `${why}; ${more}` : more;
    return { verdict, ...place, evidence: [], obligations, text: `${headline}: ${text}` };
  }

  #demand(prefix: Prefix, origin: number, firstStep: number, ended: boolean): Demand {
    const { length } = prefix;
    const values = truthValues(this.#parts, prefix, ended);
    const value = origin === length ? UNDECIDED : values[this.#root.id][origin];
    return { values, length, origin, value, firstStep };
  }

  /** Whether what a run that begins at the origin owes is open also with the steps before it, as far as these are kept. */
  #isOpen({ part, since }: Owed, own: Demand, looking: Demand, keptFrom: number): boolean {
    if (own === looking) return keptFrom === 0 || own.firstStep + since - lookBack(part) >= keptFrom;
    return looking.values[part.id][since + looking.origin] === UNDECIDED;
  }

  /** The facts that made something due, also those before the origin if these decide the same. */
  #because({ because }: Owed, own: Demand, looking: Demand, words: Words): Fact[] {
    const before = looking.origin - own.origin;
    const isSame = because.every(
      ({ part, step }) => looking.values[part.id][step + before] === own.values[part.id][step],
    );
    if (!isSame) return this.#facts(this.#gather(because, own), own.firstStep, words);
    const inAll = because.map(({ part, step }) => ({ part, step: step + before }));
    return this.#facts(this.#gather(inAll, looking), looking.firstStep, words);
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
        : `no trace${alike} satisfies ${this.#names.quote(this.formula)}`;
    }
    if (verdict === 'satisfied') return `every trace${alike} satisfies ${this.#names.quote(this.formula)}`;
    return obligations.length > 0 ? due : 'whether an earlier step broke it could not be read';
  }

  #gather(
    parts: readonly { readonly part: Core; readonly step: number }[],
    { values, length }: Demand,
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
      const said = this.#names.say(leaf.formula);
      const fact = {
        formula,
        ...(said !== null && { said }),
        ...{ holds, from: from + firstStep, to: to + firstStep },
      };
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
    known: known === null ? null : known.subarray(at),
  };
}

/** The first step on which the meaning of an obligation depends; negative if it lies before the run that owes it. What is standing concerns future steps. */
function looksBackTo({ part, since, standing }: Owed, length: number): number {
  return (standing ? length : since) - lookBack(part);
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
