import { InvalidModelError } from '../../base/errors.js';
import { withContext } from '../../base/words.js';
import { BitSet } from '../kernel/index.js';
import {
  type ActionNames,
  createDtmc,
  createIntervalDtmc,
  createIntervalMdp,
  createMdp,
  type DtmcParts,
  type Model,
  NO_ACTION,
} from '../model/index.js';
import { deadlockWarning, mapRows, type TidyRows } from './normaliseRows.js';

/** The parts of a file beside the rows of its model; `actions` are per listed row. */
export interface ReadParts
  extends Pick<DtmcParts, 'initial' | 'unknown' | 'valuations' | 'rewards' | 'annotations'> {
  readonly labels: Map<string, BitSet>;
  readonly actions?: ActionNames;
  readonly parameters?: unknown;
  readonly warnings: readonly string[];
}

/**
 * Makes a model of rows and the other parts of a file: a chain if every state has one row, with intervals if there are upper
 * bounds. Closed deadlocks get the label `deadlock` and a warning.
 *
 * @throws InvalidModelError as the model's own checks
 */
export function modelOfRows(rows: TidyRows, parts: ReadParts): Model {
  const { rowGroupStart, rowStart, columns, values, upper, deadlocks } = rows;
  const { actions, unknown, labels, ...rest } = parts;
  const states = (rowGroupStart ?? rowStart).length - 1;
  const warnings = [...parts.warnings];
  if (deadlocks.length > 0) {
    warnings.push(deadlockWarning(deadlocks));
    const members = BitSet.of(states, deadlocks);
    labels.set('deadlock', labels.get('deadlock')?.union(members) ?? members);
  }
  const common = {
    ...present({ ...rest, warnings }),
    labels,
    initial: parts.initial,
    rowStart,
    columns,
  };
  const choices = rowGroupStart && {
    rowGroupStart,
    ...(actions && {
      actions: { names: actions.names, ofRow: mapRows(actions.ofRow, rows, NO_ACTION) },
    }),
  };
  if (upper) {
    const bounds = { ...common, lower: values, upper };
    return choices ? createIntervalMdp({ ...bounds, ...choices }) : createIntervalDtmc(bounds);
  }
  return choices
    ? createMdp({ ...common, values, ...choices })
    : createDtmc({ ...common, values, ...(unknown && { unknown }) });
}

/** Runs `read` and adds the file's name to errors about the model. */
export function namingSource<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidModelError) || error.message.startsWith(source)) throw error;
    throw withContext(error, source);
  }
}

/** Returns the parts without undefined members and empty lists. */
function present<T extends object>(parts: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(parts).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as { [K in keyof T]: Exclude<T[K], undefined> };
}
