import type { Expression } from '../../languages/expression/index.js';
import { freeNames } from '../../languages/expression/index.js';
import { type Inputs, type InputType, simplest } from '../../languages/inputs/index.js';
import type { Assignment, Claim } from '../decide/index.js';
import { type Model, printScript, repeatOf, type Term, units } from '../smt/index.js';
import { Context, NeedsDoubles } from './context.js';
import { type SymbolicInput, symbolicInput } from './inputs.js';
import { listBounds } from './listBounds.js';
import { Translator } from './translate.js';

/** A question whether some input fulfils a claim, as terms. */
export interface Question {
  readonly context: Context;
  /** What must hold: the claim, the types of inputs, and what variables stand for. */
  readonly assertions: readonly Term[];
  /** The lists of which only the shorter ones are looked at, so that `unsat` proves nothing. */
  readonly shortened: readonly string[];
  /** The variables of each input that the claim reads. */
  readonly inputs: ReadonlyMap<string, SymbolicInput>;
  /** The script that asks for an input, and those with further conditions. */
  script(...further: readonly Term[]): string;
  /** The input that a model describes. */
  read(model: Model): Assignment;
  /** Conditions on texts that make what is found easy to read and to confirm: printable ASCII without upper case, and printable ASCII. */
  readonly readable: readonly Term[];
}

/** Translates a claim over inputs. */
export function questionOf(claim: Claim, inputs: Inputs): Question {
  try {
    return translated(claim, inputs, false);
  } catch (error) {
    if (!(error instanceof NeedsDoubles)) throw error;
    return translated(claim, inputs, true);
  }
}

const READABLE = [units([0x20, 0x40], [0x5b, 0x7e]), units([0x20, 0x7e])].map((one) => repeatOf(one));

function translated(claim: Claim, inputs: Inputs, areDoubles: boolean): Question {
  const context = new Context(areDoubles);
  const { terms } = context;
  const conditions = conditionsOf(claim);
  const names = new Set(conditions.flatMap((condition) => freeNames(condition)));
  const bounds = listBounds(
    conditions.map(({ root }) => root),
    inputs,
  );
  const read = Object.entries(inputs).filter(([name, { type }]) => names.has(name) && !hasRecords(type));
  const opaque = Object.keys(inputs).filter((name) => hasRecords(inputs[name].type));
  const symbolic = new Map(
    read.map(
      ([name, input]) => [name, symbolicInput(context, name, input, bounds.get(name)?.bound ?? 0)] as const,
    ),
  );
  const translator = new Translator(
    context,
    new Map([...symbolic].map(([name, { value }]) => [name, value])),
    new Set(opaque),
  );
  const stated = termOf(claim, context, translator);
  const all = [...symbolic.values()];
  const assertions = [...all.flatMap(({ constraints }) => constraints), ...context.definitions, stated];
  const texts = all.flatMap((one) => one.texts);
  return {
    context,
    assertions,
    shortened: [...bounds]
      .filter(([name, { isComplete }]) => symbolic.has(name) && !isComplete)
      .map(([name]) => name),
    inputs: symbolic,
    script: (...further) => printScript([...assertions, ...further].filter((term) => term !== terms.true)),
    read: (model) => ({
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, { type, optional = false }]) => [
          name,
          optional ? null : simplest(type),
        ]),
      ),
      ...Object.fromEntries([...symbolic].map(([name, one]) => [name, one.read(model)])),
    }),
    readable: READABLE.map((set) => terms.and(...texts.map((text) => terms.isIn(text, set)))),
  };
}

/** Lists of records are not translated: what reads them may have any value. */
function hasRecords(type: InputType): boolean {
  return type.kind === 'list' && type.of.kind === 'record';
}

function conditionsOf(claim: Claim): Expression[] {
  switch (claim.kind) {
    case 'is':
      return [claim.of];
    case 'not':
      return conditionsOf(claim.of);
    default:
      return claim.of.flatMap(conditionsOf);
  }
}

function termOf(claim: Claim, context: Context, translator: Translator): Term {
  const { terms } = context;
  switch (claim.kind) {
    case 'is': {
      const { isTrue, isFalse } = translator.condition(claim.of);
      const isNone = terms.not(terms.or(isTrue, isFalse));
      const values = { true: isTrue, false: isFalse, none: isNone };
      return terms.or(...claim.values.map((value) => values[value]));
    }
    case 'and':
      return terms.and(...claim.of.map((one) => termOf(one, context, translator)));
    case 'or':
      return terms.or(...claim.of.map((one) => termOf(one, context, translator)));
    case 'not':
      return terms.not(termOf(claim.of, context, translator));
  }
}
