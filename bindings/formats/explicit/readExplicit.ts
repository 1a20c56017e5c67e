import { InvalidModelError, NotSupportedError } from '../../errors.js';
import { BitSet, type Csr } from '../../kernel/index.js';
import { createDtmc, type Dtmc, type Valuations, type VariableValue } from '../../model/index.js';
import { deadlockWarning, tidyRows } from '../tidyRows.js';
import { checkCount, type ExplicitFile, headerLine, readLines } from './lines.js';
import { readRewards } from './rewards.js';

/** The contents of PRISM's explicit files. */
export interface ExplicitFiles {
  /** States and transitions. */
  readonly tra: string;
  /** Labels; `init` marks the initial states. Absent: state 0 is initial. */
  readonly lab?: string;
  /** Values of variables. */
  readonly sta?: string;
  /** Rewards of states, one text a reward structure. */
  readonly srew?: string | readonly string[];
  /** Rewards of transitions, one text a reward structure. */
  readonly trew?: string | readonly string[];
  /** Name of the `.tra` file; the others are named after it in messages. */
  readonly source: string;
}

/**
 * Reads a Markov chain from PRISM's explicit files. Probabilities are decimals or fractions; transitions may come in any
 * order, and those between the same two states are added up. A state without transitions gets a self-loop, the label
 * `deadlock` and a warning. Action labels are left out with a warning. Rewards are joined by the name in their comment.
 *
 * @throws ParseError with file, line, column and what was expected
 * @throws InvalidModelError with state and sum, where a row does not sum to 1
 * @throws NotSupportedError naming the kind of model if it is no DTMC
 * @see https://www.prismmodelchecker.org/manual/Appendices/ExplicitModelFiles
 */
export function readExplicit({ source, ...texts }: ExplicitFiles): Dtmc {
  const beside = (extension: string): string => source.replace(/(\.tra)?$/, `.${extension}`);
  const warnings: string[] = [];
  const tra = readTransitions(readLines(texts.tra, source), warnings);
  const states = tra.rowStart.length - 1;
  const { initial, labels } =
    texts.lab === undefined
      ? { initial: [0], labels: new Map<string, BitSet>() }
      : readLabels(readLines(texts.lab, beside('lab')), states);
  const valuations =
    texts.sta === undefined ? undefined : readStates(readLines(texts.sta, beside('sta')), states);
  try {
    const { deadlocks, rowStart, columns, values } = tidyRows(tra);
    if (deadlocks.length > 0) {
      warnings.push(deadlockWarning(deadlocks));
      const members = BitSet.of(states, deadlocks);
      labels.set('deadlock', labels.get('deadlock')?.union(members) ?? members);
    }
    const files = (given: string | readonly string[] = [], extension: string): ExplicitFile[] =>
      [given].flat().map((text) => readLines(text, beside(extension)));
    const matrix = { rowStart, columns, values };
    const rewards = readRewards(files(texts.srew, 'srew'), files(texts.trew, 'trew'), matrix);
    return createDtmc({
      ...matrix,
      initial,
      labels,
      ...(valuations && { valuations }),
      ...(rewards.length > 0 && { rewards }),
      ...(warnings.length > 0 && { warnings }),
    });
  } catch (error) {
    if (!(error instanceof InvalidModelError)) throw error;
    const { state, rowSum } = error;
    throw new InvalidModelError(`${source}: ${error.message}`, {
      ...(state !== undefined && { state }),
      ...(rowSum !== undefined && { rowSum }),
      cause: error,
    });
  }
}

function readTransitions(file: ExplicitFile, warnings: string[]): Csr {
  const kind = file.comments
    .map((comment) => /^Transitions \((.*)\)$/.exec(comment)?.[1])
    .find((found) => found);
  const expected = 'the numbers of states and transitions, such as: 13 20';
  const header = headerLine(file, expected);
  if ((kind !== undefined && kind !== 'DTMC') || header.words.length === 3) {
    const found =
      kind === undefined || kind === 'DTMC'
        ? 'an MDP (its header has three numbers)'
        : `a model of kind ${kind}`;
    throw new NotSupportedError(`${file.source} holds ${found}; this version of Foreguard reads DTMCs`);
  }
  const states = header.index(0, expected);
  header.index(1, expected);
  header.end(2);
  if (states === 0) header.fail('found 0 states', 'at least one');
  checkCount(header, 1, file.lines.length - 1, 'transitions');
  // A chain without deadlocks has as many transitions as states; this much room is plausible, more would only be claimed.
  if (states > 1000 * file.lines.length)
    header.fail(`found ${states} states`, 'no more than 1000 to a transition');
  const transitions = file.lines.slice(1);
  let actions = false;
  const sources = Uint32Array.from(transitions, (line) => line.index(0, 'a state', states));
  const rowStart = new Uint32Array(states + 1);
  for (const state of sources) rowStart[state + 1]++;
  for (let state = 0; state < states; state++) rowStart[state + 1] += rowStart[state];
  const next = rowStart.slice();
  const columns = new Uint32Array(transitions.length);
  const values = new Float64Array(transitions.length);
  transitions.forEach((line, i) => {
    const at = next[sources[i]]++;
    columns[at] = line.index(1, 'a state', states);
    const { words } = line;
    if (words[2]?.startsWith('[')) {
      throw new NotSupportedError(
        `${file.source}:${line.number}: ${words[2]} is an interval: an IDTMC; this version of Foreguard reads DTMCs`,
      );
    }
    values[at] = line.value(2, 'a probability');
    if (words.length > 3) {
      actions = true;
      line.end(4);
    }
  });
  if (actions) warnings.push('action labels were left out');
  return { rowStart, columns, values };
}

