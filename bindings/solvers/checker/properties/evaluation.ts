import { NotSupportedError } from '../../../base/errors.js';
import type { Rational } from '../../../base/rational.js';
import { nearestName } from '../../../base/suggest.js';
import {
  type BuiltIn,
  compileCondition,
  compileNumber,
  evaluateExactly,
  expressionError,
  type PrismExpression,
  partsOf,
  type StepBound,
  typeOf,
} from '../../../languages/logic/index.js';
import { BitSet } from '../../kernel/index.js';
import type { ArithmeticOperator } from './arithmetic.js';
import { type PropertyContext, requireConstants } from './context.js';
import type { OperatorOptions } from './decideEvent.js';
import type { Engines } from './engines.js';
import { broadcast, type FilterResult, filtered } from './filters.js';
import {
  type Comparison,
  calculate,
  choose,
  compareValues,
  everywhere,
  fraction,
  integers,
  negate,
} from './numberValues.js';
import { type OperandReader, Operators } from './operators.js';
import { isOverVariables } from './parts.js';
import { type Steps, stepsOfBound } from './pathFormula.js';
import { widenDown, widenUp } from './rounding.js';
import {
  and,
  fromStates,
  iff,
  mayHold,
  type NumberValues,
  not,
  or,
  type StateValues,
  type TruthValues,
  together,
  truth,
} from './stateValues.js';

type Kind<K extends PrismExpression['kind']> = Extract<PrismExpression, { kind: K }>;

/** Evaluates the expressions of one file of properties over all states of a model, at one precision. */
export class Evaluation implements OperandReader {
  readonly states: number;
  readonly #operators: Operators;
  /** Values already computed for all states, because nested formulas are needed more than once. */
  readonly #known = new Map<PrismExpression, StateValues>();
  /** Labels and properties under evaluation, to detect circular definitions. */
  readonly #open = new Set<string>();
  readonly #engines: Engines;
  readonly #context: PropertyContext;

  constructor(engines: Engines, context: PropertyContext, options: OperatorOptions) {
    this.#engines = engines;
    this.#context = context;
    this.states = engines.model.states;
    this.#operators = new Operators(engines, context, options, this);
  }

  /** @param relevant states in which thresholds must be decided; default: all */
  value(expression: PrismExpression, relevant?: BitSet): StateValues {
    if (relevant !== undefined) return this.#compute(expression, relevant);
    let values = this.#known.get(expression);
    if (values === undefined) {
      values = this.#compute(expression, BitSet.full(this.states));
      this.#known.set(expression, values);
    }
    return values;
  }

  truthOf(expression: PrismExpression, relevant?: BitSet, what = 'this'): TruthValues {
    const values = this.value(expression, relevant);
    if (values.type === 'bool') return values;
    throw this.#wrong(expression, `${what} is a number (${values.type})`, 'a Boolean');
  }

