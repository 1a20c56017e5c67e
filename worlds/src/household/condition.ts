import type { Room } from './objectTypes.js';
import { findObject, type HouseholdState, type ObjectField } from './state.js';

/** One fact about a state, or its denial. */
export type Literal =
  | { readonly kind: 'field'; readonly object: string; readonly field: ObjectField; readonly value: boolean }
  | { readonly kind: 'inside'; readonly object: string; readonly receptacle: string; readonly value: boolean }
  | { readonly kind: 'holding'; readonly object: string; readonly value: boolean }
  | { readonly kind: 'room'; readonly room: Room; readonly value: boolean };

/** A conjunction of literals. */
export type Condition = readonly Literal[];

export const field = (object: string, name: ObjectField, value = true): Literal => ({
  kind: 'field',
  object,
  field: name,
  value,
});
export const inside = (object: string, receptacle: string, value = true): Literal => ({
  kind: 'inside',
  object,
  receptacle,
  value,
});
export const holding = (object: string, value = true): Literal => ({ kind: 'holding', object, value });
export const inRoom = (room: Room, value = true): Literal => ({ kind: 'room', room, value });

/** Whether a literal is true in a state. Of an object that is not there, every positive fact is false. */
export function literalHolds(literal: Literal, state: HouseholdState): boolean {
  return factHolds(literal, state) === literal.value;
}

/** Whether all literals of a condition are true in a state. */
export function holds(condition: Condition, state: HouseholdState): boolean {
  for (let i = 0; i < condition.length; i++) if (!literalHolds(condition[i], state)) return false;
  return true;
}

/** The condition as text of the expression language, for predicates of a specification. */
export function conditionText(condition: Condition): string {
  return condition.map(literalText).join(' && ');
}

function factHolds(literal: Literal, state: HouseholdState): boolean {
  switch (literal.kind) {
    case 'field':
      return findObject(state, literal.object)?.[literal.field] ?? false;
    case 'inside':
      return findObject(state, literal.object)?.parentReceptacles.includes(literal.receptacle) ?? false;
    case 'holding':
      return state.agent.holding === literal.object;
    case 'room':
      return state.agent.room === literal.room;
  }
}

function literalText(literal: Literal): string {
  const not = literal.value ? '' : '!';
  const is = literal.value ? '==' : '!=';
  switch (literal.kind) {
    case 'field':
      return `${not}objects.exists(o, o.objectType == "${literal.object}" && o.${literal.field})`;
    case 'inside':
      return `${not}objects.exists(o, o.objectType == "${literal.object}" && "${literal.receptacle}" in o.parentReceptacles)`;
    case 'holding':
      return `agent.holding ${is} "${literal.object}"`;
    case 'room':
      return `agent.room ${is} "${literal.room}"`;
  }
}