function readLabels(file: ExplicitFile, states: number): { initial: number[]; labels: Map<string, BitSet> } {
  const expected = 'numbered labels, such as: 0="init" 1="deadlock"';
  const header = headerLine(file, expected);
  const byNumber = new Map<number, BitSet>();
  const labels = new Map<string, BitSet>();
  if (!/^\s*(\d+="[^"]*"\s*)*$/.test(header.text)) header.fail(`found ${header.text.trim()}`, expected);
  for (const [, number, name] of header.text.matchAll(/(\d+)="([^"]*)"/g)) {
    if (byNumber.has(Number(number)) || labels.has(name))
      header.fail(`found ${number}="${name}" twice`, 'each label once');
    const members = new BitSet(states);
    byNumber.set(Number(number), members);
    labels.set(name, members);
  }
  for (const line of file.lines.slice(1)) {
    const [, prefix, rest] =
      /^\s*(\d+)\s*:(.*)$/.exec(line.text) ?? line.fail(`found ${line.words[0]}`, 'a state, such as: 3: 0 2');
    const state = Number(prefix);
    if (state >= states) line.fail(`found state ${state}`, `a state from 0 to ${states - 1}`);
    for (const number of rest.trim() === '' ? [] : rest.trim().split(/\s+/)) {
      const members = /^\d+$/.test(number) ? byNumber.get(Number(number)) : undefined;
      if (!members) return line.fail(`found label ${number}`, `one of ${[...byNumber.keys()].join(', ')}`);
      members.add(state);
    }
  }
  const initial = labels.get('init');
  if (initial?.count() === 0) header.fail('no state has the label "init"', 'an initial state');
  labels.delete('init');
  return { initial: initial ? [...initial] : [0], labels };
}

function readStates(file: ExplicitFile, states: number): Valuations {
  const header = headerLine(file, 'the names of variables, such as: (s,d)');
  const names =
    tuple(header.text) ??
    header.fail(`found ${header.text.trim()}`, 'the names of variables, such as: (s,d)');
  const texts = new Array<readonly string[] | undefined>(states).fill(undefined);
  const expected = `${names.length} values, such as: 3:(${names.map(() => '0').join(',')})`;
  for (const line of file.lines.slice(1)) {
    const [, prefix, rest] =
      /^\s*(\d+)\s*:(.*)$/.exec(line.text) ?? line.fail(`found ${line.words[0]}`, expected);
    const state = Number(prefix);
    const values = tuple(rest);
    if (state >= states) line.fail(`found state ${state}`, `a state from 0 to ${states - 1}`);
    if (texts[state] !== undefined) line.fail(`found state ${state} twice`, 'each state once');
    if (values?.length !== names.length) return line.fail(`found ${rest.trim()}`, expected);
    const wrong = values.find(
      (value) => !/^(true|false|NaN|[+-]?(Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?))$/.test(value),
    );
    if (wrong !== undefined) line.fail(`found ${wrong}`, 'true, false or a number');
    texts[state] = values;
  }
  const missing = texts.indexOf(undefined);
  if (missing >= 0) header.fail(`state ${missing} has no line`, `a line for each of ${states} states`);
  const columns = names.map((_, v) => texts.map((values) => values![v]));
  const types = columns.map(
    (column, v) =>
      typeOf(column) ??
      header.fail(`${names[v]} is sometimes a truth value, sometimes a number`, 'one type', 0),
  );
  return {
    variables: names.map((name, v) => ({ name, type: types[v] })),
    values: columns.map((column, v) =>
      column.map((value): VariableValue => (types[v] === 'bool' ? value === 'true' : Number(value))),
    ),
  };
}

function tuple(text: string): string[] | undefined {
  const inner = /^\s*\((.*)\)\s*$/.exec(text)?.[1];
  return inner?.trim() === '' ? [] : inner?.split(',').map((part) => part.trim());
}

/** The narrowest type that all values have, for a file does not say; undefined if there is none. */
function typeOf(values: readonly string[]): 'bool' | 'int' | 'double' | undefined {
  const truths = values.filter((value) => value === 'true' || value === 'false').length;
  if (truths > 0) return truths === values.length ? 'bool' : undefined;
  return values.every((value) => /^[+-]?\d+$/.test(value) && Number.isSafeInteger(Number(value)))
    ? 'int'
    : 'double';
}
