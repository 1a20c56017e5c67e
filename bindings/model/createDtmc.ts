import { InvalidModelError } from '../errors.js';
import type { Annotation, Dtmc, Rewards, Valuations, VariableValue } from './dtmc.js';

/** How far a row may sum from 1. */
export const ROW_SUM_TOLERANCE = 1e-9;

/** What a chain is made of; the number of states follows from `rowStart`. */
export type DtmcParts = Omit<Dtmc, 'type' | 'states'>;

/**
 * Makes a discrete-time Markov chain of its parts, after checking them.
 *
 * Shapes: `rowStart` Uint32Array(states + 1), `columns` Uint32Array and `values` Float64Array with one entry per transition,
 * columns ascending within a row. Probabilities lie in (0, 1] and each row sums to 1 within 1e-9; states in `unknown` have
 * an empty row instead. `initial` ascends and may be empty. Labels, rewards, annotations and valuations have one entry per
 * state or per transition. The arrays are kept, not copied: do not change them afterwards.
 *
 * @returns the chain, sharing the arrays of `parts`
 * @throws InvalidModelError naming the state, and the sum where a row does not sum to 1
 */
export function createDtmc(parts: DtmcParts): Dtmc {
  const states = parts.rowStart.length - 1;
  checkRows(parts, states);
  checkInitial(parts.initial, states);
  for (const [name, members] of parts.labels) {
    if (name === '') throw new InvalidModelError('a label has an empty name');
    checkLength(`label "${name}"`, members.size, states, 'states');
  }
  if (parts.valuations) checkValuations(parts.valuations, states);
  checkRewards(parts.rewards ?? [], states, parts.columns.length);
  checkAnnotations(parts.annotations ?? [], states, parts.columns.length);
  return { ...parts, type: 'dtmc', states };
}

function checkRows({ rowStart, columns, values, unknown }: DtmcParts, states: number): void {
  if (states < 1) throw new InvalidModelError('the model has no states; a chain has at least one');
  if (rowStart[0] !== 0) throw new InvalidModelError(`rowStart begins with ${rowStart[0]}, not with 0`);
  if (rowStart[states] !== columns.length || columns.length !== values.length) {
    throw new InvalidModelError(
      `rowStart ends with ${rowStart[states]}, but there are ${columns.length} columns and ${values.length} values; the three must agree`,
    );
  }
  if (unknown) checkLength('the set of unknown states', unknown.size, states, 'states');
  for (let state = 0; state < states; state++) {
    const start = rowStart[state];
    const end = rowStart[state + 1];
    if (end < start) {
      throw new InvalidModelError(
        `state ${state}: its row starts at ${start} and ends before it, at ${end}`,
        { state },
      );
    }
    if (unknown?.has(state)) {
      if (start === end) continue;
      throw new InvalidModelError(
        `state ${state} is unknown, yet has ${end - start} transitions; its row must be empty`,
        { state },
      );
    }
    if (start === end) {
      throw new InvalidModelError(
        `state ${state} has no transitions; give it a self-loop with probability 1, or list it in \`unknown\``,
        { state, rowSum: 0 },
      );
    }
    let rowSum = 0;
    for (let i = start; i < end; i++) {
      checkTransition(state, columns[i], values[i], i > start ? columns[i - 1] : -1, states);
      rowSum += values[i];
    }
    if (!(Math.abs(rowSum - 1) <= ROW_SUM_TOLERANCE)) {
      throw new InvalidModelError(
        `state ${state}: its probabilities sum to ${rowSum}, not to 1 (tolerance ${ROW_SUM_TOLERANCE}); check its ${end - start} transitions`,
        { state, rowSum },
      );
    }
  }
}

function checkTransition(
  state: number,
  column: number,
  value: number,
  previous: number,
  states: number,
): void {
  const problem =
    column >= states
      ? `leads to state ${column}, but the states are 0..${states - 1}`
      : column === previous
        ? 'occurs twice; add the two probabilities up'
        : column < previous
          ? `comes after the one to ${previous}; columns must ascend within a row`
          : !(value > 0 && value <= 1)
            ? `has probability ${value}; expected a number in (0, 1]`
            : undefined;
  if (problem)
    throw new InvalidModelError(`state ${state}: its transition to ${column} ${problem}`, { state });
}

