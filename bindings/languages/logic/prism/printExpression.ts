import type { PrismExpression, Question, RewardPath, StepBound } from './expression.js';
import { isBuiltIn, operatorLevels } from './parseExpression.js';

/** Precedence of constructs other than binary operators, on the scale of `operatorLevels`. */
const Level = {
  anything: -3,
  temporal: -2,
  conditional: -1,
  not: 3.5,
  power: 8,
  minus: 9,
  operand: 10,
} as const;

/**
 * Prints an expression in PRISM's syntax, with only the necessary brackets and a few that help the reader. Parsing the text gives the same
 * tree: a law of `test/laws`.
 */
export function printPrismExpression(expression: PrismExpression): string {
  return print(expression, Level.anything);
}

function print(expression: PrismExpression, least: number): string {
  const { text, level } = printed(expression);
  return level < least ? `(${text})` : text;
}

interface Printed {
  readonly text: string;
  readonly level: number;
}

function printed(expression: PrismExpression): Printed {
  switch (expression.kind) {
    case 'number':
      return operand(expression.text);
    case 'boolean':
      return operand(String(expression.value));
    case 'name':
      return operand(expression.name);
    case 'label':
      return operand(`"${expression.name}"`);
    case 'not':
      return { text: `!${print(expression.operand, Level.minus)}`, level: Level.not };
    case 'negate':
      return { text: `-${print(expression.operand, Level.minus)}`, level: Level.minus };
    case 'conditional': {
      const { condition, whenTrue, whenFalse } = expression;
      const text = `${print(condition, 0)} ? ${print(whenTrue, 0)} : ${print(whenFalse, Level.conditional)}`;
      return { text, level: Level.conditional };
    }
    case 'call':
      return operand(`${expression.function}(${list(expression.operands)})`);
    case 'binary': {
      const { operator, left, right } = expression;
      if (operator === '^')
        return { text: `${print(left, Level.minus)}^${print(right, Level.power)}`, level: Level.power };
      const level = operatorLevels[operator];
      const text = `${print(left, level)} ${operator} ${print(right, operator === '&' ? Level.not : level + 1)}`;
      return { text, level };
    }
    case 'temporal': {
      const { operator, bound } = expression;
      const text = `${operator}${printBound(bound)} ${behindBound(print(expression.operand, Level.temporal))}`;
      return { text, level: Level.temporal };
    }
    case 'until': {
      const { operator, left, right, bound } = expression;
      const text = `${print(left, Level.operand)} ${operator}${printBound(bound)} ${pathOperand(right)}`;
      return { text, level: Level.anything };
    }
    case 'probability':
      return operand(`P${printQuestion(expression.question)} [ ${printPrismExpression(expression.path)} ]`);
    case 'steadyState':
      return operand(
        `S${printQuestion(expression.question)} [ ${printPrismExpression(expression.operand)} ]`,
      );
    case 'reward': {
      const { structure, question, path } = expression;
      const time = structure !== null && 'time' in structure;
      const which =
        structure === null || time
          ? ''
          : `{${'name' in structure ? `"${structure.name}"` : printPrismExpression(structure.index)}}`;
      return operand(`${time ? 'T' : 'R'}${which}${printQuestion(question)} [ ${printRewardPath(path)} ]`);
    }
    case 'quantified':
      return operand(`${expression.quantifier} [ ${printPrismExpression(expression.path)} ]`);
    case 'coalition': {
      const { quantifier, players } = expression;
      const named = players === '*' ? '*' : players.map(printPlayer).join(',');
      const text = `${quantifier.slice(0, 2)}${named}${quantifier.slice(2)} ${printPrismExpression(expression.operand)}`;
      // A prefix operator extends over everything that follows.
      return { text, level: Level.anything };
    }
    case 'filter': {
      const { operator, states } = expression;
      return operand(
        `filter(${operator}, ${list(states ? [expression.operand, states] : [expression.operand])})`,
      );
    }
    case 'multi':
      return operand(`multi(${list(expression.operands)})`);
  }
}

function operand(text: string): Printed {
  return { text, level: Level.operand };
}

function list(expressions: readonly PrismExpression[]): string {
  return expressions.map(printPrismExpression).join(', ');
}

/** After a release, `min` or `max` would turn its R into a reward operator. */
function pathOperand(expression: PrismExpression): string {
  return expression.kind === 'call'
    ? `(${print(expression, Level.anything)})`
    : print(expression, Level.operand);
}

function printBound(bound: StepBound | null): string {
  if (bound === null) return '';
  const { lower, lowerStrict, upper, upperStrict } = bound;
  if (lower && upper) return `[${printPrismExpression(lower)},${printPrismExpression(upper)}]`;
  if (lower) return `${lowerStrict ? '>' : '>='}${simple(lower)}`;
  return upper ? `${upperStrict ? '<' : '<='}${simple(upper)}` : '';
}

/** Adds brackets before a minus, which would continue the bound. */
function behindBound(text: string): string {
  return text.startsWith('-') ? `(${text})` : text;
}

/** A bound without brackets is a number or a name that is not a function; the text after it belongs to the operand. */
function simple(expression: PrismExpression): string {
  const asCall = expression.kind === 'call' || (expression.kind === 'name' && isBuiltIn(expression.name));
  return asCall ? `(${printPrismExpression(expression)})` : print(expression, Level.operand);
}

function printQuestion({ directions, comparison, threshold }: Question): string {
  const asked =
    comparison === null || threshold === null ? '=?' : `${comparison}${print(threshold, Level.operand)}`;
  return directions.join('') + asked;
}

function printRewardPath(path: RewardPath): string {
  switch (path.kind) {
    case 'reach':
      return printPrismExpression(path.path);
    case 'cumulative':
      return path.bound === null ? 'C' : `C${path.strict ? '<' : '<='}${printPrismExpression(path.bound)}`;
    case 'instantaneous':
      return `I=${printPrismExpression(path.time)}`;
    case 'longRun':
      return 'S';
  }
}

function printPlayer(player: string): string {
  return /^(?:[A-Za-z_]\w*|\d+)$/.test(player) ? player : `"${player}"`;
}
