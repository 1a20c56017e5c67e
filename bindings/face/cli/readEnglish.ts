import { InvalidArgumentError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import { readFretish } from '../../languages/english/index.js';
import { printFormula } from '../../languages/logic/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { loadSpecification } from './inputs.js';
import { requireKnown } from './requireKnown.js';
import { type SaidRule, sayRules } from './sayRules.js';
import type { Outcome } from './terminal.js';

interface EnglishCommandOptions {
  readonly sentences: readonly string[];
  /** Formulas; true if the option stands without one. */
  readonly say?: readonly string[] | true;
  readonly spec?: string;
}

/** `foreguard english`: sentences of FRETish as formulas, and with `--say` formulas in English. */
export async function readEnglish({ sentences, say, spec }: EnglishCommandOptions): Promise<Outcome> {
  if (say !== undefined) {
    if (sentences.length > 0)
      throw new InvalidArgumentError(
        `"${sentences[0]}" stands before --say; expected sentences to be read, or --say with formulas to be said`,
      );
    return outcomeOf(await sayRules(say === true ? [] : say, spec));
  }
  if (sentences.length === 0)
    throw new InvalidArgumentError(
      'nothing to read; expected sentences of FRETish, or --say with formulas to be said, or --say with --spec FILE for its rules',
    );
  return read(sentences, spec === undefined ? null : await loadSpecification(spec));
}

function outcomeOf(rules: readonly SaidRule[]): Outcome {
  const lines = rules.flatMap(({ name, formula, english }) =>
    rules.length === 1 && name === null
      ? [english]
      : [`${name === null ? '' : `${name}: `}${formula}`, `    ${english}`],
  );
  return { json: { rules }, text: lines.map((line) => printable(line)).join('\n') };
}

/** @param specification whose predicates the sentences may name; null: any */
function read(sentences: readonly string[], specification: Specification | null): Outcome {
  const readings = sentences.map((sentence, i) => {
    const name = sentences.length === 1 ? 'sentence' : `sentence ${i + 1}`;
    const { component, cell, unit, formula, past } = readFretish(sentence, { name });
    if (specification !== null) requireKnown(formula, name, specification);
    const { scope, condition, timing, duration } = cell;
    return {
      sentence,
      formula: printFormula(formula),
      past: past === null ? null : printFormula(past),
      component,
      ...{ scope, condition, timing, duration: duration ?? null, unit },
    };
  });
  const notes = readings.flatMap(({ duration, unit }) =>
    unit === null || unit.startsWith('tick')
      ? []
      : [`as in FRET, ${duration} ${unit} are ${duration} steps: write the number of steps that you mean`],
  );
  const lines = readings.flatMap(({ sentence, formula }) =>
    readings.length === 1 ? [formula] : [sentence, `    ${formula}`],
  );
  return {
    json: { readings, notes },
    text: [...lines, ...notes.map((note) => `note: ${note}`)].map((line) => printable(line)).join('\n'),
  };
}
