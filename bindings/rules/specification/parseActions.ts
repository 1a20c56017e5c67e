import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { nearestName } from '../../base/suggest.js';
import {
  ActionAbstraction,
  type ActionDefinition,
  type ConstraintDefinitions,
  type PredicateDefinition,
} from '../../observations/abstraction/index.js';
import {
  type ArgumentValue,
  checkEffect,
  checkRequirement,
  createActionModel,
  DECLARING,
  type DeclaredAction,
  type DeclaredActions,
  EFFECTS,
  type EffectTargets,
  PredicateIndex,
} from '../../observations/effects/index.js';
import type { Entry, SpecificationDocument } from './document.js';
import { parseNamedPredicates } from './parsePredicates.js';
import type { ToolSpecification } from './specification.js';
import { checkType } from './tools.js';

/** What `actions` of a specification says. */
export interface ParsedActions {
  /** Per tool, the predicates over its arguments, by which its calls are told apart. */
  readonly told: ActionDefinition;
  /** What tools are declared to require and to do. */
  readonly declared: DeclaredActions;
}

const isDeclaring = (name: string): boolean => (DECLARING as readonly string[]).includes(name);

/**
 * `actions: { transfer: { large: 'amount > 1000' }, walk: { arguments: { to: [kitchen] }, sets: 'in[to]' } }`: per tool, predicates over its arguments, and under
 * reserved words what it requires and does.
 */
export function parseActions(document: SpecificationDocument, node: Node | null): ParsedActions {
  const told: [string, PredicateDefinition[]][] = [];
  const declared: [string, DeclaredAction][] = [];
  for (const [tool, { value }] of document.entries(node, 'actions')) {
    // `wait:` with nothing behind it declares that nothing is required and nothing done, as `wait: {}` does.
    const isEmpty = value === null || (isScalar(value) && value.value === null);
    const entries = isEmpty ? new Map<string, Entry>() : document.entries(value, `action "${tool}"`);
    const words = new Map([...entries].filter(([name]) => isDeclaring(name)));
    const predicates = new Map([...entries].filter(([name]) => !isDeclaring(name)));
    if (predicates.size > 0 || words.size === 0) {
      refuseWords(document, tool, predicates);
      told.push([tool, parseNamedPredicates(document, predicates, false)]);
    }
    if (words.size > 0 || predicates.size === 0) declared.push([tool, parseDeclared(document, tool, words)]);
  }
  const definition: ActionDefinition = Object.fromEntries(told);
  document.attempt(node, () => new ActionAbstraction(definition));
  return { told: definition, declared: Object.fromEntries(declared) };
}

/** Whether `actions` says something that only a decision process can use, or nothing at all. */
export function tellsCallsApart({ told, declared }: ParsedActions): boolean {
  return Object.values(told).some(({ length }) => length > 0) || Object.keys(declared).length === 0;
}

/**
 * Checks declared actions over the predicates of a specification, each part at its place.
 *
 * @param tools the tools that are listed; null if none are
 */
export function checkActions(
  document: SpecificationDocument,
  node: Node | null,
  declared: DeclaredActions,
  predicates: readonly PredicateDefinition[],
  constraints: ConstraintDefinitions | undefined,
  tools: ReadonlyMap<string, ToolSpecification> | null,
): void {
  const index = new PredicateIndex(predicates.map(({ name }) => name));
  const before = document.problems.length;
  for (const [tool, { key, value }] of document.entries(node, 'actions')) {
    if (!Object.hasOwn(declared, tool) || !isMap(value)) continue;
    const entries = document.entries(value, `action "${tool}"`);
    const args = declared[tool].arguments ?? {};
    if (tools !== null) checkListed(document, tool, key, entries, tools);
    const requires = entries.get('requires')?.value ?? null;
    const required = declared[tool].requires;
    if (required !== undefined)
      document.attempt(requires, () => checkRequirement(tool, required, index, args));
    for (const kind of EFFECTS)
      for (const { target, when, place } of targetsAt(document, entries.get(kind)))
        document.attempt(place, () => checkEffect(tool, kind, { target, when }, index, args));
  }
  if (document.problems.length === before)
    document.attempt(node, () =>
      createActionModel({ actions: declared, predicates, ...(constraints && { constraints }) }),
    );
}

/** Predicates over arguments are read by nobody but the shield, which names them: words of theirs would be said nowhere. */
function refuseWords(
  document: SpecificationDocument,
  tool: string,
  predicates: ReadonlyMap<string, Entry>,
): void {
  for (const [name, { value }] of predicates) {
    if (!isMap(value)) continue;
    document.problem(
      value,
      `predicate "${name}" of action "${tool}" has fields, and it is an expression over arguments alone: it tells calls apart, and no rule reads it, so that it has no words; ` +
        `write ${name}: 'EXPRESSION', or declare what the tool does by ${DECLARING.join(', ')}`,
      'an expression',
    );
  }
}

