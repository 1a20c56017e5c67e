import { canonicalJson } from '../../base/canonicalJson.js';
import { ForeguardError, InvalidArgumentError, ModelError } from '../../base/errors.js';
import { type LanguageModel, nameOf, objectIn, type Prompt } from '../../base/languageModel/index.js';
import { refuseUnknownOptions, requireText } from '../../base/suggest.js';
import { type CompareOptions, canonicalKey } from '../../languages/automaton/compare/index.js';
import {
  createLexicon,
  type EnglishReading,
  type Lexicon,
  type PredicateWords,
  questionFor,
  readEnglish,
  sayFormula,
} from '../../languages/english/index.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';
import { type CheckedRule, checkRules } from '../ruleSet/index.js';
import { confirmationFor } from './confirmation.js';
import { doubtsOf } from './doubts.js';
import { checkExamples, examplesFor, type TranslationExample } from './examples.js';
import { type GroundedMention, type GroundingOptions, literalOf, MentionGrounder } from './ground.js';
import { type Lock, type PlacedLock, placedLocks, within } from './locks.js';
import { readSegments, type Segment } from './mentions.js';
import { formulaPrompt, JUDGE, MENTIONS } from './prompts.js';
import type { Translation, VotedReading } from './translation.js';
import { type ReadTree, readTree } from './tree.js';
import { type VotedClass, voteByEquivalence } from './vote.js';

/** How a sentence is translated. */
export interface TranslateOptions extends GroundingOptions {
  /** The predicates that the sentence may speak of, and how each is said. */
  readonly predicates: Readonly<Record<string, PredicateWords>>;
  readonly model: LanguageModel;
  /** Answers that vote; default 5, at least 3. */
  readonly samples?: number;
  /** Temperature of these answers; default 0.7. */
  readonly temperature?: number;
  /** Rules with their meaning, beside the built-in ones; a model is shown the three that share most words with the rule. Default: none. */
  readonly examples?: readonly TranslationExample[];
  /** Parts of the sentence whose meaning a person has settled: each is one fact to the model, and the rest is asked about again. Default: none. */
  readonly locks?: readonly Lock[];
  /** A model that compares the sentence with the translation said in English; it can raise a doubt, and never take one away. Default: none. */
  readonly judge?: LanguageModel;
  /** Rules that every run satisfies: readings that are the same on those runs are one. Default: none. */
  readonly constraints?: CompareOptions['constraints'];
  /** The rules that there are, with which a translation is checked for conflicts. Default: none. */
  readonly rules?: readonly CheckedRule[];
  readonly signal?: AbortSignal;
}

/**
 * Translates a sentence into rules: by the reader of English if it finds one meaning, else with the help of a language model, whose answers are data. The model takes
 * the sentence apart without adding or leaving out a word, its expressions are grounded to predicates by their words, and answers vote on the meaning of what is left,
 * as trees over placeholders. A model can name no predicate, and nothing that it says becomes a rule: what it agrees on is an offer to a person.
 *
 * @param sentence of the author of the rules. Texts of agents, tools or their results are no such sentences.
 * @returns one translation for each rule in the sentence
 * @throws InvalidArgumentError (rejects) if an option is wrong; the signal's reason if it is aborted. Faults of the model are refusals.
 * @source Yang, Raman, Shah, Tellex (2023), arXiv:2309.09919; Liu et al. (2023), arXiv:2302.11649; Cosler et al. (2023), doi 10.1007/978-3-031-37703-7_18
 */
export async function translate(sentence: string, options: TranslateOptions): Promise<Translation[]> {
  requireText('translate', sentence);
  refuseUnknownOptions('translate', options, OPTIONS);
  const { samples = 5 } = options;
  if (!Number.isSafeInteger(samples) || samples < 3 || samples > 50)
    throw new InvalidArgumentError(`samples is ${samples}; expected a whole number from 3 to 50`);
  checkExamples(options.examples ?? []);
  return new Translator(options, samples).translate(sentence);
}

/**
 * What is left of several readings once a person has said whether the run of their question is allowed: an offer, or fewer readings with the next question.
 *
 * @param isAllowed whether the run of `translation.question` is allowed
 * @param options as those of the `translate` that asked; no model is asked
 */
