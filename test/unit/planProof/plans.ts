import type { ValueType } from '../../../bindings/proofs/contract/index.js';
import type { Json, Plan, Step, Value } from '../../../bindings/proofs/workflow/index.js';

/** Values and steps of plans, for tests. */

type Short = Json | Value;

const isValue = (short: Short): short is Value =>
  typeof short === 'object' && short !== null && 'kind' in short;

export function asValue(short: Short): Value {
  return isValue(short) ? short : { kind: 'literal', value: short };
}

export function ref(name: string, ...path: (string | number)[]): Value {
  return { kind: 'reference', name, path };
}

export function expr(source: string): Value {
  return { kind: 'expression', expression: { source } };
}

export function listOf(...of: Short[]): Value {
  return { kind: 'list', of: of.map(asValue) };
}

export function record(fields: Record<string, Short>): Value {
  return { kind: 'record', fields: mapped(fields) };
}

export function text(...of: Short[]): Value {
  return { kind: 'text', of: of.map(asValue) };
}

export function call(
  id: string,
  tool: string,
  given: Record<string, Short> = {},
  as?: string,
  onError?: 'skip',
): Step {
  return {
    id,
    kind: 'call',
    tool,
    with: mapped(given),
    ...(as !== undefined && { as }),
    ...(onError !== undefined && { onError }),
  };
}

export function ask(id: string, about: Value[], type: ValueType, as: string): Step {
  return { id, kind: 'ask', question: 'what?', about, type, as };
}

export function assign(id: string, name: string, be: Short): Step {
  return { id, kind: 'let', name, be: asValue(be) };
}

export function when(
  id: string,
  source: string,
  then: Step[],
  otherwise: Step[] = [],
  yields?: Record<string, [Short, Short]>,
): Step {
  const pairs = Object.entries(yields ?? {}).map(
    ([name, [a, b]]) => [name, [asValue(a), asValue(b)]] as const,
  );
  return {
    id,
    kind: 'if',
    condition: { source },
    then,
    else: otherwise,
    ...(yields && { yields: Object.fromEntries(pairs) }),
  };
}

export function each(
  id: string,
  over: Short,
  item: string,
  steps: Step[],
  more: { atMost?: number; collect?: Record<string, Short> } = {},
): Step {
  const { atMost, collect } = more;
  return {
    id,
    kind: 'forEach',
    in: asValue(over),
    item,
    do: steps,
    ...(atMost !== undefined && { atMost }),
    ...(collect && { collect: mapped(collect) }),
  };
}

export function need(id: string, source: string): Step {
  return { id, kind: 'require', condition: { source }, otherwise: 'stopped' };
}

export function give(id: string, value: Short): Step {
  return { id, kind: 'return', value: asValue(value) };
}

export function plan(...steps: Step[]): Plan {
  return { version: 1, goal: 'a test', inputs: {}, steps };
}

function mapped(fields: Record<string, Short>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asValue(value)]));
}
