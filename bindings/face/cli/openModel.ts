import type { GivenConstants } from '../../languages/logic/index.js';
import type { Subject } from '../../solvers/checker/index.js';
import { build } from '../../solvers/exploration/index.js';
import type { ModelFile, PrismModel } from '../../solvers/formats/index.js';
import { pick } from './constants.js';
import { InterruptedError, interruptionOf } from './interruption.js';
import { formatCount, Progress, plural, type Terminal } from './terminal.js';

export interface OpenOptions {
  /** Keep probabilities and rewards as fractions. */
  readonly exact: boolean;
  readonly maxStates?: number | undefined;
}

/** The model of a file for values of its constants. If the file is source, states are explored, again only for other values. */
export class ModelOpener {
  #last: { readonly constants: string; readonly subject: Subject } | undefined;
  readonly #file: ModelFile;
  readonly #options: OpenOptions;
  readonly #terminal: Terminal;

  constructor(file: ModelFile, options: OpenOptions, terminal: Terminal) {
    this.#file = file;
    this.#options = options;
    this.#terminal = terminal;
  }

  /**
   * @param given Values of constants; undeclared ones are ignored
   * @throws InterruptedError if the user interrupted it, with the progress so far; else as `build`
   */
  open(given: GivenConstants): Subject {
    if (this.#file.kind === 'model') return { model: this.#file.model };
    const { source } = this.#file;
    const own = pick(
      given,
      source.constants.map(({ name }) => name),
    );
    const constants = JSON.stringify(own);
    if (this.#last?.constants !== constants) {
      this.#last = undefined; // or two models would be held at once
      this.#last = { constants, subject: this.#build(source, own) };
    }
    return this.#last.subject;
  }

  #build(source: PrismModel, constants: GivenConstants): Subject {
    const { exact, maxStates } = this.#options;
    const progress = new Progress(this.#terminal);
    const started = performance.now();
    let reached = 'before it began';
    try {
      return build(source, {
        constants,
        exact,
        ...(maxStates !== undefined && { maxStates }),
        signal: interruptionOf(this.#terminal),
        onProgress: ({ states, explored }) => {
          const seconds = (performance.now() - started) / 1000;
          reached = `after ${seconds.toFixed(1)} s, with ${plural(states, 'state')} found, of which ${explored} are explored`;
          progress.show(
            () =>
              `${formatCount(states)} states found, ${formatCount(explored)} explored, ${formatCount(explored / seconds)} a second`,
          );
        },
      });
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error;
      throw new InterruptedError(`exploration of ${source.name} was interrupted ${reached}`);
    } finally {
      progress.clear();
    }
  }
}