export function answerTranslation(
  translation: Translation & { readonly kind: 'ask' },
  isAllowed: boolean,
  options: Pick<TranslateOptions, 'predicates' | 'constraints'>,
): Translation {
  const { text, start, mentions, readings, question, doubts } = translation;
  const left = (isAllowed ? question.ifAllowed : question.ifForbidden).map((i) => readings[i]);
  const common = { text, start, mentions, doubts };
  const lexicon = createLexicon(options.predicates);
  const compare = options.constraints === undefined ? {} : { constraints: options.constraints };
  if (left.length > 1)
    return { ...common, kind: 'ask', readings: left, question: questionFor(left, compare, lexicon) };
  const [reading] = left;
  const rivals = readings.filter((one) => one !== reading).map(({ formula }) => formula);
  const confirmation = confirmationFor(reading.formula, rivals, lexicon, compare);
  return { ...common, kind: 'offer', ...reading, confirmation };
}

const OPTIONS: { readonly [Name in keyof Required<TranslateOptions>]: true } = {
  predicates: true,
  model: true,
  samples: true,
  temperature: true,
  examples: true,
  locks: true,
  judge: true,
  constraints: true,
  rules: true,
  signal: true,
  embed: true,
  margin: true,
};

type Refused = Extract<Translation, { kind: 'refused' }>;

class Translator {
  readonly #options: TranslateOptions;
  readonly #samples: number;
  readonly #lexicon: Lexicon;
  readonly #compare: CompareOptions;
  readonly #grounder: MentionGrounder;

  constructor(options: TranslateOptions, samples: number) {
    const { predicates, constraints } = options;
    this.#options = options;
    this.#samples = samples;
    this.#lexicon = createLexicon(predicates);
    this.#compare = constraints === undefined ? {} : { constraints };
    this.#grounder = new MentionGrounder(predicates, options);
  }

