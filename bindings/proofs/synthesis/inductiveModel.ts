import { canonicalJson } from '../../base/canonicalJson.js';
import { ModelError } from '../../base/errors.js';
import { type LanguageModel, modelFromFunction } from '../../base/languageModel/index.js';
import {
  compileCondition,
  type Expression,
  type ExpressionNode,
  freeNames,
  parseExpression,
  printExpression,
} from '../../languages/expression/index.js';
import { enumerated, type Inputs } from '../../languages/inputs/index.js';
import { PERMITTED, parsePolicies } from '../../rules/specification/index.js';
import { loadParts } from '../../runtime/policy/index.js';
import { type Assignment, holds, substituted } from '../../solvers/decide/index.js';
import type { Example, PolicyDraft } from './draft.js';

/**
 * Writes policies without a language model: a decision tree over the conditions that the properties are made of, learnt from the examples alone (Quinlan 1986,
 * doi:10.1007/BF00116251). Each repair has one more counterexample among them, so that the loop of `synthesizePolicy` ends with a policy, or with the message that
 * no combination of these conditions is one. The same draft gives the same policy.
 */
export function inductiveModel(): LanguageModel {
  return modelFromFunction('inductive', async ({ purpose, messages }) => {
    if (purpose !== 'policy' && purpose !== 'repair')
      throw new ModelError(
        `the inductive model learns from properties and examples; it cannot answer "${purpose}"`,
      );
    const data = JSON.parse(messages[0].content) as PolicyDraft & { inputs: Record<string, unknown> };
    return JSON.stringify({ permit: await learn(data) });
  });
}

async function learn(
  data: PolicyDraft & { readonly inputs: Record<string, unknown> },
): Promise<Record<string, string>> {
  const { inputs, tools, ensures } = data;
  const policies = { drafted: { tools, ensures, permit: { open: 'true' } } };
  const specification = parsePolicies(JSON.stringify({ version: 1, inputs, policies }));
  const properties = specification.ensures.map(({ parsed }) => parsed);
  await loadParts(specification.set, properties);
  const types: Inputs = Object.fromEntries(specification.set.inputs.map((input) => [input.name, input]));
  const atoms = atomsOf(properties, types);
  const names = Object.keys(types);
  const near = neighbours(data.examples, types, decisionBy(properties));
  const rows = [...data.examples, ...near].map((example) => rowOf(example, atoms, names));
  const leaves = grow(
    rows,
    atoms.map((_, i) => i),
  );
  if (leaves === null)
    throw new ModelError(
      'no combination of the conditions in the properties decides all examples as expected',
    );
  const paths = leaves.map((path) =>
    path.map(({ atom, value }) => (value ? `(${atoms[atom].text})` : `!(${atoms[atom].text})`)).join(' && '),
  );
  if (paths.length === 0) return { nothing: 'false' };
  return Object.fromEntries(paths.map((path, i) => [`case${i + 1}`, path === '' ? 'true' : path]));
}

/** What must be decided of an input for all properties to be true of it; null where both decisions keep them, or none does. */
function decisionBy(properties: readonly Expression[]): (input: Assignment) => 'permit' | 'deny' | null {
  const [permitted, denied] = [true, false].map((value) =>
    properties.map((property) => substituted(property, PERMITTED, value)),
  );
  const isKept = (all: readonly Expression[], input: Assignment): boolean =>
    all.every((of) => holds({ kind: 'is', values: ['true'], of }, input));
  return (input) => {
    const [may, mayNot] = [isKept(permitted, input), isKept(denied, input)];
    return may === mayNot ? null : may ? 'permit' : 'deny';
  };
}

/** Most inputs that are looked at beside one example. */
const MOST_NEIGHBOURS = 256;

/** Examples with inputs of few values changed, where the properties leave one decision: what tells which inputs matter. All of these inputs at once, or one where there are too many. */
function neighbours(
  examples: readonly Example[],
  inputs: Inputs,
  decide: (input: Assignment) => 'permit' | 'deny' | null,
): Example[] {
  const few = Object.entries(inputs).flatMap(([name, input]) => {
    const values = enumerated(input);
    return values === undefined ? [] : [{ name, values }];
  });
  const together = few.reduce((product, { values }) => product * values.length, 1) <= MOST_NEIGHBOURS;
  const near = new Map<string, Example>();
  for (const { expect: _, ...given } of examples) {
    const whole: Assignment = Object.fromEntries(
      Object.keys(inputs).map((name) => [name, (given as Record<string, unknown>)[name] ?? null]),
    );
    let all: readonly Assignment[] = [whole];
    for (const { name, values } of few) {
      const from = together ? all : [whole];
      const changed = from.flatMap((input) => values.map((value) => ({ ...input, [name]: value })));
      all = together ? changed : [...all, ...changed];
    }
    for (const input of all) {
      const key = canonicalJson(input);
      const expect = near.has(key) ? null : decide(input);
      if (expect !== null) near.set(key, { ...input, expect });
    }
  }
  return [...near.values()];
}

