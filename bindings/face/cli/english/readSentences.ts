import { ForeguardError, InvalidArgumentError } from '../../../base/errors.js';
import { printable } from '../../../base/words.js';
import { readFretish } from '../../../languages/english/index.js';
import {
  describeQuestion,
  describeReading,
  type EnglishReading,
  isFretish,
  type ReadEnglishOptions,
  type Reading,
  type Refusal,
  readEnglish,
} from '../../../languages/english/read/index.js';
import { printFormula } from '../../../languages/logic/index.js';
import { lexiconOf, type Specification, vocabularyOf } from '../../../rules/specification/index.js';
import { loadSpecification } from '../inputs.js';
import { requireKnown } from '../requireKnown.js';
import type { Outcome, Terminal } from '../terminal.js';
import { askReading } from './askReading.js';

/** What came of one sentence. */
interface Read {
  readonly json: object;
  readonly lines: readonly string[];
  /** Whether there is no formula. */
  readonly failed?: boolean;
  readonly note?: string;
}

/** The formulas of sentences, or their questions and refusals; of several, an error of one does not hide what the others say. Exit code 2 if one has no formula. */
export async function readSentences(
  sentences: readonly string[],
  { spec, ask }: { readonly spec: string | undefined; readonly ask: boolean },
  terminal: Terminal,
): Promise<Outcome> {
  const specification = spec === undefined ? null : await loadSpecification(spec);
  const found: Read[] = [];
  for (const [i, sentence] of sentences.entries()) {
    const name = sentences.length === 1 ? 'sentence' : `sentence ${i + 1}`;
    try {
      if (isFretish(sentence)) found.push(fretish(sentence, name, specification));
      else found.push(await everyday(sentence, name, specification, ask ? terminal : null));
    } catch (error) {
      if (sentences.length === 1 || !(error instanceof ForeguardError)) throw error;
      found.push(failed(error));
    }
  }
  const notes = found.flatMap(({ note }) => note ?? []);
  const lines = found.flatMap((read, i) =>
    found.length === 1 ? read.lines : [sentences[i], ...read.lines.map((line) => `    ${line}`)],
  );
  return {
    json: { readings: found.map(({ json }, i) => ({ sentence: sentences[i], ...json })), notes },
    text: [...lines, ...notes.map((note) => `note: ${note}`)].map((line) => printable(line)).join('\n'),
    exitCode: found.some(({ failed }) => failed) ? 2 : 0,
  };
}

function failed({ code, message }: ForeguardError): Read {
  return {
    json: { kind: 'error', error: { code, message } },
    lines: `error: ${message}`.split('\n'),
    failed: true,
  };
}

function fretish(sentence: string, name: string, specification: Specification | null): Read {
  const { component, cell, unit, formula, past } = readFretish(sentence, { name });
  if (specification !== null) requireKnown(formula, name, specification);
  const { scope, condition, timing, duration } = cell;
  const json = {
    kind: 'one',
    formula: printFormula(formula),
    past: past === null ? null : printFormula(past),
    component,
    ...{ scope, condition, timing, duration: duration ?? null, unit },
  };
  const note =
    unit === null || unit.startsWith('tick')
      ? undefined
      : `as in FRET, ${duration} ${unit} are ${duration} steps: write the number of steps that you mean`;
  return { json, lines: [json.formula], ...(note !== undefined && { note }) };
}

/** @param terminal where to ask; null: nobody is asked */
async function everyday(
  sentence: string,
  name: string,
  specification: Specification | null,
  terminal: Terminal | null,
): Promise<Read> {
  if (specification === null)
    throw new InvalidArgumentError(
      `${name}: "${sentence}" is not FRETish (… shall … satisfy …); give --spec FILE, whose predicates it speaks of`,
    );
  const options: ReadEnglishOptions = vocabularyOf(specification);
  const reading = readEnglish(sentence, options);
  if (reading.kind === 'refused') return refusal(reading, sentence, name);
  if (reading.kind === 'one') return { json: jsonOf(reading), lines: describeReading(reading) };
  if (terminal === null) return question(reading, name);
  const chosen = await askReading(sentence, reading, options, lexiconOf(specification), terminal);
  return { json: { ...jsonOf(chosen), asked: true }, lines: describeReading(chosen) };
}

function jsonOf({ formula, ...rest }: Reading): object {
  return { kind: 'one', formula: printFormula(formula), english: rest.sentence, choices: rest.choices };
}

function question(reading: EnglishReading & { kind: 'ask' }, name: string): Read {
  const readings = reading.readings.map(({ formula, sentence, choices }) => ({
    formula: printFormula(formula),
    english: sentence,
    choices,
  }));
  return {
    json: { kind: 'ask', readings, question: reading.question },
    lines: [
      ...`${name}: ${describeQuestion(reading)}`.split('\n'),
      'Take the formula of the one that you mean, or answer with --ask.',
    ],
    failed: true,
  };
}

/** The sentence with what is not understood marked, and offers. */
function refusal({ code, message, place, offers }: Refusal, sentence: string, name: string): Read {
  const at = place === null ? '' : `:${place.start + 1}`;
  const shown = sentence.replace(/\s/g, ' ');
  const mark =
    place === null
      ? []
      : [`  ${shown}`, `  ${' '.repeat(place.start)}${'^'.repeat(place.end - place.start)}`];
  return {
    json: { kind: 'refused', code, message, place, offers },
    lines: [`${name}${at}: ${message}`, ...mark, ...offers.map((offer) => `  ${offer}`)],
    failed: true,
  };
}
