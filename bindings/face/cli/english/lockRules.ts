import { realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError } from '../../../base/errors.js';
import { printable } from '../../../base/words.js';
import { sayFormula } from '../../../languages/english/index.js';
import {
  describeQuestion,
  type EnglishReading,
  type ReadEnglishOptions,
  readRule,
  readSentence,
} from '../../../languages/english/read/index.js';
import { type Formula, printFormula } from '../../../languages/logic/index.js';
import {
  lexiconOf,
  lockFormulas,
  type RuleReader,
  readSpecification,
  type Specification,
} from '../../../rules/specification/index.js';
import { scriptsBeside } from '../../node/index.js';
import { readText } from '../inputs.js';
import { type Outcome, plural, type Terminal } from '../terminal.js';
import { askReading } from './askReading.js';

/** A sentence with several readings. */
interface Asked {
  readonly sentence: string;
  readonly reading: EnglishReading & { readonly kind: 'ask' };
  readonly options: ReadEnglishOptions;
}

/** `foreguard english --lock`: writes the formula of each sentence beside it, or nothing if one has several readings and nobody is asked. */
export async function lockRules(spec: string, ask: boolean, terminal: Terminal): Promise<Outcome> {
  const text = await readText(spec, 'a specification, YAML or JSON');
  const asked = new Map<string, Asked>();
  const specification = readSpecification(text, {
    source: spec,
    scripts: scriptsBeside(spec),
    readRule: collecting(asked),
  });
  const sentences = specification.rules.filter(({ english }) => english !== null);
  if (sentences.length === 0)
    throw new InvalidArgumentError(
      `${spec}: no rule is a sentence; expected rules such as watch: { english: "Whenever the stove is on, the robot is in the kitchen." }`,
    );
  const formulas = new Map<string, Formula>();
  for (const { name, formula, provenance } of sentences) {
    const question = asked.get(name);
    if (provenance !== 'english' || (question !== undefined && !ask)) continue;
    formulas.set(name, question === undefined ? formula : await answerOf(question, specification, terminal));
  }
  const open = ask ? [] : [...asked];
  if (open.length === 0 && formulas.size > 0) {
    const texts = new Map([...formulas].map(([name, formula]) => [name, printFormula(formula)]));
    write(spec, lockFormulas(text, texts, spec));
  }
  return outcomeOf(spec, open.length > 0 ? new Map() : formulas, open, specification);
}

/** The reader of rules, which keeps the sentences that have several readings, and takes the first for the time being. */
function collecting(asked: Map<string, Asked>): RuleReader {
  return (sentence, options) => {
    if (options.formula !== undefined) return readRule(sentence, options);
    const reading = readSentence(sentence, options, options.name ?? 'sentence');
    if (reading.kind !== 'ask') return readRule(sentence, options);
    const [, name] = /^rule "(.*)"$/s.exec(options.name ?? '') ?? [];
    asked.set(name, { sentence, reading, options });
    return reading.readings[0].formula;
  };
}

async function answerOf(
  { sentence, reading, options }: Asked,
  specification: Specification,
  terminal: Terminal,
): Promise<Formula> {
  const { formula } = await askReading(sentence, reading, options, lexiconOf(specification), terminal);
  return formula;
}

/** The file is whole at every moment. */
function write(spec: string, text: string): void {
  const path = realpathSync(spec);
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text, { mode: statSync(path).mode, flag: 'wx' });
  renameSync(aside, path);
}

function outcomeOf(
  spec: string,
  formulas: ReadonlyMap<string, Formula>,
  open: readonly (readonly [string, Asked])[],
  specification: Specification,
): Outcome {
  const locked = specification.rules.flatMap(({ name, english, atEnd }) => {
    const formula = formulas.get(name);
    if (formula === undefined) return [];
    const said = sayFormula(formula, lexiconOf(specification), { atEnd });
    return [{ rule: name, english, formula: printFormula(formula), said }];
  });
  const before = specification.rules
    .filter(({ provenance }) => provenance === 'locked')
    .map(({ name }) => name);
  const questions = open.map(([rule, { sentence, reading }]) => ({
    rule,
    english: sentence,
    readings: reading.readings.map((one) => ({
      formula: printFormula(one.formula),
      said: one.sentence,
      choices: one.choices,
    })),
    question: reading.question,
  }));
  const lines = [
    ...open.flatMap(([rule, { reading }]) => `rule "${rule}": ${describeQuestion(reading)}`.split('\n')),
    ...(open.length > 0
      ? ['Answer with --ask, or write the formula of the one that you mean beside the sentence']
      : []),
    `${spec}: ${plural(locked.length, 'formula', 'formulas')} written${before.length === 0 ? '' : `, ${before.length} there before`}`,
    ...locked.flatMap(({ rule, formula, said }) => [`${rule}: ${formula}`, `    ${said}`]),
  ];
  return {
    json: { file: spec, locked, before, questions },
    text: lines.map((line) => printable(line)).join('\n'),
    exitCode: open.length > 0 ? 2 : 0,
  };
}
