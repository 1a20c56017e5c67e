import { type ExpressionNode, type NodeOf, printExpression } from '../../languages/expression/index.js';
import {
  beginsWith,
  contains,
  endsWith,
  FALSE,
  type Folder,
  isInFolders,
  isLikeGlob,
  isOneOf,
  lengthIs,
  type Machine,
  machineOfRegex,
  NONE,
  ofDomain,
  ofExtension,
  ofHost,
  ofLocalPart,
  ofLowered,
  ofTrimmed,
  readFolder,
  readPattern,
  TRUE,
} from '../../languages/regular/index.js';
import { constantOf } from './constants.js';
import { compares, MIRRORED, type Relation } from './relations.js';
import { Undecidable } from './undecidable.js';

/** Functions from texts to texts: the machine of a predicate of the function's value, as one of its argument. */
const PREIMAGES: Readonly<
  Record<string, { readonly of: (inner: Machine) => Machine; readonly total: boolean }>
> = {
  trim: { of: ofTrimmed, total: true },
  lowerAscii: { of: ofLowered, total: true },
  domainOf: { of: ofDomain, total: false },
  localPart: { of: ofLocalPart, total: false },
  hostOf: { of: ofHost, total: false },
  extension: { of: ofExtension, total: false },
};

/**
 * A predicate over one text as a machine.
 *
 * @param variable the name of the text
 * @throws Undecidable if the predicate has no automaton
 */
export function machineOfText(node: ExpressionNode, variable: string): Machine {
  switch (node.kind) {
    case 'binary':
      return machineOfBinary(node, variable);
    case 'call':
      return machineOfCall(node, variable);
    default:
      throw new Undecidable(node, 'it is no comparison and no function on texts');
  }
}

function machineOfBinary(node: NodeOf<'binary'>, variable: string): Machine {
  const [left, right] = [constantOf(node.left), constantOf(node.right)];
  if (node.operator === 'in') {
    if (!isTexts(right?.value))
      throw new Undecidable(node, 'the list must hold texts alone, all of them known');
    return overTerm(isOneOf(right.value), node.left, variable);
  }
  const isMirrored = left !== undefined;
  const term = isMirrored ? node.right : node.left;
  const constant = isMirrored ? left : right;
  if (constant === undefined)
    throw new Undecidable(node, 'it compares a text with another one that is not known');
  const operator = (isMirrored ? MIRRORED[node.operator as Relation] : node.operator) as Relation;
  if (term.kind === 'call' && term.function === 'size')
    return machineOfSize(node, term, operator, constant.value, variable);
  if (operator !== '==' && operator !== '!=')
    throw new Undecidable(
      node,
      'the order of texts is not followed; compare them with ==, in, startsWith or matches',
    );
  if (typeof constant.value !== 'string')
    throw new Undecidable(node, `it compares a text with ${JSON.stringify(constant.value)}`);
  const equals = overTerm(isOneOf([constant.value]), term, variable);
  return operator === '==' ? equals : negated(equals);
}

function machineOfSize(
  node: ExpressionNode,
  term: NodeOf<'call'>,
  operator: Relation,
  bound: unknown,
  variable: string,
): Machine {
  if (typeof bound !== 'number' || bound > MOST_LENGTH)
    throw new Undecidable(node, `it compares the size of a text with no number up to ${MOST_LENGTH}`);
  const holds = (length: number) => compares(operator, length, bound);
  return overTerm(lengthIs(holds, Math.max(0, Math.floor(bound)) + 2), term.arguments[0], variable);
}

/** Greatest bound on the length of a text that is followed: each length up to it is a state. */
const MOST_LENGTH = 10_000;

function machineOfCall(node: NodeOf<'call'>, variable: string): Machine {
  const [term, second] = node.arguments;
  const constant = second === undefined ? undefined : constantOf(second)?.value;
  if (second !== undefined && typeof constant !== 'string')
    throw new Undecidable(node, 'it compares a text with another one that is not known');
  const part = constant as string;
  switch (node.function) {
    case 'startsWith':
      return overTerm(beginsWith(part), term, variable);
    case 'endsWith':
      return overTerm(endsWith(part), term, variable);
    case 'contains':
      return overTerm(contains(part), term, variable);
    case 'matches':
      return overTerm(machineOfRegex(readPattern(part), 'part'), term, variable);
    case 'glob':
      return overTerm(isLikeGlob(part), term, variable);
    case 'isUnder':
      throw new Undecidable(node, `the folder ${JSON.stringify(part)} cannot be read with certainty`);
    default:
      throw new Undecidable(node, `${node.function} is not followed here`);
  }
}

/** Predicates `isUnder` of one term of a text, by the term as text; those whose folder cannot be read are left out. */
export function folderPredicates(
  nodes: readonly ExpressionNode[],
): { readonly indices: number[]; readonly folders: Folder[] }[] {
  const groups = new Map<string, { readonly indices: number[]; readonly folders: Folder[] }>();
  for (const [i, node] of nodes.entries()) {
    if (node.kind !== 'call' || node.function !== 'isUnder') continue;
    const path = constantOf(node.arguments[1])?.value;
    const folder = typeof path === 'string' ? readFolder(path) : undefined;
    if (folder === undefined) continue;
    const term = printExpression({ name: '', root: node.arguments[0] });
    const group = groups.get(term) ?? { indices: [], folders: [] };
    groups.set(term, group);
    group.indices.push(i);
    group.folders.push(folder);
  }
  return [...groups.values()];
}

/**
 * Several predicates `isUnder` of one term as one machine.
 *
 * @throws Undecidable if the term has no automaton
 */
export function machineOfFolders(
  folders: readonly Folder[],
  node: ExpressionNode,
  variable: string,
): Machine {
  return overTerm(isInFolders(folders), (node as NodeOf<'call'>).arguments[0], variable);
}

/** A predicate of a term, as one of the variable in it. */
function overTerm(machine: Machine, term: ExpressionNode, variable: string): Machine {
  if (term.kind === 'name' && term.name === variable) return machine;
  if (term.kind !== 'call' || !Object.hasOwn(PREIMAGES, term.function))
    throw new Undecidable(term, 'it is no text that an automaton follows');
  const { of, total } = PREIMAGES[term.function];
  if (!total && machine.through !== undefined)
    throw new Undecidable(term, 'it reads an address, URL or path out of another one');
  return overTerm(of(machine), term.arguments[0], variable);
}

function negated(machine: Machine): Machine {
  return {
    ...machine,
    outcomes: (state) => {
      const found = machine.outcomes(state);
      return ((found & FALSE) !== 0 ? TRUE : 0) | ((found & TRUE) !== 0 ? FALSE : 0) | (found & NONE);
    },
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
