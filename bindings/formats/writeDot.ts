import { InvalidArgumentError } from '../errors.js';
import type { Dtmc } from '../model/index.js';

export interface WriteDotOptions {
  /** A number in [0, 1] per state, such as its risk: shown in the state and as colour, white at 0, red at 1. */
  readonly values?: ArrayLike<number>;
  /** What the values are called. Default `value`. */
  readonly valueName?: string;
  /** Larger models are refused, since nobody can read the picture. Default 500. */
  readonly maxStates?: number;
}

/**
 * Draws a Markov chain for Graphviz: a node per state with its labels, doubled where it is initial, dashed where it is
 * unknown; an edge per transition with its probability to four digits.
 *
 * @returns the text of a `.dot` file
 * @throws InvalidArgumentError if there are more than `maxStates` states, or values of another number or outside [0, 1]
 */
export function writeDot(model: Dtmc, options: WriteDotOptions = {}): string {
  const { values, valueName = 'value', maxStates = 500 } = options;
  if (model.states > maxStates) {
    throw new InvalidArgumentError(
      `the model has ${model.states} states, of which Graphviz would draw no readable picture; the limit is ${maxStates} (maxStates)`,
    );
  }
  if (values && values.length !== model.states) {
    throw new InvalidArgumentError(
      `${values.length} values for ${model.states} states; one for each was expected`,
    );
  }
  const lines = ['digraph dtmc {', '  node [shape=box, style="rounded,filled", fillcolor=white];'];
  const initial = new Set(model.initial);
  for (let state = 0; state < model.states; state++) {
    const text = [String(state)];
    for (const [name, members] of model.labels) if (members.has(state)) text.push(name);
    const attributes: string[] = [];
    if (values) {
      const value = values[state];
      if (!(value >= 0 && value <= 1))
        throw new InvalidArgumentError(`the value of state ${state} is ${value}; expected [0, 1]`);
      text.push(`${valueName} ${short(value)}`);
      attributes.push(`fillcolor="0 ${short(value)} 1"`);
    }
    if (initial.has(state)) attributes.push('peripheries=2');
    if (model.unknown?.has(state)) attributes.push('style="rounded,filled,dashed"');
    lines.push(`  ${state} [${[`label=${quoted(text.join('\n'))}`, ...attributes].join(', ')}];`);
  }
  for (let state = 0; state < model.states; state++) {
    for (let i = model.rowStart[state]; i < model.rowStart[state + 1]; i++) {
      lines.push(`  ${state} -> ${model.columns[i]} [label="${short(model.values[i])}"];`);
    }
  }
  return `${lines.join('\n')}\n}\n`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}
