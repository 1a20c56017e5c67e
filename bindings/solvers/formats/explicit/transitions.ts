import type { Bounds } from '../../../base/bounds.js';
import { NotSupportedError } from '../../../base/errors.js';
import { type ActionNames, NO_ACTION } from '../../model/index.js';
import type { ListedRows } from '../normaliseRows.js';
import { checkCount, type ExplicitFile, headerLine, type Line } from './lines.js';

/** The content of a `.tra` file. */
export interface Transitions extends ListedRows {
  /** Actions of choices, if some have names. */
  readonly actions?: ActionNames;
}

const KINDS: Readonly<Record<string, { readonly choices: boolean; readonly probabilities: boolean }>> = {
  DTMC: { choices: false, probabilities: true },
  IDTMC: { choices: false, probabilities: true },
  MDP: { choices: true, probabilities: true },
  IMDP: { choices: true, probabilities: true },
  LTS: { choices: true, probabilities: false },
};

/**
 * Reads a `.tra` file: chains by lines `state target probability`, decision processes by `state choice target probability
 * action`. Intervals `[l,u]` may replace probabilities. An LTS of PRISM is read as a decision process without randomness.
 *
 * @throws ParseError with file, line, column and what was expected
 * @throws NotSupportedError naming the kind of model if it is none of these
 */
export function readTransitions(file: ExplicitFile, warnings: string[]): Transitions {
  const kind = file.comments
    .map((comment) => /^Transitions \((.*)\)$/.exec(comment)?.[1])
    .find((found) => found);
  if (kind !== undefined && !Object.hasOwn(KINDS, kind)) {
    throw new NotSupportedError(
      `${file.source} holds a model of kind ${kind}; this version of Foreguard reads ${Object.keys(KINDS).join(', ')}`,
    );
  }
  const expected = 'the numbers of states and transitions, such as: 13 20';
  const header = headerLine(file, expected);
  const { choices, probabilities } =
    kind === undefined ? { choices: header.words.length === 3, probabilities: true } : KINDS[kind];
  const states = header.index(0, expected);
  header.index(1, expected);
  if (choices) header.index(2, 'the numbers of states, choices and transitions, such as: 10 15 20');
  header.end(choices ? 3 : 2);
  if (states === 0) header.fail('found 0 states', 'at least one');
  checkCount(header, choices ? 2 : 1, file.lines.length - 1, 'transitions');
  // A model without deadlocks has as many transitions as states; this factor is plausible, and a larger count is only a claim
  // of the header.
  if (states > 1000 * file.lines.length)
    header.fail(`found ${states} states`, 'no more than 1000 to a transition');
  const lines = file.lines.slice(1);
  const sources = Uint32Array.from(lines, (line) => line.index(0, 'a state', states));
  if (!choices) return readRows(lines, states, { rows: states, rowOf: sources }, probabilities, warnings);
  const grouping = groupRows(lines, sources, states);
  checkCount(header, 1, grouping.rows, 'choices');
  return readRows(lines, states, grouping, probabilities, warnings);
}

/** The row and state of each line of a file. */
interface Grouping {
  /** Default: one row per state. */
  readonly rowGroupStart?: Uint32Array;
  readonly rows: number;
  /** The row of each line. */
  readonly rowOf: Uint32Array;
}

/** The rows of each state, by the numbers of choices in the second word of each line. */
function groupRows(lines: readonly Line[], sources: Uint32Array, states: number): Grouping {
  const choice = Uint32Array.from(lines, (line) => line.index(1, 'a choice', lines.length));
  const listed = new Uint32Array(states);
  const sizes = new Uint32Array(states);
  sources.forEach((state, i) => {
    listed[state]++;
    sizes[state] = Math.max(sizes[state], choice[i] + 1);
  });
  const refuse = (state: number): never => {
    const i = sources.findIndex((source, line) => source === state && choice[line] === sizes[state] - 1);
    return lines[i].fail(
      `found choice ${choice[i]}`,
      `the choices of state ${state} to be 0, 1, … without gaps`,
      1,
    );
  };
  const rowGroupStart = new Uint32Array(states + 1);
  for (let state = 0; state < states; state++) {
    // Checked before anything of that size is allocated.
    if (sizes[state] > listed[state]) refuse(state);
    rowGroupStart[state + 1] = rowGroupStart[state] + sizes[state];
  }
  const rows = rowGroupStart[states];
  const rowOf = choice.map((number, i) => rowGroupStart[sources[i]] + number);
  const filled = new Uint8Array(rows);
  for (const row of rowOf) filled[row] = 1;
  const gap = filled.indexOf(0);
  if (gap >= 0) refuse(rowGroupStart.findIndex((start) => start > gap) - 1);
  return { rowGroupStart, rows, rowOf };
}

