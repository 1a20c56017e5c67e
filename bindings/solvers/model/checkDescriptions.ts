import { InvalidModelError } from '../../base/errors.js';
import {
  type ActionNames,
  type Annotation,
  type Descriptions,
  NO_ACTION,
  type Rewards,
  type Valuations,
  type VariableValue,
} from './descriptions.js';

type VariableType = Valuations['variables'][number]['type'];

/** The number of states, choices and branches that descriptions apply to. */
export type EntityCounts = Readonly<Record<'states' | 'choices' | 'branches', number>>;

/** Checks that descriptions have one entry for each state, row or transition, and hold values of the declared types. */
export function checkDescriptions(
  model: Omit<Descriptions, 'states'> & { readonly actions?: ActionNames },
  counts: EntityCounts,
): void {
  const { states } = counts;
  checkInitial(model.initial, states);
  for (const [name, members] of model.labels) {
    if (name === '') throw new InvalidModelError('a label has an empty name');
    checkLength(`label "${name}"`, members.size, states, 'states');
  }
  if (model.actions) checkActions(model.actions, counts.choices);
  if (model.valuations) checkValuations(model.valuations, states);
  checkRewards(model.rewards ?? [], counts);
  checkAnnotations(model.annotations ?? [], counts);
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

function checkActions({ names, ofRow }: ActionNames, choices: number): void {
  checkLength('the actions', ofRow.length, choices, 'choices');
  const wrong = ofRow.findIndex((action) => action >= names.length && action !== NO_ACTION);
  if (wrong < 0) return;
  throw new InvalidModelError(
    `choice ${wrong} of the model has action ${ofRow[wrong]}, but there are ${names.length} names; expected an index into them, or ${NO_ACTION} for none`,
  );
}

function checkValuations({ variables, values }: Valuations, states: number): void {
  checkLength('the valuations', values.length, variables.length, 'variables');
  checkUnique('variables', variables);
  variables.forEach(({ name, type }, v) => {
    const column = values[v];
    checkLength(`variable "${name}"`, column.length, states, 'states');
    if (fitsAsArray(column, type)) return;
    for (let state = 0; state < states; state++) {
      if (hasType(column, state, type)) continue;
      throw new InvalidModelError(
        `state ${state}: variable "${name}" is ${JSON.stringify(column[state])}, which is no ${type === 'int' ? 'int (an integer below 2^53)' : type}`,
        { state },
      );
    }
  });
}

/** Whether a typed array can hold only values of this type, so that its entries need no check. */
function fitsAsArray(column: ArrayLike<VariableValue>, type: VariableType): boolean {
  return (
    (type === 'int' && column instanceof Int32Array) || (type === 'double' && column instanceof Float64Array)
  );
}

function hasType(column: ArrayLike<VariableValue>, state: number, type: VariableType): boolean {
  const value = column[state];
  switch (type) {
    case 'bool':
      return typeof value === 'boolean' || (column instanceof Uint8Array && column[state] <= 1);
    case 'int':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
  }
}

function checkRewards(rewards: readonly Rewards[], counts: EntityCounts): void {
  checkUnique(
    'reward structures',
    rewards.filter(({ name }) => name !== ''),
  );
  for (const { name, states, choices, branches } of rewards) {
    const what = `reward structure "${name}"`;
    if (!states && !choices && !branches)
      throw new InvalidModelError(`${what} rewards neither states nor transitions`);
    if (states) checkLength(what, states.length, counts.states, 'states');
    if (choices) checkLength(what, choices.length, counts.choices, 'rows');
    if (branches) checkLength(what, branches.length, counts.branches, 'transitions');
    for (const values of [states, choices, branches]) {
      const wrong = values?.find((value) => !Number.isFinite(value));
      if (wrong !== undefined)
        throw new InvalidModelError(`${what} holds ${wrong}; rewards are finite numbers`);
    }
  }
}

/** Annotations of states, choices and branches may share a name, and then share type and description: files store them once. */
function checkAnnotations(annotations: readonly Annotation[], counts: EntityCounts): void {
  const first = new Map<string, Annotation>();
  for (const annotation of annotations) {
    const earlier = first.get(annotation.name) ?? annotation;
    first.set(annotation.name, earlier);
    if (earlier.type === annotation.type && earlier.description === annotation.description) continue;
    throw new InvalidModelError(
      `annotation "${annotation.name}" has another type or description on ${earlier.appliesTo} than on ${annotation.appliesTo}`,
    );
  }
  for (const kind of ['states', 'choices', 'branches'] as const) {
    const applicable = annotations.filter(({ appliesTo }) => appliesTo === kind);
    checkUnique(`annotations of ${kind}`, applicable);
    for (const { name, type, values } of applicable) {
      checkLength(`annotation "${name}"`, values.length, counts[kind], kind);
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

export function checkLength(what: string, found: number, expected: number, entity: string): void {
  if (found !== expected) {
    throw new InvalidModelError(
      `${what}: ${found} entries for ${expected} ${entity}; one for each was expected`,
    );
  }
}