  async translate(sentence: string): Promise<Translation[]> {
    const whole = { text: sentence, start: 0 };
    const locks = placedLocks(this.#options.locks ?? [], sentence, Object.keys(this.#options.predicates));
    const read = this.#read(sentence);
    if (read.kind === 'one' && locks.length === 0) return [{ ...whole, ...read, kind: 'read' }];
    if (read.kind === 'refused' && NOT_FOR_MODELS.has(read.code)) return [{ ...whole, ...read }];
    try {
      const { object } = await this.#answer(MENTIONS, { sentence });
      const segments = readSegments(object, sentence);
      const found: Translation[] = [];
      for (const segment of segments)
        found.push(
          await this.#segment(
            segment,
            segments.length === 1 ? read : this.#read(segment.text),
            within(locks, segment),
          ),
        );
      return found;
    } catch (error) {
      return [{ ...whole, ...this.#failure(error) }];
    }
  }

  #read(text: string): EnglishReading {
    const { predicates, constraints } = this.#options;
    return readEnglish(text, { predicates, ...(constraints !== undefined && { constraints }) });
  }

  async #segment(segment: Segment, read: EnglishReading, locks: readonly PlacedLock[]): Promise<Translation> {
    const { text, start } = segment;
    // Where a part is settled, the reader has no say: it read the sentence without it.
    const isFree = locks.length === 0;
    if (isFree && read.kind === 'one') return { text, start, ...read, kind: 'read' };
    const grounded: GroundedMention[] = [];
    for (const mention of segment.mentions) {
      if (locks.some((lock) => within([mention], lock).length > 0)) continue;
      const found = await this.#grounder.ground(mention);
      if (!('predicate' in found)) return { text, start, ...this.#unknown(found) };
      grounded.push(found);
    }
    if (grounded.length === 0 && isFree)
      return {
        text,
        start,
        ...refusal('unknown-predicate', 'the rule mentions nothing that a predicate could be', []),
      };
    const { rule, literals } = lifted(segment, [...grounded.map(factOf), ...locks]);
    const { trees, problems } = await this.#trees(rule, literals);
    if (trees.length === 0) return { text, start, ...this.#unsupported(problems) };
    let classes: VotedClass<ReadTree>[];
    try {
      classes = this.#classes(trees);
    } catch (error) {
      return { text, start, ...this.#failure(error) };
    }
    const common = { text, start, mentions: grounded };
    const doubts = [...problems.map((why) => `an answer of the model is left out: ${why}`)];
    const readings =
      isFree && read.kind === 'ask'
        ? this.#ranked(read.readings, classes)
        : classes.map((one) => this.#voted(one));
    if (readings.length > 1) {
      const question = questionFor(readings, this.#compare, this.#lexicon);
      return { ...common, kind: 'ask', readings, question, doubts };
    }
    const [reading] = readings;
    if (reading === undefined) return { text, start, ...this.#empty() };
    const more = await this.#doubts(reading, classes[0], rule, segment);
    const rivals = classes.slice(1).map(({ votes: [{ formula }] }) => formula);
    const confirmation = confirmationFor(reading.formula, rivals, this.#lexicon, this.#compare);
    return { ...common, kind: 'offer', ...reading, confirmation, doubts: [...doubts, ...more] };
  }

  /** The trees of the answers, and why others have none. */
  async #trees(
    rule: string,
    literals: readonly Formula[],
  ): Promise<{ readonly trees: readonly ReadTree[]; readonly problems: readonly string[] }> {
    const prompt = formulaPrompt(literals.length);
    const examples = examplesFor(rule, this.#options.examples ?? []);
    const { texts, objects } = await this.#generate(prompt, { rule, examples }, { samples: this.#samples });
    const trees: ReadTree[] = [];
    const problems: string[] = [];
    for (let i = 0; i < Math.max(texts.length, objects?.length ?? 0); i++) {
      try {
        const answer = (objects?.[i] ?? objectIn(texts[i] ?? '')) as Record<string, unknown>;
        const found = readTree(answer, literals, rule);
        if (typeof found === 'string')
          problems.push(`it says that the rule cannot be said so (${found.slice(0, 200)})`);
        else trees.push(found);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        problems.push(error.message);
      }
    }
    // A majority must have given a tree: a few that guess do not outvote those that refuse.
    return trees.length * 2 > this.#samples ? { trees, problems } : { trees: [], problems };
  }

  /** Without the classes that say nothing or cannot be kept. */
  #classes(trees: readonly ReadTree[]): VotedClass<ReadTree>[] {
    const trivial = [true, false].map((value) => canonicalKey(constant(value), this.#compare));
    return voteByEquivalence(trees, this.#compare).filter(
      ({ votes: [{ formula }] }) => !trivial.includes(canonicalKey(formula, this.#compare)),
    );
  }

  #voted({ votes: [{ formula }], share }: VotedClass<ReadTree>): VotedReading {
    return { formula, share, sentence: sayFormula(formula, this.#lexicon), choices: [] };
  }

  /** The reader's readings in the order of their votes: what it did not find is no reading of the sentence. */
  #ranked(
    readings: readonly Omit<VotedReading, 'share'>[],
    classes: readonly VotedClass<ReadTree>[],
  ): VotedReading[] {
    const shares = new Map(
      classes.map(({ votes: [{ formula }], share }) => [canonicalKey(formula, this.#compare), share]),
    );
    return readings
      .map((reading) => ({
        ...reading,
        share: shares.get(canonicalKey(reading.formula, this.#compare)) ?? 0,
      }))
      .sort((one, other) => other.share - one.share);
  }

  async #doubts(
    { formula, sentence }: VotedReading,
    { votes }: VotedClass<ReadTree>,
    rule: string,
    segment: Segment,
  ): Promise<string[]> {
    return [
      ...doubtsOf(formula, votes, rule),
      ...(await this.#judged(segment.text, sentence)),
      ...this.#conflicts(formula),
    ];
  }

  async #judged(rule: string, translation: string): Promise<string[]> {
    const { judge } = this.#options;
    if (judge === undefined) return [];
    const { object } = await this.#answer(JUDGE, { first: rule, second: translation }, judge);
    if (object.same === true) return [];
    const why = typeof object.why === 'string' ? `: ${object.why.slice(0, 200)}` : '';
    return [`${judge.id} finds that the sentence and the translation do not ask for the same${why}`];
  }

  #conflicts(formula: Formula): string[] {
    const { rules = [], constraints } = this.#options;
    if (rules.length === 0) return [];
    const name = 'this translation';
    const before = new Set(this.#findings(rules, constraints));
    return this.#findings([...rules, { name, formula }], constraints).filter((text) => !before.has(text));
  }

  #findings(rules: readonly CheckedRule[], constraints: CompareOptions['constraints']): string[] {
    const formulas = (constraints ?? []).filter((one): one is Formula => !('roots' in one));
    return checkRules(rules, formulas.length === 0 ? {} : { constraints: formulas }).findings.map(
      ({ text }) => text,
    );
  }

  async #answer(
    prompt: Prompt,
    data: Readonly<Record<string, unknown>>,
    model = this.#options.model,
  ): Promise<{ readonly object: Record<string, unknown> }> {
    const { texts, objects } = await this.#generate(prompt, data, {}, model);
    return { object: (objects?.[0] ?? objectIn(texts[0] ?? '')) as Record<string, unknown> };
  }

  #generate(
    prompt: Prompt,
    data: Readonly<Record<string, unknown>>,
    { samples = 1 }: { readonly samples?: number } = {},
    model = this.#options.model,
  ) {
    const { signal, temperature = 0.7 } = this.#options;
    signal?.throwIfAborted();
    return model.generate(
      {
        purpose: prompt.id,
        prompt: nameOf(prompt),
        system: prompt.system,
        messages: [{ role: 'user', content: canonicalJson(data) }],
        schema: prompt.schema,
        ...(prompt.grammars !== undefined && { grammars: prompt.grammars }),
        ...(samples > 1 ? { samples, temperature } : { temperature: 0 }),
      },
      signal,
    );
  }

  #unknown({
    text,
    start,
    candidates,
  }: {
    text: string;
    start: number;
    candidates: readonly { name: string }[];
  }) {
    const words = candidates.map(({ name }) => `"${this.#lexicon.phrasesOf(name).holds}" (${name})`);
    return refusal(
      'unknown-predicate',
      `it is not certain which predicate "${text}" is`,
      [
        ...(words.length === 0 ? [] : [`say it as one of these: ${words.join(', ')}`]),
        'give the predicate these words: also, beside its expression',
      ],
      { start, end: start + text.length },
    );
  }

  #unsupported(problems: readonly string[]): Pick<Refused, Exclude<keyof Refused, 'text' | 'start'>> {
    const isRefused = problems.some((why) => why.startsWith('it says'));
    const [why = 'it gave no answer'] = problems;
    return refusal(
      isRefused ? 'unsupported' : 'model-failed',
      `too few answers of ${this.#options.model.id} are translations; of one of the others: ${why}`,
      ['say it in other words, one rule a sentence', 'write the formula yourself'],
    );
  }

  #empty() {
    return refusal('says-nothing', 'what the model makes of it is kept by every run, or by none', [
      'say what must not happen, or what must',
    ]);
  }

  /** A fault of the model is no rule. @throws what is none */
  #failure(error: unknown) {
    if (this.#options.signal?.aborted) throw this.#options.signal.reason;
    if (!(error instanceof ForeguardError) || error instanceof InvalidArgumentError) throw error;
    return refusal('model-failed', error.message, ['ask again', 'write the formula yourself']);
  }
}

/** Refusals of the reader that no model can mend. */
const NOT_FOR_MODELS: ReadonlySet<string> = new Set([
  'empty',
  'too-long',
  'formula',
  'no-finite-meaning',
  'contradiction',
  'says-nothing',
]);

function refusal(
  code: Refused['code'],
  message: string,
  offers: readonly string[],
  place: Refused['place'] = null,
) {
  return { kind: 'refused' as const, code, message, offers, place };
}

const factOf = (mention: GroundedMention): PlacedLock => ({ ...mention, formula: literalOf(mention) });

/** The rule with p1 … pn in place of what it mentions, and what each stands for. Mentions of one fact have one placeholder. */
function lifted(
  { text, start }: Segment,
  facts: readonly PlacedLock[],
): { readonly rule: string; readonly literals: readonly Formula[] } {
  const numbers = new Map<string, number>();
  const literals: Formula[] = [];
  let rule = '';
  let at = start;
  for (const fact of [...facts].sort((one, other) => one.start - other.start)) {
    const key = printFormula(fact.formula);
    let number = numbers.get(key);
    if (number === undefined) {
      literals.push(fact.formula);
      number = literals.length;
      numbers.set(key, number);
    }
    rule += `${text.slice(at - start, fact.start - start)}p${number}`;
    at = fact.start + fact.text.length;
  }
  return { rule: rule + text.slice(at - start), literals };
}

function constant(value: boolean): Formula {
  return { kind: 'constant', value, place: { offset: 0, line: 1, column: 1 } };
}
