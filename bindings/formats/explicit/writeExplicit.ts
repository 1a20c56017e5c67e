import { NotSupportedError } from '../../errors.js';
import { BitSet } from '../../kernel/index.js';
import type { Dtmc, VariableValue } from '../../model/index.js';
import type { ExplicitFiles } from './readExplicit.js';

/** The files of one model; reward files come in pairs of one structure, an absent half without entries. */
export interface WrittenExplicit extends Omit<ExplicitFiles, 'source'> {
  readonly lab: string;
  readonly srew: readonly string[];
  readonly trew: readonly string[];
}

/**
 * Writes a Markov chain as PRISM's explicit files, numbers with as many digits as give them back. Annotations and
 * parameters have no place there; UMB keeps them.
 *
 * @throws NotSupportedError if the model has unknown states, string variables, a label `init` that is not its initial
 * states, no initial state, or names that the format cannot hold
 */
export function writeExplicit(model: Dtmc): WrittenExplicit {
  const unknown = model.unknown?.count() ?? 0;
  if (unknown > 0) refuse(`${unknown} unknown states, which have no row`);
  const rewards = model.rewards ?? [];
  return {
    tra: transitions(model),
    lab: labels(model),
    ...(model.valuations && { sta: states(model) }),
    srew: rewards.map(({ name, states: values }) => {
      const lines = [...(values ?? [])].flatMap((value, state) => (value === 0 ? [] : [`${state} ${value}`]));
      return rewardFile(name, 'State', model.states, lines);
    }),
    trew: rewards.map(({ name, branches }) => {
      const lines = branches ? perTransition(model, branches).filter((line) => !/ -?0$/.test(line)) : [];
      return rewardFile(name, 'Transition', model.states, lines);
    }),
  };
}

function transitions(model: Dtmc): string {
  const lines = perTransition(model, model.values);
  return file(['# Transitions (DTMC)', `${model.states} ${lines.length}`, ...lines]);
}

function perTransition({ states, rowStart, columns }: Dtmc, values: Float64Array): string[] {
  const lines: string[] = [];
  for (let state = 0; state < states; state++) {
    for (let i = rowStart[state]; i < rowStart[state + 1]; i++)
      lines.push(`${state} ${columns[i]} ${values[i]}`);
  }
  return lines;
}

/** `init` and `deadlock` come first, as in PRISM's own files. */
function labels(model: Dtmc): string {
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

function states(model: Dtmc): string {
  const { variables, values } = model.valuations!;
  for (const { name, type } of variables) {
    if (type === 'string') refuse(`the string variable "${name}"`);
    if (/[(),\s]/.test(named(name))) refuse(`the variable name "${name}"`);
  }
  const lines = ['# States', `(${variables.map(({ name }) => name).join(',')})`];
  for (let state = 0; state < model.states; state++) {
    lines.push(`${state}:(${variables.map(({ type }, v) => shown(values[v][state], type)).join(',')})`);
  }
  return file(lines);
}

/** Doubles keep a decimal point, so that they are read back as doubles. */
function shown(value: VariableValue, type: string): string {
  return type === 'double' && Number.isInteger(value)
    ? `${Object.is(value, -0) ? '-0' : value}.0`.replace(/(e.*)\.0$/, '$1')
    : String(value);
}

function rewardFile(name: string, kind: string, count: number, lines: readonly string[]): string {
  return file([
    `# Reward structure "${named(name)}"`,
    `# ${kind} rewards`,
    `${count} ${lines.length}`,
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
