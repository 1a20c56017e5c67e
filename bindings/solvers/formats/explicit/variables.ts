import type { Valuations, VariableValue } from '../../model/index.js';
import { type ExplicitFile, headerLine } from './lines.js';

/** Reads a `.sta` file: the values of the variables in each state. */
export function readStates(file: ExplicitFile, states: number): Valuations {
  const header = headerLine(file, 'the names of variables, such as: (s,d)');
  const names =
    tuple(header.text) ??
    header.fail(`found ${header.text.trim()}`, 'the names of variables, such as: (s,d)');
  const texts = new Array<readonly string[] | undefined>(states).fill(undefined);
  const expected = `${names.length} values, such as: 3:(${names.map(() => '0').join(',')})`;
  for (const line of file.lines.slice(1)) {
    const [, prefix, rest] =
      /^\s*(\d+)\s*:(.*)$/.exec(line.text) ?? line.fail(`found ${line.words[0]}`, expected);
    const state = Number(prefix);
    const values = tuple(rest);
    if (state >= states) line.fail(`found state ${state}`, `a state from 0 to ${states - 1}`);
    if (texts[state] !== undefined) line.fail(`found state ${state} twice`, 'each state once');
    if (values?.length !== names.length) return line.fail(`found ${rest.trim()}`, expected);
    const wrong = values.find(
      (value) => !/^(true|false|NaN|[+-]?(Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?))$/.test(value),
    );
    if (wrong !== undefined) line.fail(`found ${wrong}`, 'true, false or a number');
    texts[state] = values;
  }
  const missing = texts.indexOf(undefined);
  if (missing >= 0) header.fail(`state ${missing} has no line`, `a line for each of ${states} states`);
  const columns = names.map((_, v) => texts.map((values) => values![v]));
  const types = columns.map(
    (column, v) =>
      typeOf(column) ??
      header.fail(`${names[v]} is sometimes a truth value, sometimes a number`, 'one type', 0),
  );
  return {
    variables: names.map((name, v) => ({ name, type: types[v] })),
    values: columns.map((column, v) =>
      column.map((value): VariableValue => (types[v] === 'bool' ? value === 'true' : Number(value))),
    ),
  };
}

function tuple(text: string): string[] | undefined {
  const inner = /^\s*\((.*)\)\s*$/.exec(text)?.[1];
  return inner?.trim() === '' ? [] : inner?.split(',').map((part) => part.trim());
}

/** The narrowest type that fits all values, because files do not declare types; undefined if none fits. */
function typeOf(values: readonly string[]): 'bool' | 'int' | 'double' | undefined {
  const truths = values.filter((value) => value === 'true' || value === 'false').length;
  if (truths > 0) return truths === values.length ? 'bool' : undefined;
  return values.every((value) => /^[+-]?\d+$/.test(value) && Number.isSafeInteger(Number(value)))
    ? 'int'
    : 'double';
}
