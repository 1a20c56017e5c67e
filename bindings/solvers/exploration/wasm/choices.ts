import { NO_ACTION } from '../../model/index.js';
import type { CompiledCommand, CompiledUpdate } from '../commands.js';
import { SUM_TOLERANCE } from '../exploreByClosures.js';
import type { Guard } from '../guard.js';
import type { Joint } from '../joint.js';
import type { CompiledProbability } from '../probability.js';
import type { System } from '../system.js';
import { type Code, call, f64, get, giveBack, i32, ifElse, ifThen, type Local, set } from './code.js';
import { asDouble, ExpressionCompiler, type MathImports } from './expressions.js';
import { type Buffers, Cell, ended, increment, Outcome, type StaticMemory } from './layout.js';
import type { FunctionBuilder, ModuleBuilder } from './moduleBuilder.js';
import type { ProbabilityTables } from './probabilities.js';
import type { RowFunctions } from './rows.js';
import type { StateSet } from './stateSet.js';

/** The shared parts from which the code of choices is made. */
export interface Workshop {
  readonly system: System;
  readonly module: ModuleBuilder;
  readonly memory: StaticMemory;
  readonly buffers: Buffers;
  readonly states: StateSet;
  readonly rows: RowFunctions;
  readonly imports: MathImports;
  readonly probabilities: ProbabilityTables;
}

/** Runs code that returns an outcome, and returns that outcome from the function unless it is `Done`. */
export function orEnd(outcome: Local, code: Code): Code {
  return [set(outcome, code), ifThen(get(outcome), giveBack(get(outcome)))];
}

/** The expression compiler of a function whose first parameters are the words of the state. */
export function expressionsIn(
  { system, imports }: Workshop,
  builder: FunctionBuilder,
  firstWord?: Local,
): ExpressionCompiler {
  return new ExpressionCompiler(
    system.scope,
    system.variables,
    imports,
    (type) => builder.local(type),
    firstWord,
  );
}

export function guardCode({ tests, rest }: Guard, expressions: ExpressionCompiler): Code {
  const equations = tests.map(({ word, mask, value }) =>
    i32.equal(
      mask === -1 ? expressions.word(word) : i32.and(expressions.word(word), i32.constant(mask)),
      i32.constant(value),
    ),
  );
  const others = rest.map(({ expression }) => expressions.condition(expression));
  const all = [...equations, ...others];
  if (all.length === 0) return i32.constant(1);
  return all.reduceRight((later, first) => ifElse('i32', first, later, i32.constant(0)));
}

/** An update's change of a word: `(word & keep) | bits`. */
export interface WordChange {
  readonly keep: number;
  /** Null if all written bits are constant. */
  readonly bits: Code | null;
  readonly constantBits: number;
}

/** Checks of the values that an update assigns, and its change of each word. */
export function updateCode(
  { assignments }: CompiledUpdate,
  { system }: Workshop,
  builder: FunctionBuilder,
  expressions: ExpressionCompiler,
): { readonly checks: Code; readonly changes: ReadonlyMap<number, WordChange> } {
  const checks: Code[] = [];
  const changes = new Map<number, WordChange>();
  for (const { index, expression } of assignments) {
    const { type, low, high, word, shift, mask } = system.variables[index];
    const span = high - low;
    let bits: Code;
    let constantBits = 0;
    if (type === 'bool') bits = expressions.condition(expression);
    else {
      const checksBefore = expressions.checks;
      const value = expressions.number(expression);
      const isTotal = expressions.checks === checksBefore;
      if (value.type === 'f64') {
        const result = builder.local('f64');
        const inRange = i32.and(
          i32.and(f64.atLeast(get(result), f64.constant(low)), f64.atMost(get(result), f64.constant(high))),
          f64.equal(f64.floor(get(result)), get(result)),
        );
        checks.push(set(result, value.code), ifThen(i32.isZero(inRange), ended(Outcome.Failed)));
        bits = i32.fromDouble(f64.subtract(get(result), f64.constant(low)));
      } else if (isTotal && value.low === value.high && value.low >= low && value.high <= high) {
        bits = [];
        constantBits = (value.low - low) << shift;
      } else {
        const offset = low === 0 ? value.code : i32.subtract(value.code, i32.constant(low));
        if (value.low >= low && value.high <= high) bits = offset;
        else {
          const result = builder.local('i32');
          checks.push(
            set(result, offset),
            ifThen(i32.greaterUnsigned(get(result), i32.constant(span)), ended(Outcome.Failed)),
          );
          bits = get(result);
        }
      }
    }
    const before = changes.get(word) ?? { keep: -1, bits: null, constantBits: 0 };
    const isConstant = Array.isArray(bits) && bits.length === 0;
    const shifted = shift === 0 ? bits : i32.shiftLeft(bits, i32.constant(shift));
    changes.set(word, {
      keep: before.keep & ~mask,
      bits: isConstant ? before.bits : before.bits === null ? shifted : i32.or(before.bits, shifted),
      constantBits: before.constantBits | constantBits,
    });
  }
  return { checks, changes };
}

/** All bits that a change writes. */
export function bitsOf({ bits, constantBits }: WordChange): Code {
  if (bits === null) return i32.constant(constantBits);
  return constantBits === 0 ? bits : i32.or(bits, i32.constant(constantBits));
}