  filtered(node: Kind<'filter'>): FilterResult {
    return filtered(node, this, this.#context, this.states);
  }

  stepsOf(bound: StepBound | null): Steps {
    return stepsOfBound(
      bound,
      (expression) => this.constant(expression).value,
      (...error) => this.#wrong(...error),
    );
  }

  constant(expression: PrismExpression): { value: number; exact?: Rational | undefined } {
    const { scope } = this.#context;
    if (typeOf(expression, scope) === 'bool') throw this.#wrong(expression, 'a Boolean', 'a number');
    const exact = evaluateExactly(expression, scope) as Rational | undefined;
    return { value: exact ? exact.toNumber() : compileNumber(expression, scope)([]), exact };
  }

  #compute(expression: PrismExpression, relevant: BitSet): StateValues {
    if (isOverVariables(expression)) {
      const values = this.#overVariables(expression);
      if (values !== undefined) return values;
    }
    switch (expression.kind) {
      case 'label':
        return this.#named(expression, relevant);
      case 'not':
        return not(this.truthOf(expression.operand, relevant));
      case 'negate':
        return negate(this.#numberOf(expression.operand, relevant));
      case 'binary':
        return this.#binary(expression, relevant);
      case 'conditional':
        return this.#conditional(expression, relevant);
      case 'call':
        return this.#call(expression, relevant);
      case 'name':
        return this.value(this.#context.scope.formulas.get(expression.name) as PrismExpression, relevant);
      case 'temporal':
      case 'until':
        throw this.#wrong(
          expression,
          `${expression.operator} speaks of paths, and stands where a formula about states belongs`,
          'P, A or E around it, as in P=? [ … ]',
        );
      case 'probability':
      case 'reward':
      case 'steadyState':
        return this.#operators.value(expression, relevant, false);
      case 'quantified':
        return this.#operators.quantified(expression);
      case 'coalition':
        return this.#coalition(expression, relevant);
      case 'filter':
        return broadcast(this.filtered(expression), this.states, expression, this.#context);
      case 'multi':
        if (expression.operands.length === 1) return this.value(expression.operands[0], relevant);
        throw new NotSupportedError('several objectives at once (multi) are not supported');
      default:
        throw this.#wrong(expression, 'this has no value');
    }
  }

  /** Evaluates an expression over variables alone in one pass; undefined if rounding must be tracked operator by operator. */
  #overVariables(expression: PrismExpression): StateValues | undefined {
    const { scope, variables } = this.#context;
    const type = typeOf(expression, scope);
    if (!this.#hasVariables(expression)) {
      const exact = evaluateExactly(expression, scope);
      if (typeof exact === 'boolean') {
        return truth(exact ? BitSet.full(this.states) : new BitSet(this.states));
      }
      if (exact !== undefined)
        return fraction(this.states, exact, type === 'int' ? 'int' : 'double', fromStates);
      if (type === 'bool')
        return truth(
          compileCondition(expression, scope)([]) ? BitSet.full(this.states) : new BitSet(this.states),
        );
      const value = compileNumber(expression, scope)([]);
      const bounds = { lower: widenDown(value), upper: widenUp(value) };
      return everywhere(this.states, bounds, type, { ...fromStates, accuracy: 'bounded' });
    }
    if (variables === undefined) {
      throw this.#wrong(expression, 'the states of this model have no variables', 'labels, in double quotes');
    }
    const values = new Float64Array(variables.variables.length);
    if (type === 'bool') {
      const holds = compileCondition(expression, scope);
      return truth(
        BitSet.where(this.states, (s) => {
          variables.read(s, values);
          return holds(values);
        }),
      );
    }
    if (type === 'double' && expression.kind !== 'name') return undefined;
    if (type === 'double' && scope.formulas.has((expression as Kind<'name'>).name)) return undefined;
    const number = compileNumber(expression, scope);
    const numbers = new Float64Array(this.states);
    for (let s = 0; s < this.states; s++) {
      variables.read(s, values);
      numbers[s] = number(values);
    }
    return { ...integers(numbers, fromStates), type };
  }

  #hasVariables(expression: PrismExpression): boolean {
    if (expression.kind !== 'name') return partsOf(expression).some((part) => this.#hasVariables(part));
    const { variables, formulas } = this.#context.scope;
    if (variables.has(expression.name)) return true;
    const formula = formulas.get(expression.name);
    return formula !== undefined && this.#hasVariables(formula);
  }

  /** `"name"`: a label of the file, another property of it, or a label of the model. */
  #named(node: Kind<'label'>, relevant: BitSet): StateValues {
    const { name } = node;
    const { labels, properties } = this.#context;
    const { model } = this.#engines;
    // A property may have the name of a label that it asks about.
    const inner = labels.get(name) ?? (model.labels.has(name) ? undefined : properties.get(name));
    if (inner !== undefined) {
      if (this.#open.has(name)) throw this.#wrong(node, `"${name}" is defined by itself`);
      this.#open.add(name);
      try {
        requireConstants(this.#context, inner);
        return labels.has(name) ? this.truthOf(inner, undefined, `"${name}"`) : this.value(inner, relevant);
      } finally {
        this.#open.delete(name);
      }
    }
    const members = model.labels.get(name);
    if (members) return truth(members);
    if (name === 'init') return truth(BitSet.of(this.states, model.initial));
    if (name === 'deadlock') return truth(new BitSet(this.states));
    const names = [...labels.keys(), ...model.labels.keys(), ...properties.keys()];
    const nearest = nearestName(name, names);
    const unknown = `there is no label or property "${name}"`;
    if (nearest !== undefined) throw this.#wrong(node, `${unknown}; did you mean "${nearest}"?`);
    if (names.length === 0) throw this.#wrong(node, `${unknown}, and no other`);
    throw this.#wrong(node, unknown, names.map((known) => `"${known}"`).join(', '));
  }

  #numberOf(expression: PrismExpression, relevant: BitSet): NumberValues {
    const values = this.value(expression, relevant);
    if (values.type !== 'bool') return values;
    throw this.#wrong(expression, 'this is a Boolean', 'a number');
  }

  #binary({ operator, left, right }: Kind<'binary'>, relevant: BitSet): StateValues {
    switch (operator) {
      case '&':
        return and(this.truthOf(left, relevant), this.truthOf(right, relevant));
      case '|':
        return or(this.truthOf(left, relevant), this.truthOf(right, relevant));
      case '=>':
        return or(not(this.truthOf(left, relevant)), this.truthOf(right, relevant));
      case '<=>':
        return iff(this.truthOf(left, relevant), this.truthOf(right, relevant));
      case '+':
      case '-':
      case '*':
      case '/':
      case '^':
        return this.#arithmetic(operator, left, right, relevant);
      default:
        return this.#comparison(operator, left, right, relevant);
    }
  }

