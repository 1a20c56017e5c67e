import { InvalidArgumentError } from '../../base/errors.js';
import type { Model } from '../model/index.js';

/** Options for drawing a model. */
export interface WriteDotOptions {
  /** A number in [0, 1] per state, such as its risk: shown in the state and as its colour, from white at 0 to red at 1. */
  readonly values?: ArrayLike<number>;
  /** The name of the values. Default `value`. */
  readonly valueName?: string;
  /** Larger models are refused, because the picture would be unreadable. Default 500. */
  readonly maxStates?: number;
}

/**
 * Draws a model for Graphviz: a node per state with its labels, each in a colour of its own; initial states have a double
 * border, unknown ones a dashed one. Each transition is an edge with its probability, or interval, to four digits. In decision
 * processes every choice is a point, with its action on the edge that leads to it. Every transition is drawn, however rare.
 *
 * @returns the text of a `.dot` file
 * @throws InvalidArgumentError if there are more than `maxStates` states, or the values are not one per state in [0, 1]
 */
export function writeDot(model: Model, options: WriteDotOptions = {}): string {
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
  const lines = [`digraph ${model.type} {`, '  node [shape=box, style="rounded,filled", fillcolor=white];'];
  const initial = new Set(model.initial);
  const labels = [...model.labels].map(([name, members], i) => ({ name, members, colour: colour(i) }));
  for (let state = 0; state < model.states; state++) {
    const carried = labels.filter(({ members }) => members.has(state));
    const text = [String(state), ...carried.map(({ name }) => name)];
    let colours = carried.map(({ colour }) => colour);
    if (values) {
      const value = values[state];
      if (!(value >= 0 && value <= 1))
        throw new InvalidArgumentError(`the value of state ${state} is ${value}; expected [0, 1]`);
      text.push(`${valueName} ${short(value)}`);
      colours = [`0 ${short(value)} 1`];
    }
    const attributes = [`label=${quoted(text.join('\n'))}`];
    if (colours.length > 0) attributes.push(`fillcolor="${colours.join(':')}"`);
    if (initial.has(state)) attributes.push('peripheries=2');
    const isUnknown = 'unknown' in model && (model.unknown?.has(state) ?? false);
    if (isUnknown || colours.length > 1) {
      const fill = colours.length > 1 ? 'striped' : 'rounded,filled';
      attributes.push(`style="${fill}${isUnknown ? ',dashed' : ''}"`);
    }
    lines.push(`  ${state} [${attributes.join(', ')}];`);
  }
  for (let state = 0; state < model.states; state++) lines.push(...edges(model, state));
  return `${lines.join('\n')}\n}\n`;
}

/** Labels cycle through the colours of one of Brewer's palettes. */
function colour(label: number): string {
  return `/pastel19/${(label % 9) + 1}`;
}

function edges(model: Model, state: number): string[] {
  if (!('rowGroupStart' in model)) return transitions(model, state, String(state));
  const { rowGroupStart, actions } = model;
  const lines: string[] = [];
  for (let row = rowGroupStart[state]; row < rowGroupStart[state + 1]; row++) {
    const action = actions?.names[actions.ofRow[row]];
    const label = action === undefined ? '' : `label=${quoted(action)}, `;
    const choice = `choice${row}`;
    lines.push(
      `  ${choice} [shape=point];`,
      `  ${state} -> ${choice} [${label}arrowhead=none];`,
      ...transitions(model, row, choice),
    );
  }
  return lines;
}

function transitions(model: Model, row: number, from: string): string[] {
  const lines: string[] = [];
  for (let i = model.rowStart[row]; i < model.rowStart[row + 1]; i++) {
    const probability =
      'upper' in model ? `[${short(model.lower[i])},${short(model.upper[i])}]` : short(model.values[i]);
    lines.push(`  ${from} -> ${model.columns[i]} [label="${probability}"];`);
  }
  return lines;
}

/** Four digits, but never 1 for a smaller probability: a picture must not suggest certainty. */
function short(value: number): string {
  const rounded = Number(value.toPrecision(4));
  return String(rounded === 1 ? value : rounded);
}

/** Quotes a text; in Graphviz, `&` begins a character reference. */
function quoted(text: string): string {
  return `"${text.replace(/&/g, '&amp;').replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}