function parseDeclared(
  document: SpecificationDocument,
  tool: string,
  words: ReadonlyMap<string, Entry>,
): DeclaredAction {
  const what = `action "${tool}"`;
  const given = words.get('arguments');
  const requires = words.get('requires');
  const required = requires && document.text(requires.value, `${what}: requires`);
  const effects = EFFECTS.flatMap((kind) => {
    const entry = words.get(kind);
    const targets = entry && parseTargets(document, entry.value, `${what}: ${kind}`);
    return targets === undefined ? [] : [[kind, targets] as const];
  });
  return {
    ...(given && { arguments: parseArguments(document, given.value, what) }),
    ...(required !== undefined && { requires: required }),
    ...Object.fromEntries(effects),
  };
}

function parseArguments(
  document: SpecificationDocument,
  node: Node | null,
  what: string,
): NonNullable<DeclaredAction['arguments']> {
  const read: [string, readonly ArgumentValue[] | string][] = [];
  for (const [name, { value }] of document.entries(node, `${what}: arguments`)) {
    const which = `${what}: argument "${name}"`;
    if (!isSeq(value)) {
      const type = document.text(value, which);
      if (type !== undefined && checkType(document, value, which, type)) read.push([name, type]);
      continue;
    }
    const values = document.items(value, which).flatMap((item) => {
      const found = isScalar(item) ? item.value : undefined;
      if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean')
        return [found];
      document.problem(item, `${which}: each value is a text, a number, true or false`, 'a value');
      return [];
    });
    if (value.items.length === 0)
      document.problem(value, `${which} has no values; list those that matter`, '[VALUE, …]');
    if (new Set(values).size < values.length)
      document.problem(value, `${which} has a value twice; list each value once`, 'each value once');
    read.push([name, values]);
  }
  return Object.fromEntries(read);
}

function parseTargets(
  document: SpecificationDocument,
  node: Node | null,
  what: string,
): EffectTargets | undefined {
  if (isSeq(node)) return document.items(node, what).flatMap((item) => document.text(item, what) ?? []);
  if (!isMap(node))
    return document.text(node, `${what}, a predicate, a list of them or each with its condition,`);
  const conditions = [...document.entries(node, what)].flatMap(([target, { value }]) => {
    const when = document.text(value, `${what}: ${target}, a condition,`);
    return when === undefined ? [] : [[target, when] as const];
  });
  return Object.fromEntries(conditions);
}

/** The targets of an effect, each with the node that it is written in. */
function targetsAt(
  document: SpecificationDocument,
  entry: Entry | undefined,
): { readonly target: string; readonly when: string | null; readonly place: Node | null }[] {
  const node = entry?.value ?? null;
  const text = (one: Node | null): string => (isScalar(one) ? String(one.value) : '');
  if (isSeq(node))
    return (node.items as Node[]).map((item) => ({ target: text(item), when: null, place: item }));
  if (!isMap(node)) return node === null ? [] : [{ target: text(node), when: null, place: node }];
  return [...document.entries(node, 'effects')].flatMap(([target, { key, value }]) => [
    // The name and its condition have places of their own.
    { target, when: null, place: key },
    { target, when: text(value), place: value },
  ]);
}

function checkListed(
  document: SpecificationDocument,
  tool: string,
  key: Node,
  entries: ReadonlyMap<string, Entry>,
  tools: ReadonlyMap<string, ToolSpecification>,
): void {
  const unknown = (node: Node, found: string, wrong: string, known: readonly string[]): void => {
    const nearest = nearestName(wrong, known);
    const hint = nearest ? `did you mean "${nearest}"?` : `known: ${known.slice(0, 10).join(', ') || 'none'}`;
    document.problem(node, `${found}; ${hint}`, 'tools');
  };
  const listed = tools.get(tool);
  if (listed === undefined) {
    unknown(key, `action "${tool}" is declared, and tools does not list it`, tool, [...tools.keys()]);
    return;
  }
  const given = entries.get('arguments')?.value ?? null;
  if (listed.arguments === null || given === null) return;
  const known = [...listed.arguments.keys()];
  for (const [name, argument] of document.entries(given, 'arguments'))
    if (!listed.arguments.has(name))
      unknown(argument.key, `found "${name}", which is no argument of "${tool}" under tools`, name, known);
}
