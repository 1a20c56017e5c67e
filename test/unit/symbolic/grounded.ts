import { compileExpression, parseExpression } from '../../../bindings/languages/expression/index.js';
import type { Inputs } from '../../../bindings/languages/inputs/index.js';
import { evaluateTerm, type Term, type TermValue } from '../../../bindings/solvers/smt/index.js';
import type { Context } from '../../../bindings/solvers/symbolic/context.js';

/** The values of the variables of inputs. */
export function modelOf(
  inputs: Inputs,
  values: Readonly<Record<string, unknown>>,
  areDoubles: boolean,
): Map<string, TermValue> {
  const model = new Map<string, TermValue>();
  const put = (name: string, value: unknown, kind: string) => {
    const isWhole = kind === 'integer' && !areDoubles;
    model.set(name, isWhole ? BigInt(value as number) : (value as TermValue));
  };
  for (const [name, { type, optional = false }] of Object.entries(inputs)) {
    const value = values[name];
    if (optional) model.set(`${name} is there`, value !== null);
    if (value === null) continue;
    if (type.kind !== 'list') put(name, value, type.kind);
    else {
      model.set(`${name} length`, BigInt((value as unknown[]).length));
      for (const [i, one] of (value as unknown[]).entries()) put(`${name} ${i}`, one, type.of.kind);
    }
  }
  return model;
}

/** Whether the three parts of a text are one before, the trimmed one, and one after. */
const parts = (text: string): readonly [string, string, string] => {
  const inside = call('trim(t)', text) as string;
  const at = text.indexOf(inside);
  return [text.slice(0, at), inside, text.slice(at + inside.length)];
};

/** What each variable of the translation stands for, by the functions themselves: no code of the translation. */
const MEANINGS: Readonly<Record<string, (first: string, second: string) => TermValue>> = {
  pairs: (text) => BigInt(text.length - [...text].length),
  before: (text) => parts(text)[0],
  trimmed: (text) => parts(text)[1],
  after: (text) => parts(text)[2],
  lowered: (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  isAddress: (text) => call('domainOf(t)', text) !== undefined,
  local: (text) => text.slice(0, text.indexOf('@')),
  domainAsWritten: (text) => text.slice(text.indexOf('@') + 1),
  isUrl: (text) => call('hostOf(t)', text) !== undefined,
  scheme: (text) => url(text)[1],
  hostAsWritten: (text) => url(text)[2],
  rest: (text) => url(text)[3],
  host: (text) => (call('hostOf(t)', text) as string) ?? '',
  isLess: (a, b) => call('t < u', a, b) as boolean,
};

const url = (text: string): readonly string[] =>
  /^([a-z]+:\/\/)(\[.*?\]|[^:/?#]*)(.*)$/is.exec(text) ?? ['', '', '', ''];

function call(expression: string, t: string, u = ''): unknown {
  try {
    return compileExpression(parseExpression(expression))({ t, u }, {});
  } catch {
    return undefined;
  }
}

/** Adds what the variables stand for; those of parts without a translation, and of patterns, as the caller says. */
export function withStandIns(
  { standIns }: Context,
  model: Map<string, TermValue>,
  otherwise: (what: string, text: TermValue, variable: Term) => TermValue,
): void {
  for (const { variable, what, of } of standIns) {
    const [first, second] = of.map((term) => evaluateTerm(term, model)) as [string, string];
    const meaning = MEANINGS[what];
    model.set(
      (variable as Extract<Term, { kind: 'variable' }>).name,
      meaning === undefined ? otherwise(what, first, variable) : meaning(first, second),
    );
  }
}
