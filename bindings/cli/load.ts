import { basename } from 'node:path';
import type { AbstractionDefinition } from '../abstraction/index.js';
import { InvalidArgumentError } from '../errors.js';
import { loadRegexEngine, parseExpression, usesMatches } from '../expression/index.js';
import { detectFormat, readExplicit, readUmb } from '../formats/index.js';
import type { Dtmc } from '../model/index.js';
import { nodeStorage } from '../node/index.js';
import { parseSpecification, type Specification } from '../specification/index.js';
import { readTraces, type SkippedTrace, type Trace } from '../trace/index.js';

/** Options that commands reading traces share. */
export interface TraceOptions {
  readonly traces: readonly string[];
  readonly traceFormat?: 'jsonl' | 'safeagentbench' | 'tau-bench';
  readonly skipInvalid?: boolean;
}

async function readBytes(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of nodeStorage.read(path)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(path));
}

async function readTextIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a specification and loads what its predicates need to be compiled. */
export async function loadSpecification(path: string): Promise<Specification> {
  const specification = parseSpecification(await readText(path), { source: path });
  await prepare(specification.abstraction);
  return specification;
}

/** The regular expression engine is loaded only where a predicate uses `matches`. */
async function prepare({ predicates, constraints }: AbstractionDefinition): Promise<void> {
  const sources = [...predicates.map(({ expression }) => expression), ...Object.values(constraints ?? {})];
  if (sources.some((source) => usesMatches(parseExpression(source)))) await loadRegexEngine();
}

/** Reads a model by its content: UMB, or PRISM's explicit files found beside the `.tra`. */
export async function loadModel(path: string): Promise<Dtmc> {
  const bytes = await readBytes(path);
  const format = detectFormat(bytes, path);
  if (format === 'umb') return readUmb(bytes, { source: path });
  if (format === 'tra') {
    const beside = (extension: string): Promise<string | undefined> =>
      readTextIfPresent(path.replace(/\.tra$/, extension));
    const [lab, sta, srew, trew] = await Promise.all(['.lab', '.sta', '.srew', '.trew'].map(beside));
    return readExplicit({
      source: path,
      tra: new TextDecoder().decode(bytes),
      ...(lab === undefined ? {} : { lab }),
      ...(sta === undefined ? {} : { sta }),
      ...(srew === undefined ? {} : { srew }),
      ...(trew === undefined ? {} : { trew }),
    });
  }
  throw new InvalidArgumentError(
    `${path}: a model is expected, UMB (.umb) or PRISM explicit (.tra); ${basename(path)} looks like ${format}`,
  );
}

export { readText };

/** All traces of all files, in order, with what was left out counted by reason. */
export class TraceFiles {
  readonly skipped: SkippedTrace[] = [];
  /** Traces handed out so far. */
  read = 0;
  readonly #options: TraceOptions;
  readonly #onTrace: ((read: number) => void) | undefined;

  constructor(options: TraceOptions, onTrace?: (read: number) => void) {
    this.#options = options;
    this.#onTrace = onTrace;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Trace> {
    const { traces, traceFormat, skipInvalid = false } = this.#options;
    for (const path of traces) {
      const options = {
        source: path,
        skipInvalid,
        onSkipped: (skipped: SkippedTrace): void => void this.skipped.push(skipped),
        ...(traceFormat === undefined ? {} : { format: traceFormat }),
      };
      for await (const trace of readTraces(nodeStorage.read(path), options)) {
        this.read++;
        if (this.read % 1024 === 0) this.#onTrace?.(this.read);
        yield trace;
      }
    }
  }
}
