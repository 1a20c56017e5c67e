import type { BitSet } from '../../kernel/index.js';
import type { Model } from '../../model/index.js';
import { modelOfRows, namingSource } from '../modelOfRows.js';
import { normaliseRows } from '../normaliseRows.js';
import { readLabels } from './labels.js';
import { type ExplicitFile, readLines } from './lines.js';
import { readRewards } from './rewards.js';
import { readTransitions } from './transitions.js';
import { readStates } from './variables.js';

/** The contents of PRISM's explicit files. */
export interface ExplicitFiles {
  /** States and transitions. */
  readonly tra: string;
  /** Labels; `init` marks the initial states. Default: state 0 is initial. */
  readonly lab?: string;
  /** Values of variables. */
  readonly sta?: string;
  /** Rewards of states, one text per reward structure. */
  readonly srew?: string | readonly string[];
  /** Rewards of transitions, one text per reward structure. */
  readonly trew?: string | readonly string[];
  /** Name of the `.tra` file; the others are named after it in messages. */
  readonly source: string;
}

/**
 * Reads a model from PRISM's explicit files: a Markov chain or decision process, with probabilities or intervals of them.
 * Numbers are decimals or fractions; transitions may come in any order, and those of one choice between the same two states are
 * added up. A state without transitions gets a self-loop, the label `deadlock` and a warning. Actions name choices; actions of
 * chains are dropped with a warning. Rewards are joined by the name in their comment.
 *
 * @throws ParseError with file, line, column and what was expected
 * @throws InvalidModelError with state and sum if a row does not sum to 1
 * @throws NotSupportedError naming the kind of model if it is none of these
 * @see https://www.prismmodelchecker.org/manual/Appendices/ExplicitModelFiles
 */
export function readExplicit(files: ExplicitFiles): Model {
  return readSections(files, (extension) => files.source.replace(/(\.tra)?$/, `.${extension}`));
}

/** As `readExplicit`; `beside` names the other files in messages. */
export function readSections(
  { source, ...texts }: ExplicitFiles,
  beside: (extension: string) => string,
): Model {
  const warnings: string[] = [];
  const listed = readTransitions(readLines(texts.tra, source), warnings);
  const states = (listed.rowGroupStart ?? listed.rowStart).length - 1;
  const { initial, labels } =
    texts.lab === undefined
      ? { initial: [0], labels: new Map<string, BitSet>() }
      : readLabels(readLines(texts.lab, beside('lab')), states);
  const valuations =
    texts.sta === undefined ? undefined : readStates(readLines(texts.sta, beside('sta')), states);
  return namingSource(source, () => {
    const rows = normaliseRows(listed);
    const files = (given: string | readonly string[] = [], extension: string): ExplicitFile[] =>
      [given].flat().map((text) => readLines(text, beside(extension)));
    return modelOfRows(rows, {
      initial,
      labels,
      ...(listed.actions && { actions: listed.actions }),
      ...(valuations && { valuations }),
      rewards: readRewards(files(texts.srew, 'srew'), files(texts.trew, 'trew'), rows),
      warnings,
    });
  });
}
