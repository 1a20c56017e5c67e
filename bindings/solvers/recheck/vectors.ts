import { type ExpressionNode, freeNames } from '../../languages/expression/index.js';
import type { ElementType, Input, RecordType } from '../../languages/inputs/index.js';
import type { InputCertificate, MachineCertificate, TextCertificate } from './certificate.js';
import { checkConformance } from './conformance.js';
import { type Count, countOf, listValues } from './lists.js';
import { checkShape, productValues } from './product.js';
import { Refused } from './refused.js';
import { ANY, ELEMENT, evaluator, FALSE, type Leaves, NONE, TRUE, valuesOf } from './trees.js';
import { allValues, comparedWith, numbersAround } from './values.js';

/** Predicates of one input, and all that they can be together. */
export interface Confirmed {
  readonly keys: readonly string[];
  readonly vectors: readonly (readonly number[])[];
  /** Some values of the input. */
  readonly examples: readonly unknown[];
}

/** Most lists that are tried, and elements of which they are made. */
const MOST_EXAMPLES = 6;
/** Most ways in which the bodies of one element can be. */
const MOST_KINDS = 20_000;

/** How automata are run against their predicates, and which have been. */
export interface Tests {
  readonly evaluations: number;
  readonly done: WeakMap<MachineCertificate, Set<string>>;
}

/**
 * Confirms that predicates over an input have no other values together than a certificate says. Predicates that cannot be confirmed so are left out: they may be
 * anything.
 *
 * @param leaves the predicates of the claim; others of the certificate do not matter
 * @throws Refused
 */
export function confirm(
  certificate: InputCertificate,
  input: Input,
  leaves: Leaves,
  tests: Tests,
): Confirmed {
  const { input: name } = certificate;
  const isOwn = (node: ExpressionNode) => {
    const read = freeNames({ name: '', root: node });
    return read.length === 1 && read[0] === name;
  };
  let kept = certificate.atoms.flatMap((key, i) => {
    const node = leaves.get(key);
    return node !== undefined && isOwn(node) ? [{ key, i, node, evaluate: evaluator(node) }] : [];
  });
  const evaluate = (value: unknown) => kept.map((one) => one.evaluate({ [name]: value }));
  const { type } = input;
  let found: { readonly values: readonly (readonly number[])[]; readonly examples: readonly unknown[] };
  const few = allValues(type);
  if (few !== undefined) found = { values: few.map(evaluate), examples: few };
  else if (type.kind === 'text') found = ofText();
  else if (type.kind === 'list') found = ofList(type.of, type.most);
  else {
    const constants = new Map(kept.map(({ key, node }) => [key, comparedWith(node, name)]));
    kept = kept.filter(({ key }) => constants.get(key) !== undefined);
    const examples = numbersAround(
      [...constants.values()].flatMap((one) => one ?? []),
      type as ElementType & { kind: 'number' },
    );
    found = { values: examples.map(evaluate), examples };
  }
  const vectors = new Map(
    certificate.vectors
      .map((vector) => kept.map(({ i }) => vector[i]))
      .map((vector) => [vector.join(), vector]),
  );
  for (const values of [...found.values, ...(input.optional === true ? [evaluate(null)] : [])])
    if (!vectors.has(values.join()))
      throw new Refused(
        `its predicates over ${name} can be ${values.map(word).join(', ')} together (${kept.map(({ key }) => key).join(', ')}), which it leaves out`,
      );
  return { keys: kept.map(({ key }) => key), vectors: [...vectors.values()], examples: found.examples };

  function ofText() {
    const { most } = type as ElementType & { kind: 'text' };
    if (certificate.text === undefined) throw new Refused(`it has no automata for ${name}`);
    const classes = checkShape(certificate.text);
    const machines = certificate.text.machines.flatMap((machine) => {
      const own = machine.atoms.map((atom) => kept.findIndex(({ i }) => i === atom));
      return own.some((k) => k >= 0) ? [{ machine, own }] : [];
    });
    const told = machines.flatMap(({ own }) => own.filter((k) => k >= 0));
    kept = told.map((k) => kept[k]);
    const reduced = machines.map(({ machine, own }) =>
      onlyOf(
        machine,
        own.map((k) => k >= 0),
      ),
    );
    let from = 0;
    for (const [i, machine] of reduced.entries()) {
      const part = kept.slice(from, (from += machine.atoms.length));
      testOnce(machines[i].machine, part.map(({ key }) => key).join('\n'), () =>
        checkConformance(
          certificate.text as TextCertificate,
          machine,
          classes,
          most,
          (text) => part.map((one) => one.evaluate({ [name]: text })),
          tests.evaluations,
        ),
      );
    }
    return {
      values: productValues(reduced, classes, most),
      examples: ['', ...texts(kept.map(({ node }) => node))],
    };
  }

  function testOnce(machine: MachineCertificate, keys: string, test: () => void): void {
    const known = tests.done.get(machine) ?? new Set();
    tests.done.set(machine, known);
    if (!known.has(keys)) test();
    known.add(keys);
  }

  function ofList(of: ElementType | RecordType, most: number) {
    const inBodies: Leaves = new Map();
    const counts = kept.map(({ node }) => countOf(node, name, inBodies));
    kept = kept.filter((_, k) => counts[k] !== undefined);
    const followed = counts.filter((one): one is Count => one !== undefined);
    const elements =
      certificate.elements === undefined || of.kind === 'record'
        ? { keys: [], vectors: [[]], examples: [] }
        : confirm({ ...certificate.elements, input: ELEMENT }, { type: of }, inBodies, tests);
    const values = listValues(followed, kindsOf(followed, elements), most);
    const lists: unknown[][] = [[]];
    const some = elements.examples.slice(0, MOST_EXAMPLES);
    for (const a of some)
      for (const b of [undefined, ...some]) lists.push(b === undefined ? [a] : [a, b], [a, a, b ?? a]);
    const examples = lists.filter(({ length }) => length <= most);
    return { values: [...values, ...examples.map(evaluate)], examples };
  }
}

/** The values of all bodies that one element can have. */
function kindsOf(counts: readonly Count[], { keys, vectors }: Confirmed): number[][] {
  const found = new Map<string, number[]>();
  for (const vector of vectors) {
    const known = new Map(keys.map((key, i) => [key, vector[i]]));
    let kinds: number[][] = [[]];
    for (const { body } of counts) {
      const values = valuesOf(body, (key) => known.get(key) ?? ANY);
      const bits = [FALSE, TRUE, NONE].filter((bit) => (values & bit) !== 0);
      kinds = kinds.flatMap((before) => bits.map((bit) => [...before, bit]));
      if (kinds.length > MOST_KINDS) throw new Refused('an element of a list can be in too many ways');
    }
    for (const kind of kinds) found.set(kind.join(), kind);
  }
  return counts.length === 0 ? [] : [...found.values()];
}

/** A machine with only some of its predicates. */
function onlyOf(machine: MachineCertificate, isKept: readonly boolean[]): MachineCertificate {
  if (isKept.every((one) => one)) return machine;
  return {
    ...machine,
    atoms: machine.atoms.filter((_, k) => isKept[k]),
    possible: machine.possible.map((several) => several.map((values) => values.filter((_, k) => isKept[k]))),
  };
}

/** The texts that stand in expressions. */
function texts(nodes: readonly ExpressionNode[]): string[] {
  const found: string[] = [];
  JSON.stringify(nodes, (key, value) => {
    if (key === 'value' && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

function word(value: number): string {
  return value === TRUE ? 'true' : value === FALSE ? 'false' : 'without a value';
}
