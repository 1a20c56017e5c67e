import { openChecker, type PropertyChecker, type PropertyResult } from '../checker/index.js';
import { ForeguardError, InvalidArgumentError, NotConvergedError, UndecidedError } from '../errors.js';
import type { SolveMethod } from '../kernel/index.js';
import type { Model } from '../model/index.js';
import { type AskedProperties, type AskedProperty, readAsked } from './askedProperties.js';
import { parseConstants } from './constants.js';
import { countComponents } from './countComponents.js';
import { parseCount, parsePrecision } from './numbers.js';
import { type OpenedModel, openModel, pick } from './openModel.js';
import { formatNumber, type Outcome, Progress, plural, type Terminal } from './terminal.js';

interface CheckCommandOptions {
  readonly model: string;
  readonly property?: readonly string[];
  readonly properties?: string;
  readonly const?: readonly string[];
  readonly precision: string;
  readonly relative?: boolean;
  readonly absolute?: boolean;
  readonly method: SolveMethod;
  readonly exact?: boolean;
  readonly maxStates?: string;
  readonly components?: boolean;
}

/** An answer, or why there is none. */
interface Answer {
  readonly name: string;
  readonly property: string;
  readonly result?: PropertyResult;
  readonly error?: ForeguardError;
}

/** `foreguard check`: properties of a model, with bounds. */
export async function check(options: CheckCommandOptions, terminal: Terminal): Promise<Outcome> {
  if (options.relative && options.absolute) {
    throw new InvalidArgumentError('--relative and --absolute exclude each other');
  }
  parsePrecision(options.precision);
  const started = performance.now();
  const given = parseConstants(options.const);
  const parts = await readAsked(options);
  const read = (performance.now() - started) / 1000;
  const opened = await openModel(
    options.model,
    {
      given,
      declared: parts.flatMap(({ file }) => file.constants.map(({ name }) => name)),
      exact: options.exact ?? false,
      maxStates: parseCount('--max-states', options.maxStates),
    },
    terminal,
  );
  const { model } = opened.subject;
  for (const warning of model.warnings ?? []) terminal.err(`warning: ${warning}\n`);
  const built = performance.now();
  const answers = parts.flatMap((part) => answersOf(part, opened, options, terminal));
  const ended = performance.now();
  const seconds = {
    parse: read + opened.seconds.parse,
    build: opened.seconds.build,
    solve: (ended - built) / 1000,
    total: (ended - started) / 1000,
  };
  const json = {
    model: statistics(model, options.components ?? false),
    results: answers.map((answer) => jsonOf(answer, model)),
    seconds,
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  };
  const { type, states, choices, transitions, components, initial } = json.model;
  const text = [
    `${type}: ${plural(states, 'state')}, ${plural(choices, 'choice')}, ${plural(transitions, 'transition')}, ${components === undefined ? '' : `${plural(components, 'component')}, `}initial ${initial.slice(0, 5).join(', ')}${initial.length > 5 ? ', …' : ''}`,
    ...answers.map((answer) => `${answer.name}: ${answer.property}\n  ${describe(answer)}`),
    `${seconds.total.toFixed(3)} s (parse ${seconds.parse.toFixed(3)}, build ${seconds.build.toFixed(3)}, solve ${seconds.solve.toFixed(3)}), ${(json.peakMemoryBytes / 2 ** 20).toFixed(0)} MiB`,
  ].join('\n');
  return { json, text, exitCode: exitCodeOf(answers) };
}

function answersOf(
  { file, asked }: AskedProperties,
  { subject, constants }: OpenedModel,
  options: CheckCommandOptions,
  terminal: Terminal,
): Answer[] {
  const progress = new Progress(terminal);
  const declared = [...constants, ...file.constants.map(({ name }) => name)];
  let checker: PropertyChecker | undefined;
  let current = '';
  const open = (): PropertyChecker =>
    openChecker(subject, file, {
      precision: parsePrecision(options.precision),
      relative: options.relative ?? false,
      absolute: options.absolute ?? false,
      method: options.method,
      exact: options.exact ?? false,
      constants: pick(parseConstants(options.const), declared),
      onProgress: ({ fraction, gap }) =>
        progress.show(
          () => `${current}: ${(100 * fraction).toFixed(0)}% of states solved, gap ${gap.toExponential(1)}`,
        ),
    });
  try {
    return asked.map(({ name, text, property }: AskedProperty): Answer => {
      current = name;
      if (property instanceof ForeguardError) return { name, property: text, error: property };
      try {
        checker ??= open();
        return { name, property: text, result: checker.check(property) };
      } catch (error) {
        if (!(error instanceof ForeguardError)) throw error;
        return { name, property: text, error };
      }
    });
  } finally {
    progress.clear();
    checker?.free();
  }
}

