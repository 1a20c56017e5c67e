import {
  type AtEnd,
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  type Stepper,
} from '../../languages/automaton/index.js';
import { type Lexicon, sayFormula } from '../../languages/english/index.js';
import { type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import { Abstraction, type PredicateDefinition, readsAction } from '../../observations/abstraction/index.js';
import { constraintFormula } from '../../runtime/explanation/index.js';
import { comparisonFormulas } from '../ruleSet/index.js';
import { allPredicates, lexiconOf, type Specification } from '../specification/index.js';

/** A rule, or what is assumed of every run, as its automaton. */
export interface Track {
  /** The rule's name; null if it is an assumption. */
  readonly rule: string | null;
  readonly atEnd: AtEnd;
  readonly automaton: Automaton;
  readonly stepper: Stepper;
}

/** A rule that questions are about. */
export interface AskedRule {
  readonly name: string;
  readonly formula: Formula;
  readonly formulaText: string;
  readonly atEnd: AtEnd;
  readonly automaton: Automaton;
}

/** What a specification says of runs, compiled once: its predicates, its rules, and what is assumed. */
export class Knowledge {
  readonly specification: Specification;
  readonly definitions: readonly PredicateDefinition[];
  readonly abstraction: Abstraction;
  /** Bits of the predicates that read the call of the step; the others are of the state. */
  readonly ofCall: Uint32Array;
  /** The places of those predicates. */
  readonly callPlaces: readonly number[];
  /** Bits of all predicates. */
  readonly all: Uint32Array;
  /** The places of predicates, by their names. */
  readonly places: ReadonlyMap<string, number>;
  readonly lexicon: Lexicon;
  readonly rules: readonly AskedRule[];
  /** The rules in their order, then the assumptions. */
  readonly tracks: readonly Track[];
  readonly #english = new Map<string, string>();
  readonly #quoted = new Map<string, string>();

  /**
   * Rules that bound a probability are left out, since no single run keeps or breaks them.
   *
   * @throws NotSupportedError if the automaton of a rule or of an assumption is too large
   */
  constructor(specification: Specification) {
    const definitions = allPredicates(specification);
    this.specification = specification;
    this.definitions = definitions;
    this.abstraction = new Abstraction({ predicates: definitions });
    this.lexicon = lexiconOf(specification);
    this.ofCall = new Uint32Array(this.abstraction.words);
    this.all = new Uint32Array(this.abstraction.words);
    this.places = new Map(definitions.map(({ name }, i) => [name, i]));
    this.callPlaces = definitions.flatMap((definition, i) => (readsAction(definition) ? [i] : []));
    for (const i of this.callPlaces) this.ofCall[i >>> 5] |= 1 << (i & 31);
    for (let i = 0; i < definitions.length; i++) this.all[i >>> 5] |= 1 << (i & 31);
    this.rules = specification.rules
      .filter(({ formula }) => formula.kind !== 'probability')
      .map(({ name, formula, formulaText, atEnd }) => ({
        name,
        formula,
        formulaText,
        atEnd,
        automaton: this.automatonOf(formula),
      }));
    const constraint = constraintFormula(specification.abstraction.constraints ?? {});
    const assumed = constraint === null ? [] : [constraint];
    const read = new Set([...this.rules.map(({ formula }) => formula), ...assumed].flatMap(predicatesOf));
    const comparisons = comparisonFormulas(definitions.filter(({ name }) => read.has(name)));
    this.tracks = [
      ...this.rules.map(({ name, atEnd, automaton }) => this.#track(name, atEnd, automaton)),
      ...[...assumed, ...comparisons].map((formula) =>
        this.#track(null, 'strong', this.automatonOf(formula)),
      ),
    ];
  }

  get predicates(): readonly string[] {
    return this.abstraction.predicates;
  }

  /** The place of a predicate among all; -1 if there is none of that name. */
  placeOf(name: string): number {
    return this.places.get(name) ?? -1;
  }

  /** @throws NotSupportedError, InvalidArgumentError as `buildAutomaton` */
  automatonOf(formula: Formula, maxStates?: number): Automaton {
    const { samplingPeriod } = this.specification;
    return buildAutomaton(formula, { samplingPeriod, ...(maxStates !== undefined && { maxStates }) });
  }

  /** A track of what is asked about: nothing is assumed of it. */
  trackOf(automaton: Automaton): Track {
    return this.#track('', 'strong', automaton);
  }

  /** The rule as a sentence in the predicates' words. */
  englishOf(name: string): string {
    let english = this.#english.get(name);
    if (english === undefined) {
      const { formulaText, atEnd } = this.rules.find((rule) => rule.name === name) as AskedRule;
      english = sayFormula(parseFormula(formulaText, { name: `rule "${name}"` }), this.lexicon, { atEnd });
      this.#english.set(name, english);
    }
    return english;
  }

  /** The rule with its sentence, as they stand within another sentence. */
  quoted(name: string): string {
    let quoted = this.#quoted.get(name);
    if (quoted === undefined) {
      quoted = `rule "${name}" (${this.englishOf(name).replace(/\.$/, '')})`;
      this.#quoted.set(name, quoted);
    }
    return quoted;
  }

  /** That a predicate holds, or that it does not, in words. */
  say(predicate: string, holds: boolean): string {
    const phrases = this.lexicon.phrasesOf(predicate);
    return holds ? phrases.holds : phrases.not;
  }

  #track(rule: string | null, atEnd: AtEnd, automaton: Automaton): Track {
    return { rule, atEnd, automaton, stepper: bindAutomaton(automaton, this.predicates) };
  }
}
