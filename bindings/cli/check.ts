import { checkProperty } from '../checker/index.js';
import { ForeguardError, InvalidArgumentError, NotConvergedError, UndecidedError } from '../errors.js';
import type { SolveMethod } from '../kernel/index.js';
import { parseFormula } from '../logic/index.js';
import { loadModel, readText } from './load.js';
import { parsePrecision } from './numbers.js';
import { formatNumber, type Outcome, Progress, type Terminal } from './terminal.js';

interface CheckCommandOptions {
  readonly model: string;
  readonly property?: readonly string[];
  readonly properties?: string;
  readonly precision: string;
  readonly relative?: boolean;
  readonly absolute?: boolean;
  readonly method: SolveMethod;
}

/** `foreguard check`: properties of a model, with bounds. */
export async function check(options: CheckCommandOptions, terminal: Terminal): Promise<Outcome> {
  if (options.relative && options.absolute) {
    throw new InvalidArgumentError('--relative and --absolute exclude each other');
  }
  const precision = parsePrecision(options.precision);
  const started = performance.now();
  const properties = await readProperties(options);
  if (properties.length === 0) {
    throw new InvalidArgumentError('no property to check: give --property TEXT or --properties FILE');
  }
  const parsed = performance.now();
  const model = await loadModel(options.model);
  const built = performance.now();
  const progress = new Progress(terminal);
  const results = properties.map(({ name, property }) => {
    try {
      const result = checkProperty(model, parseFormula(property, { name }), {
        precision,
        relative: options.relative ?? false,
        method: options.method,
        onProgress: ({ fraction, gap }) =>
          progress.show(
            () => `${name}: ${(100 * fraction).toFixed(0)}% of states solved, gap ${gap.toExponential(1)}`,
          ),
      });
      const { value, accuracy, method } = result;
      const bounds = result.kind === 'probability' ? { lower: result.lower, upper: result.upper } : {};
      return { name, property, value, ...bounds, accuracy, method };
    } catch (error) {
      if (!(error instanceof ForeguardError)) throw error;
      return {
        name,
        property,
        error: { code: error.code, message: error.message, ...boundsOf(error, model.initial) },
      };
    }
  });
  progress.clear();
  const solved = performance.now();
  const seconds = {
    parse: (parsed - started) / 1000,
    build: (built - parsed) / 1000,
    solve: (solved - built) / 1000,
    total: (solved - started) / 1000,
  };
  const json = {
    model: {
      type: model.type,
      states: model.states,
      choices: model.states,
      transitions: model.columns.length,
      initial: model.initial,
      ...(model.warnings?.length ? { warnings: model.warnings } : {}),
    },
    results,
    seconds,
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  };
  const text = [
    `${model.type}: ${model.states} states, ${model.columns.length} transitions, initial ${model.initial.slice(0, 5).join(', ')}${model.initial.length > 5 ? ', …' : ''}`,
    ...(model.warnings ?? []).map((warning) => `warning: ${warning}`),
    ...results.map((result) => `${result.name}: ${result.property}\n  ${describe(result)}`),
    `${seconds.total.toFixed(3)} s (parse ${seconds.parse.toFixed(3)}, build ${seconds.build.toFixed(3)}, solve ${seconds.solve.toFixed(3)})`,
  ].join('\n');
  return { json, text, exitCode: exitCodeOf(results) };
}

interface PropertyResult {
  readonly value?: number | boolean | { readonly min: number; readonly max: number };
  readonly lower?: number | undefined;
  readonly upper?: number | undefined;
  readonly accuracy?: string;
  readonly method?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

function exitCodeOf(results: readonly PropertyResult[]): 0 | 1 | 2 | 3 {
  const codes = results.flatMap(({ error }) => (error ? [error.code] : []));
  if (codes.some((code) => code === 'undecided' || code === 'not-converged' || code === 'kernel-error'))
    return 3;
  if (codes.length > 0) return 2;
  const yesNo = results.every(({ value }) => typeof value === 'boolean');
  return yesNo && results.some(({ value }) => value === false) ? 1 : 0;
}

function describe({ value, lower, upper, accuracy, method, error }: PropertyResult): string {
  if (error) return `error: ${error.message}`;
  if (typeof value === 'boolean') return `${value} (${accuracy}, ${method})`;
  const shown =
    typeof value === 'object'
      ? `${formatNumber(value.min)} to ${formatNumber(value.max)}`
      : formatNumber(value ?? Number.NaN);
  return `${shown}  in [${lower}, ${upper}] (${accuracy}, ${method})`;
}

function boundsOf(error: ForeguardError, initial: readonly number[]): { lower?: number; upper?: number } {
  if (error instanceof UndecidedError) return { lower: error.lower, upper: error.upper };
  if (!(error instanceof NotConvergedError)) return {};
  return {
    lower: Math.min(...initial.map((state) => error.lower[state])),
    upper: Math.max(...initial.map((state) => error.upper[state])),
  };
}

interface NamedProperty {
  readonly name: string;
  readonly property: string;
}

/** Properties of the command line first, then of the file: one a line, `"name": property`, comments after `//`. */
async function readProperties({ property = [], properties }: CheckCommandOptions): Promise<NamedProperty[]> {
  const given = property.map((text, index) => ({ name: `property ${index + 1}`, property: text }));
  if (properties === undefined) return given;
  const lines = (await readText(properties)).split(/\r?\n/);
  const listed = lines.flatMap((line, index) => {
    const text = line
      .replace(/\/\/.*$/, '')
      .trim()
      .replace(/;$/, '');
    const named = /^"([^"]+)"\s*:\s*(.+)$/.exec(text);
    if (named) return [{ name: named[1], property: named[2] }];
    return text === '' ? [] : [{ name: `${properties}:${index + 1}`, property: text }];
  });
  return [...given, ...listed];
}
