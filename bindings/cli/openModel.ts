import type { Subject } from '../checker/index.js';
import { build } from '../exploration/index.js';
import { type GivenConstants, refuseUndeclared } from '../logic/index.js';
import { loadModelFile } from './load.js';
import { Progress, plural, type Terminal } from './terminal.js';

/** A model with what properties may mention, and how long it took. */
export interface OpenedModel {
  readonly subject: Subject;
  /** Names of the constants that the model declares. */
  readonly constants: readonly string[];
  readonly seconds: { readonly parse: number; readonly build: number };
}

export interface OpenOptions {
  /** Values of constants, of the model and of properties. */
  readonly given: GivenConstants;
  /** Names of constants that properties declare. */
  readonly declared: readonly string[];
  /** Keep probabilities and rewards as fractions. */
  readonly exact: boolean;
  readonly maxStates?: number | undefined;
}

/**
 * Reads a model file, and explores its states if it is source.
 *
 * @throws InvalidArgumentError for given constants that neither the model nor a property declares; else as `build` and the readers
 */
export async function openModel(
  path: string,
  options: OpenOptions,
  terminal: Terminal,
): Promise<OpenedModel> {
  const { given, declared, exact, maxStates } = options;
  const started = performance.now();
  const file = await loadModelFile(path);
  const read = (performance.now() - started) / 1000;
  if (file.kind === 'model') {
    refuseUndeclared(given, declared);
    return { subject: { model: file.model }, constants: [], seconds: { parse: 0, build: read } };
  }
  const constants = file.source.constants.map(({ name }) => name);
  refuseUndeclared(given, [...constants, ...declared]);
  const progress = new Progress(terminal);
  const subject = build(file.source, {
    constants: pick(given, constants),
    exact,
    ...(maxStates !== undefined && { maxStates }),
    onProgress: ({ states, explored }) =>
      progress.show(() => `${plural(states, 'state')} found, ${explored} explored`),
  });
  progress.clear();
  return { subject, constants, seconds: { parse: read, build: subject.seconds } };
}

/** Those of the given constants that have one of the names. */
export function pick(given: GivenConstants, names: readonly string[]): GivenConstants {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}
