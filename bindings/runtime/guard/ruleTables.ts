import { OPEN, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { fromBase64 } from './base64.js';
import { isBoundsWord, lowerOf, upperOf } from './boundsWord.js';
import { fail, failAs, fields, index, list, listOf, onlyKeys, type Path, text } from './checks.js';
import type { GuardRule, PackedTables } from './guardFile.js';
import { Entries } from './tableEntries.js';

/** Bounds on a probability at each pair of a chain state and an automaton state. */
export class BoundsTable {
  readonly #entries: Entries;
  readonly #words: Uint32Array;
  readonly #verdict: ArrayLike<number>;
  /** Upper bounds as unrounded doubles, if given. */
  readonly #exact: Float64Array | null;

  constructor(
    entries: Entries,
    words: Uint32Array,
    verdict: ArrayLike<number>,
    exact: Float64Array | null = null,
  ) {
    this.#entries = entries;
    this.#words = words;
    this.#verdict = verdict;
    this.#exact = exact;
  }

  /**
   * Writes lower and upper bound into `bounds[0]` and `bounds[1]`, because a returned number may be allocated. If the file has no entry they are 0 and 1,
   * unless the rule is violated or satisfied in automaton state `q`.
   */
  read(s: number, q: number, bounds: Float64Array): void {
    const entry = this.#entries.of(s, q);
    if (entry < 0) {
      bounds[0] = this.#verdict[q] === VIOLATED ? 1 : 0;
      bounds[1] = this.#verdict[q] === SATISFIED ? 0 : 1;
      return;
    }
    const word = this.#words[entry];
    bounds[0] = lowerOf(word);
    bounds[1] = this.#exact === null ? upperOf(word) : this.#exact[entry];
  }

  /** The lower bound alone. */
  lower(s: number, q: number): number {
    this.read(s, q, one);
    return one[0];
  }

  /** The upper bound alone. */
  upper(s: number, q: number): number {
    this.read(s, q, one);
    return one[1];
  }
}

const one = new Float64Array(2);

/** The tables that a guard looks up for one rule. `s` is a chain state as numbered in the file, `q` a state of the rule's automaton. */
export interface RuleTables {
  /** Number of pairs with entries in the file; for all others the bounds are 0 and 1, or follow from the verdict. */
  readonly entries: number;
  readonly risk: BoundsTable;
  readonly confidence: BoundsTable | null;
  /** Its upper bounds are inductive and unrounded: docs/semantics/shield.md needs them exact. */
  readonly least: BoundsTable | null;
  readonly most: BoundsTable | null;
  readonly horizons: ReadonlyMap<
    string,
    { readonly risk: BoundsTable; readonly confidence: BoundsTable | null }
  >;
}

/** Tables are read from a file once, for all guards made from it. */
const opened = new WeakMap<PackedTables, RuleTables>();

/**
 * Reads the tables of a rule, from a checked guard file; of a rule without tables, they have no entries.
 *
 * @throws InvalidArgumentError naming the fault in them
 */
export function openTables({ tables, automaton, name }: GuardRule): RuleTables {
  if (tables === undefined) {
    const risk = new BoundsTable(new Entries([], []), new Uint32Array(0), automaton.verdict);
    return { entries: 0, risk, confidence: null, least: null, most: null, horizons: new Map() };
  }
  const known = opened.get(tables);
  if (known !== undefined) return known;
  return readTables(tables, `rule "${name}": tables`, tables.groupOf.length, automaton.verdict);
}

/**
 * Reads and checks tables over `states` chain states.
 *
 * @throws InvalidArgumentError, NotSupportedError
 */
export function readTables(
  value: unknown,
  path: Path,
  states: number,
  verdict: ArrayLike<number>,
): RuleTables {
  const tables = fields(value, path);
  onlyKeys(tables, path, ['groups', 'groupOf', 'risk', 'confidenceUpper', 'least', 'most', 'horizons']);
  const groups = list(tables.groups, `${path}.groups`).map((group, g) =>
    checkGroup(group, `${path}.groups[${g}]`, verdict),
  );
  const groupOf = listOf(tables.groupOf, `${path}.groupOf`, states, `one for each of ${states} states`).map(
    (group, s) => index(group, `${path}.groupOf`, groups.length, s),
  );
  const entries = new Entries(groups, groupOf);
  const bounds = (item: unknown, place: Path): BoundsTable =>
    new BoundsTable(entries, readWords(item, place, entries.count), verdict);
  const confident = (item: unknown, place: Path): BoundsTable | null =>
    item === undefined ? null : bounds(item, place);
  const horizons = new Map<string, { risk: BoundsTable; confidence: BoundsTable | null }>();
  for (const [steps, item] of Object.entries(
    tables.horizons === undefined ? {} : fields(tables.horizons, `${path}.horizons`),
  )) {
    if (!/^\d+$/.test(steps)) fail(`${path}.horizons`, steps, 'numbers of steps as keys');
    const place = `${path}.horizons.${steps}`;
    const horizon = fields(item, place);
    onlyKeys(horizon, place, ['risk', 'confidenceUpper']);
    horizons.set(steps, {
      risk: bounds(horizon.risk, `${place}.risk`),
      confidence: confident(horizon.confidenceUpper, `${place}.confidenceUpper`),
    });
  }
  if ((tables.least === undefined) !== (tables.most === undefined))
    fail(`${path}.most`, tables.most, 'given where least is, and only there');
  const made: RuleTables = {
    entries: entries.count,
    risk: bounds(tables.risk, `${path}.risk`),
    confidence: confident(tables.confidenceUpper, `${path}.confidenceUpper`),
    least: tables.least === undefined ? null : readLeast(tables.least, `${path}.least`, entries, verdict),
    most: tables.most === undefined ? null : bounds(tables.most, `${path}.most`),
    horizons,
  };
  opened.set(value as PackedTables, made);
  return made;
}

function readLeast(value: unknown, path: Path, entries: Entries, verdict: ArrayLike<number>): BoundsTable {
  const least = fields(value, path);
  onlyKeys(least, path, ['bounds', 'upper']);
  const place = `${path}.upper`;
  const values = new Float64Array(readBytes(least.upper, place, 8 * entries.count));
  const words = readWords(least.bounds, `${path}.bounds`, entries.count);
  values.forEach((found, i) => {
    const lower = lowerOf(words[i]);
    if (!(found >= lower && found <= 1))
      fail(`${place}, entry ${i},`, found, `a probability from its lower bound, ${lower}, to 1`);
  });
  return new BoundsTable(entries, words, verdict, values);
}

/** Runs of automaton states without a verdict, ascending. */
function checkGroup(value: unknown, path: Path, verdict: ArrayLike<number>): number[] {
  const group = list(value, path);
  if (group.length % 2 !== 0) failAs(path, `${group.length} numbers`, 'two for each run: first and number');
  let after = 0;
  for (let i = 0; i < group.length; i += 2) {
    const first = index(group[i], path, verdict.length, i);
    if (first < after) fail(`${path}[${i}]`, first, `at least ${after}: runs ascend`);
    const size = index(group[i + 1], path, verdict.length - first + 1, i + 1);
    if (size === 0) fail(`${path}[${i + 1}]`, size, 'at least 1 state in a run');
    after = first + size;
    for (let q = first; q < after; q++)
      if (verdict[q] !== OPEN) fail(path, q, 'states without a verdict: those with one have no entries');
  }
  return group as number[];
}

function readWords(value: unknown, path: Path, count: number): Uint32Array {
  const words = new Uint32Array(readBytes(value, path, 4 * count));
  for (let i = 0; i < count; i++)
    if (!isBoundsWord(words[i])) fail(`${path}, entry ${i},`, words[i], 'bounds in [0, 1]');
  return words;
}

/** Reads numbers of a file, which are little-endian, as are all processors that run JavaScript. */
function readBytes(value: unknown, path: Path, length: number): ArrayBuffer {
  const bytes = fromBase64(text(value, path));
  if (bytes === null) failAs(path, 'other text', 'base64');
  if (bytes.length !== length) failAs(path, `${bytes.length} bytes`, `${length}`);
  return bytes.buffer as ArrayBuffer;
}
