import { NotSupportedError } from '../../../base/errors.js';
import { BitSet } from '../../kernel/index.js';
import type { Model, VariableValue } from '../../model/index.js';
import { numberFormat } from './numberFormat.js';
import type { ExplicitFiles } from './readExplicit.js';

/** The files of one model; reward files come in pairs per structure; a missing half has no entries. */
export interface WrittenExplicit extends Omit<ExplicitFiles, 'source'> {
  readonly lab: string;
  readonly srew: readonly string[];
  readonly trew: readonly string[];
}

/** The format of numbers. */
export interface WriteExplicitOptions {
  /** Significant digits of numbers, 1 to 17. Default: as many as the number needs to be read back exactly. */
  readonly digits?: number;
}

/**
 * Writes a model as PRISM's explicit files, with numbers in PRISM's format. Rewards of choices become rewards of each of their
 * transitions. The format has no place for annotations and parameters; UMB keeps them.
 *
 * @throws NotSupportedError if the model has unknown states, string variables, a label `init` that is not its initial
 * states, no initial state, balls around centres, or names that the format cannot hold
 * @throws InvalidArgumentError if `digits` is not an integer from 1 to 17
 */
export function writeExplicit(model: Model, options: WriteExplicitOptions = {}): WrittenExplicit {
  const unknown = 'unknown' in model ? (model.unknown?.count() ?? 0) : 0;
  if (unknown > 0) refuse(`${unknown} unknown states, which have no row`);
  if ('radius' in model && model.radius) refuse('balls around centres');
  const show = numberFormat(options.digits);
  const rewards = model.rewards ?? [];
  return {
    tra: transitions(model, show),
    lab: labels(model),
    ...(model.valuations && { sta: states(model, show) }),
    srew: rewards.map(({ name, states: values = new Float64Array(0) }) => {
      const lines = Array.from(values, (value, state) => (value === 0 ? [] : [`${state} ${show(value)}`]));
      return rewardFile(name, 'State', `${model.states}`, lines.flat());
    }),
    trew: rewards.map((reward) => {
      const lines = perTransition(model, (row, i) => {
        const value = (reward.choices?.[row] ?? 0) + (reward.branches?.[i] ?? 0);
        return value === 0 ? undefined : show(value);
      });
      return rewardFile(reward.name, 'Transition', sizes(model), lines);
    }),
  };
}

function transitions(model: Model, show: (value: number) => string): string {
  const actions = 'actions' in model ? model.actions : undefined;
  for (const name of actions?.names ?? []) if (/\s/.test(named(name))) refuse(`the action "${name}"`);
  const probability =
    'upper' in model
      ? (i: number) => `[${show(model.lower[i])},${show(model.upper[i])}]`
      : (i: number) => show(model.values[i]);
  const lines = perTransition(model, (row, i) => {
    const name = actions?.names[actions.ofRow[row]];
    return probability(i) + (name === undefined ? '' : ` ${name}`);
  });
  return file([`# Transitions (${model.type.toUpperCase()})`, `${sizes(model)} ${lines.length}`, ...lines]);
}

/** The number of states, and of choices if states may have several. */
function sizes(model: Model): string {
  return `${model.states}${'rowGroupStart' in model ? ` ${model.rowStart.length - 1}` : ''}`;
}

/** Lines `state target …` or `state choice target …`, without the empty ones. */
function perTransition(model: Model, say: (row: number, i: number) => string | undefined): string[] {
  const { states, rowStart, columns } = model;
  const groups = 'rowGroupStart' in model ? model.rowGroupStart : undefined;
  const lines: string[] = [];
  for (let state = 0; state < states; state++) {
    const first = groups ? groups[state] : state;
    for (let row = first; row < (groups ? groups[state + 1] : state + 1); row++) {
      for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
        const said = say(row, i);
        if (said !== undefined)
          lines.push(`${state}${groups ? ` ${row - first}` : ''} ${columns[i]} ${said}`);
      }
    }
  }
  return lines;
}

/** `init` and `deadlock` come first, as in PRISM's own files. */
function labels(model: Model): string {
  if (model.initial.length === 0) refuse('no initial state');
  const initial = BitSet.of(model.states, model.initial);
  if (model.labels.get('init')?.equals(initial) === false)
    refuse('a label "init" that is not its initial states');
  const all = new Map([['init', initial], ['deadlock', new BitSet(model.states)], ...model.labels]);
  const names = [...all.keys()].map(named);
  const sets = [...all.values()];
  const lines = ['# Labels', names.map((name, i) => `${i}="${name}"`).join(' ')];
  for (let state = 0; state < model.states; state++) {
    const held = sets.flatMap((set, i) => (set.has(state) ? [i] : []));
    if (held.length > 0) lines.push(`${state}: ${held.join(' ')}`);
  }
  return file(lines);
}

function states(model: Model, show: (value: number) => string): string {
  const { variables, values } = model.valuations!;
  for (const { name, type } of variables) {
    if (type === 'string') refuse(`the string variable "${name}"`);
    if (/[(),\s]/.test(named(name))) refuse(`the variable name "${name}"`);
  }
  const lines = ['# States', `(${variables.map(({ name }) => name).join(',')})`];
  for (let state = 0; state < model.states; state++) {
    lines.push(`${state}:(${variables.map(({ type }, v) => shown(values[v][state], type, show)).join(',')})`);
  }
  return file(lines);
}

/** Doubles keep a decimal point to be read back as doubles. */
function shown(value: VariableValue, type: string, show: (value: number) => string): string {
  if (type === 'bool') return value ? 'true' : 'false';
  if (type !== 'double') return String(value);
  const text = show(value as number);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function rewardFile(name: string, kind: string, sizes: string, lines: readonly string[]): string {
  return file([
    `# Reward structure${name === '' ? '' : ` "${named(name)}"`}`,
    `# ${kind} rewards`,
    `${sizes} ${lines.length}`,
    ...lines,
  ]);
}

function named(name: string): string {
  return /["\r\n]/.test(name) ? refuse(`the name ${JSON.stringify(name)}`) : name;
}

function refuse(what: string): never {
  throw new NotSupportedError(`explicit files cannot hold ${what}; write the model as UMB`);
}

function file(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
