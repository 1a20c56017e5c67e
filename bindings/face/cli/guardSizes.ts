import type { TraceNote } from '../../observations/trace/index.js';
import { type GuardFile, openTables } from '../../runtime/guard/index.js';
import { formatNumber, table } from './terminal.js';

/** Size from which `compile` explains what makes a file large: loading it takes a page seconds on a slow line. */
const LARGE_BYTES = 1e6;

/** The size of one rule in a guard file. */
export interface RuleSize {
  readonly rule: string;
  readonly automatonStates: number;
  /** Pairs of a state of the model and one of the automaton that the file has bounds for. */
  readonly entries: number;
  readonly bytes: number;
}

/** The size of each rule in a guard file, in the order of the file. */
export function ruleSizes({ rules }: GuardFile): RuleSize[] {
  return rules.map((rule) => ({
    rule: rule.name,
    automatonStates: rule.automaton.states,
    entries: openTables(rule).entries,
    bytes: JSON.stringify(rule).length,
  }));
}

/** The sizes as a table; the last row is shared by all rules. */
export function sizeTable(sizes: readonly RuleSize[], bytes: number): string {
  const kilobytes = (size: number): string => (size / 1000).toFixed(1);
  const rest = bytes - sizes.reduce((sum, size) => sum + size.bytes, 0);
  return table(
    ['rule', 'automaton states', 'entries', 'kB'],
    [
      ...sizes.map((size) => [
        size.rule,
        String(size.automatonStates),
        String(size.entries),
        kilobytes(size.bytes),
      ]),
      ['(shared by all)', '', '', kilobytes(rest)],
    ],
  );
}

/** A note if the file is large: its size, the largest rules, and how to reduce them. */
export function sizeNotes(sizes: readonly RuleSize[], bytes: number, source: string): TraceNote[] {
  if (bytes <= LARGE_BYTES) return [];
  const [largest] = [...sizes].sort((one, other) => other.bytes - one.bytes);
  const share = Math.round((100 * largest.bytes) / bytes);
  return [
    {
      source,
      message: `${formatNumber(bytes / 1e6)} MB: rule "${largest.rule}" takes ${share} % of it, with ${largest.automatonStates} states of its automaton and ${largest.entries} entries; a longer samplingPeriod, or a shorter bound on time in the rule, makes it smaller`,
    },
  ];
}
