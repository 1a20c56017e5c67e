import type { ExpressionNode } from '../../languages/expression/index.js';
import { FALSE, Language, lengthIs, type Machine, NONE, TRUE } from '../../languages/regular/index.js';
import { machineOfText, reasonOf } from '../../solvers/decide/index.js';
import { constantOf } from './terms.js';

/** The texts of which a predicate is true for certain, and those of which it may be; the same of its negation. */
export interface TextSets {
  readonly sure: Language;
  readonly possible: Language;
  readonly sureNot: Language;
  readonly possibleNot: Language;
}

const OPEN: TextSets = {
  sure: Language.none,
  possible: Language.all,
  sureNot: Language.none,
  possibleNot: Language.all,
};

/** The texts of which an expression over the name `variable` alone is true. Parts that no automaton follows may be anything. */
export function textSets(node: ExpressionNode, variable: string): TextSets {
  const constant = constantOf(node);
  if (constant !== undefined) {
    const [is, isNot] = [constant.value === true, constant.value === false];
    const pick = (one: boolean) => (one ? Language.all : Language.none);
    return { sure: pick(is), possible: pick(is), sureNot: pick(isNot), possibleNot: pick(isNot) };
  }
  if (node.kind === 'unary' && node.operator === '!') return negated(textSets(node.operand, variable));
  if (node.kind === 'logical') {
    const parts = node.operands.map((one) => textSets(one, variable));
    return node.operator === '&&' ? parts.reduce(both) : negated(parts.map(negated).reduce(both));
  }
  return atom(node, variable);
}

function atom(node: ExpressionNode, variable: string): TextSets {
  try {
    return setsOf(machineOfText(node, variable));
  } catch (error) {
    reasonOf(error);
    return OPEN;
  }
}

function setsOf(machine: Machine): TextSets {
  const outcomesOf = (state: number | string) =>
    machine.outcomes(state) | (machine.doubts?.(state) === true ? NONE : 0);
  const where = (holds: (outcomes: number) => boolean) =>
    Language.where({
      sets: machine.sets,
      start: machine.start,
      next: (state, code) => machine.next(state, code),
      outcomes: (state) => (holds(outcomesOf(state)) ? TRUE : FALSE),
    });
  const { exactBelow } = machine;
  const short =
    exactBelow === undefined
      ? Language.all
      : Language.where(lengthIs((length) => length < exactBelow, exactBelow + 1));
  return {
    sure: where((outcomes) => outcomes === TRUE).intersection(short),
    possible: where((outcomes) => (outcomes & TRUE) !== 0),
    sureNot: where((outcomes) => outcomes === FALSE).intersection(short),
    possibleNot: where((outcomes) => (outcomes & FALSE) !== 0),
  };
}

function negated({ sure, possible, sureNot, possibleNot }: TextSets): TextSets {
  return { sure: sureNot, possible: possibleNot, sureNot: sure, possibleNot: possible };
}

function both(a: TextSets, b: TextSets): TextSets {
  return {
    sure: a.sure.intersection(b.sure),
    possible: a.possible.intersection(b.possible),
    sureNot: a.sureNot.union(b.sureNot),
    possibleNot: a.possibleNot.union(b.possibleNot),
  };
}