  #comparison(
    operator: Comparison,
    left: PrismExpression,
    right: PrismExpression,
    relevant: BitSet,
  ): TruthValues {
    if (operator === '=' || operator === '!=') {
      const first = this.value(left, relevant);
      if (first.type === 'bool') {
        const same = iff(first, this.truthOf(right, relevant));
        return operator === '=' ? same : not(same);
      }
    }
    return compareValues(operator, this.#numberOf(left, relevant), this.#numberOf(right, relevant));
  }

  #arithmetic(
    operator: ArithmeticOperator,
    left: PrismExpression,
    right: PrismExpression,
    relevant: BitSet,
  ): NumberValues {
    const [a, b] = [this.#numberOf(left, relevant), this.#numberOf(right, relevant)];
    const whole = operator !== '/' && a.type === 'int' && b.type === 'int';
    return calculate(operator, a, b, whole ? 'int' : 'double');
  }

  #conditional(node: Kind<'conditional'>, relevant: BitSet): StateValues {
    const condition = this.truthOf(node.condition, relevant);
    const whenTrue = this.value(node.whenTrue, relevant);
    const whenFalse = this.value(node.whenFalse, relevant);
    if (whenTrue.type === 'bool' && whenFalse.type === 'bool') {
      // The last conjunct decides states with an open condition in which both cases agree.
      const either = or(and(condition, whenTrue), and(not(condition), whenFalse));
      const both = and(whenTrue, whenFalse);
      return truth(
        either.holds.union(both.holds),
        together(either),
        mayHold(either).difference(either.holds.union(both.holds)),
      );
    }
    if (whenTrue.type !== 'bool' && whenFalse.type !== 'bool') return choose(condition, whenTrue, whenFalse);
    throw this.#wrong(node, `the two cases have types ${whenTrue.type} and ${whenFalse.type}`, 'one type');
  }

  #call({ function: name, operands }: Kind<'call'>, relevant: BitSet): NumberValues {
    const values = operands.map((operand) => this.#numberOf(operand, relevant));
    const fractional = name === 'mod' ? values.findIndex(({ type }) => type === 'double') : -1;
    if (fractional >= 0) throw this.#wrong(operands[fractional], 'mod is applied to a double', 'an int');
    const whole = wholeResult(name, values);
    if (values.length === 1) {
      return name === 'min' || name === 'max' ? values[0] : calculate(name, values[0], values[0], whole);
    }
    return values.reduce((left, right) => calculate(name, left, right, whole));
  }

  #coalition(node: Kind<'coalition'>, relevant: BitSet): StateValues {
    const { players, operand, quantifier } = node;
    if (operand.kind !== 'probability' && operand.kind !== 'reward') {
      throw this.#wrong(operand, `${quantifier} stands before something else`, 'a P or R operator');
    }
    if (players !== '*' && players.length > 0) {
      throw new NotSupportedError(
        `coalitions of some players are for games, which are not supported; there is one player here: write ${quantifier === '<<>>' ? '<<*>>' : '[[*]]'}`,
      );
    }
    // The only player is in the coalition or not: the coalition controls all choices, or none.
    const cooperative = (quantifier === '<<>>') === (players === '*');
    return this.#operators.value(operand, relevant, cooperative);
  }

  #wrong(node: PrismExpression, message: string, expected?: string): Error {
    return expressionError(this.#context.scope, node, message, expected);
  }
}

function wholeResult(name: BuiltIn, values: readonly NumberValues[]): 'int' | 'double' {
  if (name === 'floor' || name === 'ceil' || name === 'round') return 'int';
  return name !== 'log' && values.every(({ type }) => type === 'int') ? 'int' : 'double';
}