const isProbability = (value: number): boolean => value >= 0 && value <= 1 + SUM_TOLERANCE;

/** A probability in the state: a constant, or a local that holds it. */
export type ProbabilityValue =
  | { readonly constant: number }
  | { readonly constant: undefined; readonly local: Local };

/**
 * A command's updates, each in the form given by `write`, between checks of their probabilities and of the sum. `write` gets
 * code for the assigned values; updates with probability 0 are skipped.
 */
export function commandCode(
  command: CompiledCommand,
  workshop: Workshop,
  builder: FunctionBuilder,
  write: (update: CompiledUpdate, probability: ProbabilityValue, number: number) => Code,
): Code {
  let constantSum = 0;
  const areConstant = command.updates.every(({ lower }) => lower.constant !== undefined);
  const sum = areConstant ? -1 : builder.local('f64');
  const code = command.updates.map((update, number): Code => {
    const { constant } = update.lower;
    if (constant !== undefined) {
      if (!isProbability(constant)) return ended(Outcome.Failed);
      constantSum += constant;
      return [
        areConstant ? [] : set(sum, f64.add(get(sum), f64.constant(constant))),
        constant === 0 ? [] : write(update, { constant }, number),
      ];
    }
    const local = builder.local('f64');
    const allowed = i32.and(
      f64.atLeast(get(local), f64.constant(0)),
      f64.atMost(get(local), f64.constant(1 + SUM_TOLERANCE)),
    );
    return [
      set(local, probabilityCode(update.lower, workshop, builder)),
      ifThen(i32.isZero(allowed), ended(Outcome.Failed)),
      set(sum, f64.add(get(sum), get(local))),
      ifThen(
        f64.notEqual(get(local), f64.constant(0)),
        write(update, { constant: undefined, local }, number),
      ),
    ];
  });
  if (areConstant) {
    const isOne = constantSum <= 1 + SUM_TOLERANCE && constantSum >= 1 - SUM_TOLERANCE;
    return isOne ? code : [code, ended(Outcome.Failed)];
  }
  const isOne = i32.and(
    f64.atMost(get(sum), f64.constant(1 + SUM_TOLERANCE)),
    f64.atLeast(get(sum), f64.constant(1 - SUM_TOLERANCE)),
  );
  return [set(sum, f64.constant(0)), code, ifThen(i32.isZero(isOne), ended(Outcome.Failed))];
}

function probabilityCode(
  probability: CompiledProbability,
  workshop: Workshop,
  builder: FunctionBuilder,
): Code {
  return workshop.probabilities.code(probability, expressionsIn(workshop, builder), builder);
}

/** Adds the reward of a choice of this action in the state. */
export function earnCode(action: string | null, workshop: Workshop, expressions: ExpressionCompiler): Code {
  const { system, buffers } = workshop;
  return system.rewards.map(({ transitions }, r) => {
    const structure = buffers.rewards[r];
    if (structure === null) return [];
    const earned = i32.constant(structure.earned);
    return transitions
      .filter(({ source }) => source.action === action)
      .map(({ source }) =>
        ifThen(
          expressions.condition(source.guard),
          f64.store(earned, f64.add(f64.load(earned), asDouble(expressions.number(source.value)))),
        ),
      );
  });
}

/** The end of a choice, after its outcomes were added. */
export function endChoice(
  action: number,
  workshop: Workshop,
  expressions: ExpressionCompiler,
  outcome: Local,
): Code {
  const { system, rows } = workshop;
  const name = system.actions[action];
  return [
    increment(Cell.Choices),
    earnCode(name, workshop, expressions),
    system.model.type === 'dtmc'
      ? []
      : orEnd(outcome, call(rows.endRow, i32.constant(name === null ? NO_ACTION : action))),
  ];
}

/** (words) → outcome: the choices of a joint in which a single command is taken. */
export function addSingle(joint: Joint, workshop: Workshop): FunctionBuilder {
  const { system, module, states, rows } = workshop;
  const builder = module.function(new Array(system.words).fill('i32'), 'i32');
  const expressions = expressionsIn(workshop, builder);
  const outcome = builder.local('i32');
  const target = builder.local('i32');
  builder.body = [
    joint.parts[0].map(([command]) =>
      ifThen(guardCode(command.guard, expressions), [
        commandCode(command, workshop, builder, (update, probability) => {
          const { checks, changes } = updateCode(update, workshop, builder, expressions);
          const words = Array.from({ length: system.words }, (_, w) => {
            const change = changes.get(w);
            if (change === undefined) return get(w);
            const kept = change.keep === 0 ? null : i32.and(get(w), i32.constant(change.keep));
            const bits = bitsOf(change);
            return kept === null ? bits : i32.or(kept, bits);
          });
          const value =
            probability.constant !== undefined ? f64.constant(probability.constant) : get(probability.local);
          return [
            checks,
            set(target, call(states.find, ...words)),
            ifThen(i32.less(get(target), i32.constant(0)), ended(Outcome.StatesFull)),
            orEnd(outcome, call(rows.add, get(target), value)),
          ];
        }),
        endChoice(joint.action, workshop, expressions, outcome),
      ]),
    ),
    i32.constant(Outcome.Done),
  ];
  return builder;
}