function statistics(model: Model, components: boolean) {
  const { type, states, columns, initial, warnings } = model;
  return {
    type,
    states,
    choices: model.rowStart.length - 1,
    transitions: columns.length,
    ...(components && { components: countComponents(model) }),
    initial,
    ...(warnings?.length ? { warnings } : {}),
  };
}

function jsonOf({ name, property, result, error }: Answer, { initial, states }: Model): object {
  if (error !== undefined) {
    return {
      name,
      property,
      error: { code: error.code, message: error.message, ...boundsOf(error, initial) },
    };
  }
  const { accuracy, method, iterations } = result as PropertyResult;
  const certified = { accuracy, method, iterations };
  return { name, property, ...valueAsJson(result as PropertyResult, states), ...certified };
}

/** A value as JSON; of states, those that are meant, with their values. */
function valueAsJson(result: PropertyResult, states: number): object {
  switch (result.kind) {
    case 'number': {
      const { value, lower, upper, exact } = result;
      return { value, lower, upper, ...(exact && { exact: exact.toString() }) };
    }
    case 'range': {
      const { value, lower, upper } = result;
      return { value, lower, upper };
    }
    case 'truth':
      return { value: result.value };
    case 'states': {
      const { value, holds, open, lower, upper } = result;
      const members = [...result.states];
      if (holds) {
        return {
          value,
          states: members.filter((state) => holds.has(state)),
          ...(open && open.count() > 0 && { undecided: [...open] }),
        };
      }
      return {
        value,
        states: members.map((state) => ({ state, lower: lower?.[state], upper: upper?.[state] })),
        ...(members.length < states && { of: states }),
      };
    }
  }
}

function exitCodeOf(answers: readonly Answer[]): 0 | 1 | 2 | 3 {
  const codes = answers.flatMap(({ error }) => (error ? [error.code] : []));
  if (codes.some((code) => code === 'undecided' || code === 'not-converged' || code === 'kernel-error'))
    return 3;
  if (codes.length > 0) return 2;
  const yesNo = answers.every(({ result }) => result?.kind === 'truth');
  return yesNo && answers.some(({ result }) => result?.value === false) ? 1 : 0;
}

/** States shown of those that a filter prints. */
const SHOWN_STATES = 20;

function describe({ result, error }: Answer): string {
  if (result === undefined) return `error: ${error?.message}`;
  const how = `(${result.accuracy}, ${result.method})`;
  switch (result.kind) {
    case 'truth':
      return `${result.value} ${how}`;
    case 'number': {
      const { value, lower, upper, exact } = result;
      if (exact) return `${exact} = ${formatNumber(value)} ${how}`;
      return `${formatNumber(value)}  in [${lower}, ${upper}] ${how}`;
    }
    case 'range': {
      const { value, lower, upper } = result;
      return `${formatNumber(value.min)} to ${formatNumber(value.max)}  in [${lower}, ${upper}] ${how}`;
    }
    case 'states': {
      const { holds, lower, upper } = result;
      const shown = [...result.states].filter((state) => holds?.has(state) ?? true);
      const lines = shown
        .slice(0, SHOWN_STATES)
        .map((state) => (holds ? `${state}` : `${state}: [${lower?.[state]}, ${upper?.[state]}]`));
      const more = shown.length > SHOWN_STATES ? [`… ${shown.length - SHOWN_STATES} more`] : [];
      return [`${plural(shown.length, 'state')} ${how}`, ...lines, ...more].join('\n  ');
    }
  }
}

function boundsOf(error: ForeguardError, initial: readonly number[]): { lower?: number; upper?: number } {
  if (error instanceof UndecidedError) return { lower: error.lower, upper: error.upper };
  if (!(error instanceof NotConvergedError)) return {};
  return {
    lower: Math.min(...initial.map((state) => error.lower[state])),
    upper: Math.max(...initial.map((state) => error.upper[state])),
  };
}