function checkInitial(initial: readonly number[], states: number): void {
  let previous = -1;
  for (const state of initial) {
    if (!Number.isInteger(state) || state < 0 || state >= states) {
      throw new InvalidModelError(`initial state ${state} is not one of the states 0..${states - 1}`, {
        state,
      });
    }
    if (state <= previous) {
      throw new InvalidModelError(
        `initial state ${state} comes after ${previous}; list each once, ascending`,
        { state },
      );
    }
    previous = state;
  }
}

function checkValuations({ variables, values }: Valuations, states: number): void {
  checkLength('the valuations', values.length, variables.length, 'variables');
  checkUnique('variables', variables);
  variables.forEach(({ name, type }, v) => {
    checkLength(`variable "${name}"`, values[v].length, states, 'states');
    const state = values[v].findIndex((value) => !hasType(value, type));
    if (state >= 0) {
      throw new InvalidModelError(
        `state ${state}: variable "${name}" is ${JSON.stringify(values[v][state])}, which is no ${type === 'int' ? 'int (an integer below 2^53)' : type}`,
        { state },
      );
    }
  });
}

function hasType(value: VariableValue, type: Valuations['variables'][number]['type']): boolean {
  switch (type) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
  }
}

function checkRewards(rewards: readonly Rewards[], states: number, transitions: number): void {
  checkUnique('reward structures', rewards);
  for (const { name, states: ofStates, choices, branches } of rewards) {
    const what = `reward structure "${name}"`;
    if (!ofStates && !choices && !branches)
      throw new InvalidModelError(`${what} rewards neither states nor transitions`);
    if (ofStates) checkLength(what, ofStates.length, states, 'states');
    if (choices) checkLength(what, choices.length, states, 'rows');
    if (branches) checkLength(what, branches.length, transitions, 'transitions');
    for (const values of [ofStates, choices, branches]) {
      const wrong = values?.find((value) => !Number.isFinite(value));
      if (wrong !== undefined)
        throw new InvalidModelError(`${what} holds ${wrong}; rewards are finite numbers`);
    }
  }
}

/** An annotation of states and one of branches may share a name, and then share type and description: files keep them once. */
function checkAnnotations(annotations: readonly Annotation[], states: number, transitions: number): void {
  const first = new Map<string, Annotation>();
  for (const annotation of annotations) {
    const { name, type, description } = first.get(annotation.name) ?? annotation;
    first.set(name, annotation);
    if (type === annotation.type && description === annotation.description) continue;
    throw new InvalidModelError(
      `annotation "${name}" has another type or description on states than on branches`,
    );
  }
  for (const kind of ['states', 'branches'] as const) {
    const applicable = annotations.filter(({ appliesTo }) => appliesTo === kind);
    checkUnique(`annotations of ${kind}`, applicable);
    for (const { name, type, values } of applicable) {
      checkLength(`annotation "${name}"`, values.length, kind === 'states' ? states : transitions, kind);
      const wrong =
        type === 'uint' ? values.find((value) => !Number.isSafeInteger(value) || value < 0) : undefined;
      if (wrong !== undefined) {
        throw new InvalidModelError(
          `annotation "${name}" holds ${wrong}; its type uint asks for integers from 0 to 2^53 - 1`,
        );
      }
    }
  }
}

function checkUnique(kinds: string, named: readonly { readonly name: string }[]): void {
  const seen = new Set<string>();
  for (const { name } of named) {
    if (seen.has(name))
      throw new InvalidModelError(`there are two ${kinds} named "${name}"; names must differ`);
    seen.add(name);
  }
}

function checkLength(what: string, found: number, expected: number, entity: string): void {
  if (found !== expected) {
    throw new InvalidModelError(
      `${what}: ${found} entries for ${expected} ${entity}; one for each was expected`,
    );
  }
}
