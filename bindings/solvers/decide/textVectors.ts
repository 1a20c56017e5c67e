import type { ElementType } from '../../languages/inputs/index.js';
import {
  Alphabet,
  FALSE,
  type Machine,
  NONE,
  type Table,
  TRUE,
  tabulate,
  textVectors,
} from '../../languages/regular/index.js';
import type { TextCertificate } from '../recheck/index.js';
import type { Value } from './formulas.js';
import { type Atom, comparesWithNull } from './reader.js';
import { Memory, shapeOf } from './remembered.js';
import type { Steps } from './steps.js';
import { folderPredicates, machineOfFolders, machineOfText } from './textAtoms.js';
import { reasonOf } from './undecidable.js';
import type { Evident, Notes } from './vectors.js';

/** All three values, as bits. */
const ANY = FALSE | TRUE | NONE;

const known = new Memory<Evident>();
/** Most moves of the automata of an answer that is remembered. */
const MOST_MOVES = 20_000;

/** What predicates over one text can be together, by the product of their automata. */
export function vectorsOfText(
  atoms: readonly Atom[],
  name: string,
  { most }: Extract<ElementType, { kind: 'text' }>,
  notes: Notes,
): Evident {
  const nodes = atoms.map(({ node }) => node);
  return known.answer(`${most} ${shapeOf(nodes, name)}`, notes.steps, (take) => {
    const before = notes.reasons.size;
    const { tables, ...answer } = vectorsAnew(atoms, name, most, notes, take);
    const moves = tables.reduce((sum, { next }) => sum + next.length, 0);
    // Why an atom is not followed is to be said anew.
    return { answer, isKept: notes.reasons.size === before && moves <= MOST_MOVES };
  });
}

function vectorsAnew(
  atoms: readonly Atom[],
  name: string,
  most: number,
  notes: Notes,
  take: Steps['take'],
): Evident & { readonly tables: readonly Table[] } {
  const parts = partsOf(atoms, name, notes);
  const alphabet = new Alphabet(parts.flatMap(({ machine }) => machine.sets));
  const tables = parts.map(({ machine }) => tabulate(machine, alphabet, take));
  const order = parts.flatMap(({ indices }) => indices);
  const vectors = textVectors(tables, { longest: most, count: take }).map(({ values: found, witnesses }) => {
    const values: Value[] = [];
    for (const [k, i] of order.entries()) values[i] = found[k];
    const value = witnesses.find(
      (text) => text.length <= most && atoms.every((atom, i) => atom.evaluate(text) === values[i]),
    );
    return value === undefined ? { values } : { values, witness: { value } };
  });
  return { vectors, tables, evidence: () => ({ text: certificateOf(parts, tables, alphabet) }) };
}

/** A machine, and the predicates whose values it tells. */
interface Part {
  readonly machine: Machine;
  readonly indices: readonly number[];
}

/** Predicates `isUnder` of one term share a machine, each other one has its own. */
function partsOf(atoms: readonly Atom[], name: string, notes: Notes): Part[] {
  const parts: Part[] = [];
  const followed = new Set<number>();
  for (const { indices, folders } of folderPredicates(atoms.map(({ node }) => node))) {
    try {
      parts.push({ machine: machineOfFolders(folders, atoms[indices[0]].node, name), indices });
      for (const i of indices) followed.add(i);
    } catch (error) {
      for (const i of indices) notes.reasons.set(atoms[i].number, reasonOf(error));
    }
  }
  for (const [i, atom] of atoms.entries())
    if (!followed.has(i)) parts.push({ machine: machineOf(atom, name, notes), indices: [i] });
  return parts;
}

/** The machine of an atom; one that says nothing if it is not followed. */
function machineOf({ node, evaluate, number }: Atom, name: string, notes: Notes): Machine {
  // A comparison with null says the same of every text.
  const constant = comparesWithNull(node, name) ? evaluate('') : undefined;
  if (constant === undefined) {
    try {
      return machineOfText(node, name);
    } catch (error) {
      notes.reasons.set(number, reasonOf(error));
    }
  }
  return { sets: [], start: 0, next: () => 0, outcomes: () => constant ?? ANY };
}

function certificateOf(
  parts: readonly Part[],
  tables: readonly Table[],
  alphabet: Alphabet,
): TextCertificate {
  const { starts, classes } = alphabet.intervals;
  const machines = tables.map(({ next, outcomes, doubts, through, exactBelow, together }, i) => {
    const numbers = [...new Set(outcomes)];
    const place = new Map(numbers.map((outcome, k) => [outcome, k]));
    return {
      atoms: parts[i].indices,
      next: [...next],
      outcomes: Array.from(outcomes, (outcome) => place.get(outcome)!),
      possible: numbers.map((outcome) => together.of(outcome)),
      doubts: [...doubts],
      through: through ?? null,
      exactBelow: Number.isFinite(exactBelow) ? exactBelow : null,
    };
  });
  return { starts, classes, machines };
}