function readRows(
  lines: readonly Line[],
  states: number,
  { rowGroupStart, rows, rowOf }: Grouping,
  probabilities: boolean,
  warnings: string[],
): Transitions {
  const rowStart = new Uint32Array(rows + 1);
  for (const row of rowOf) rowStart[row + 1]++;
  for (let row = 0; row < rows; row++) rowStart[row + 1] += rowStart[row];
  const next = rowStart.slice();
  const columns = new Uint32Array(lines.length);
  const values = new Float64Array(lines.length);
  const target = rowGroupStart ? 2 : 1;
  const end = target + (probabilities ? 2 : 1);
  let upper: Float64Array | undefined;
  let named = false as boolean;
  const actions = new Actions(rows);
  lines.forEach((line, i) => {
    const at = next[rowOf[i]]++;
    columns[at] = line.index(target, 'a state', states);
    const bounds = probabilities ? probabilityOf(line, target + 1) : CERTAIN;
    values[at] = bounds.lower;
    // The first interval makes this an interval model: earlier probabilities become single-point intervals.
    if (bounds.isInterval) upper ??= values.slice();
    if (upper) upper[at] = bounds.upper;
    const name = line.words[end];
    if (name === undefined) return;
    named = true;
    line.end(end + 1);
    if (rowGroupStart) actions.add(rowOf[i], name, line, end);
  });
  if (named && !rowGroupStart) {
    warnings.push('the actions of choices were left out: in a chain nothing is chosen');
  }
  return {
    ...(rowGroupStart && { rowGroupStart }),
    rowStart,
    columns,
    values,
    ...(upper && { upper }),
    ...(named && rowGroupStart && { actions: actions.found }),
  };
}

interface Entry extends Bounds<number> {
  readonly isInterval: boolean;
}

const CERTAIN: Entry = { lower: 1, upper: 1, isInterval: false };

/** `0.5`, or `[0.4,0.6]`, at a word. */
function probabilityOf(line: Line, word: number): Entry {
  const text = line.words[word];
  if (!text?.startsWith('[')) {
    const value = line.value(word, 'a probability');
    if (!(value >= 0 && value <= 1)) line.fail(`found ${text}`, 'a probability in [0, 1]', word);
    return { lower: value, upper: value, isInterval: false };
  }
  const [, lower, upper] = /^\[([^,\]]*),([^,\]]*)\]$/.exec(text) ?? [];
  const expected = 'an interval, such as [0.25,0.5] or [1/4,1/2]';
  if (upper === undefined) return line.fail(`found ${text}`, expected, word);
  const bounds = { lower: line.parse(lower, expected, word), upper: line.parse(upper, expected, word) };
  if (!(bounds.lower >= 0 && bounds.lower <= bounds.upper && bounds.upper <= 1))
    line.fail(`found ${text}`, 'an interval within [0, 1]', word);
  return { ...bounds, isInterval: true };
}

/** Names of the choices, gathered line by line. */
class Actions {
  readonly #names: string[] = [];
  readonly #indices = new Map<string, number>();
  readonly #ofRow: Uint32Array;

  constructor(rows: number) {
    this.#ofRow = new Uint32Array(rows).fill(NO_ACTION);
  }

  get found(): ActionNames {
    return { names: this.#names, ofRow: this.#ofRow };
  }

  add(row: number, name: string, line: Line, word: number): void {
    let index = this.#indices.get(name);
    if (index === undefined) {
      index = this.#names.push(name) - 1;
      this.#indices.set(name, index);
    }
    const before = this.#ofRow[row];
    if (before !== NO_ACTION && before !== index) {
      line.fail(
        `found action ${name}`,
        `${this.#names[before]}, as for the choice's other transitions`,
        word,
      );
    }
    this.#ofRow[row] = index;
  }
}
