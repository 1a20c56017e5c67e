import type { Formula } from './formula.js';
import { isPlainName } from './reserved.js';
import { printInterval, printWindow } from './window.js';

const symbols = { and: '&', or: '|', implies: '->', iff: '<->' } as const;

/** The precedence of a node; operands with a lower precedence than their place requires get parentheses. */
function precedence(formula: Formula): number {
  switch (formula.kind) {
    case 'binary':
      return 0;
    case 'unary':
      return 1;
    case 'implies':
      return 2;
    case 'iff':
      return 3;
    case 'or':
      return 4;
    case 'and':
      return 5;
    case 'not':
      return 6;
    default:
      return 7;
  }
}

const NOT = 6;

/** Prints a formula as text, with few parentheses, that `parseFormula` reads back to the same tree. */
export function printFormula(formula: Formula): string {
  switch (formula.kind) {
    case 'constant':
      return String(formula.value);
    case 'predicate':
      return isPlainName(formula.name) ? formula.name : JSON.stringify(formula.name);
    case 'comparison':
      return isPlainComparison(formula.source) ? formula.source : `\`${formula.source}\``;
    case 'not':
      return `!${operand(formula.operand, NOT)}`;
    case 'and':
    case 'or':
    case 'iff': {
      const own = precedence(formula);
      return `${operand(formula.left, own)} ${symbols[formula.kind]} ${operand(formula.right, own + 1)}`;
    }
    case 'implies': {
      // A temporal operator to the right of -> needs no parentheses: a -> F b.
      const right = operand(formula.right, formula.right.kind === 'unary' ? 1 : 3);
      return `${operand(formula.left, 3)} -> ${right}`;
    }
    case 'unary':
      return `${formula.operator}${printWindow(formula.window)} ${ofTemporal(formula.operand)}`;
    case 'binary':
      return `${ofTemporal(formula.left)} ${formula.operator}${printWindow(formula.window)} ${ofTemporal(formula.right)}`;
    case 'count': {
      const { window, operand, operator, times } = formula;
      return `count${printInterval(window)}(${printFormula(operand)}) ${operator} ${times}`;
    }
    case 'probability': {
      const bound = formula.bound === null ? '=?' : `${formula.bound.operator}${formula.bound.text}`;
      return `P${bound} [ ${printFormula(formula.path)} ]`;
    }
  }
}

/** Prints an operand of a temporal operator; connectives need parentheses there. */
function ofTemporal(formula: Formula): string {
  return operand(formula, formula.kind === 'unary' ? 1 : NOT);
}

function operand(formula: Formula, least: number): string {
  const text = printFormula(formula);
  return precedence(formula) < least ? `(${text})` : text;
}

/** Whether a comparison can be distinguished from the surrounding formula without backticks. */
function isPlainComparison(source: string): boolean {
  const match =
    /^([\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}_][\p{L}\p{N}_]*)* *(?:<=?|>=?|==|!=) *(?:-?\d+(?:\.\d+)?|([\p{L}_][\p{L}\p{N}_]*))$/u.exec(
      source,
    );
  return match !== null && isPlainName(match[1]) && (match[2] === undefined || isPlainName(match[2]));
}