interface Atom {
  readonly text: string;
  readonly truthOf: (input: Readonly<Record<string, unknown>>) => boolean | null;
}

/** The parts without connectives of the properties, and what inputs with few values may be. */
function atomsOf(properties: readonly Expression[], inputs: Inputs): Atom[] {
  const texts = new Set<string>();
  const visit = (node: ExpressionNode): void => {
    if (node.kind === 'logical') node.operands.forEach(visit);
    else if (node.kind === 'unary' && node.operator === '!') visit(node.operand);
    else if (node.kind === 'conditional') [node.condition, node.whenTrue, node.whenFalse].forEach(visit);
    else if (node.kind !== 'literal') {
      const part: Expression = { name: 'atom', root: node };
      if (!freeNames(part).includes(PERMITTED)) texts.add(printExpression(part));
      else if (node.kind === 'binary') [node.left, node.right].forEach(visit);
    }
  };
  for (const { root } of properties) visit(root);
  for (const [name, input] of Object.entries(inputs)) {
    if (input.optional) texts.add(`${name} == null`);
    if (input.type.kind === 'boolean') texts.add(name);
    if (input.type.kind === 'enum')
      for (const value of enumerated({ type: input.type }) ?? [])
        texts.add(`${name} == ${JSON.stringify(value)}`);
  }
  return [...texts].map((text) => {
    const evaluate = compileCondition(parseExpression(text));
    return {
      text,
      truthOf: (input) => {
        try {
          return evaluate(input, {});
        } catch {
          return null;
        }
      },
    };
  });
}

interface Row {
  readonly values: readonly (boolean | null)[];
  readonly permitted: boolean;
}

function rowOf({ expect, ...given }: Example, atoms: readonly Atom[], names: readonly string[]): Row {
  const input = Object.fromEntries(
    names.map((name) => [name, (given as Record<string, unknown>)[name] ?? null]),
  );
  return { values: atoms.map((atom) => atom.truthOf(input)), permitted: expect === 'permit' };
}

type Path = readonly { readonly atom: number; readonly value: boolean }[];

/** The paths to the leaves that permit; null if no tree agrees with all rows. */
function grow(rows: readonly Row[], atoms: readonly number[]): Path[] | null {
  if (rows.every(({ permitted }) => permitted)) return [[]];
  if (rows.every(({ permitted }) => !permitted)) return [];
  let best: { atom: number; rest: number } | null = null;
  for (const atom of atoms) {
    const parts = partsOf(rows, atom);
    const isUseful = parts.filter((part) => part.length > 0).length > 1;
    // Where a condition has no value its negation has none either: neither permits.
    if (!isUseful || parts[2].some(({ permitted }) => permitted)) continue;
    const rest = parts.reduce((sum, part) => sum + part.length * entropy(part), 0);
    if (best === null || rest < best.rest - 1e-12) best = { atom, rest };
  }
  if (best === null) return null;
  const { atom } = best;
  const left = atoms.filter((other) => other !== atom);
  const [whenTrue, whenFalse] = partsOf(rows, atom).map((part) => grow(part, left));
  if (whenTrue === null || whenFalse === null) return null;
  return [
    ...whenTrue.map((path) => [{ atom, value: true }, ...path]),
    ...whenFalse.map((path) => [{ atom, value: false }, ...path]),
  ];
}

/** The rows by the value of an atom: true, false, none. */
function partsOf(rows: readonly Row[], atom: number): readonly [Row[], Row[], Row[]] {
  const parts: [Row[], Row[], Row[]] = [[], [], []];
  for (const row of rows) parts[row.values[atom] === true ? 0 : row.values[atom] === false ? 1 : 2].push(row);
  return parts;
}

function entropy(rows: readonly Row[]): number {
  const share = rows.filter(({ permitted }) => permitted).length / rows.length;
  if (!(share > 0 && share < 1)) return 0;
  return -share * Math.log2(share) - (1 - share) * Math.log2(1 - share);
}
