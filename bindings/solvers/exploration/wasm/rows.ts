import { type Code, f64, get, giveBack, i32, ifThen, set, whileLoop } from './code.js';
import { type Buffers, Cell, increment, Outcome, read, write } from './layout.js';
import type { FunctionBuilder, ModuleBuilder } from './moduleBuilder.js';

export interface RowFunctions {
  /** (target, probability) → outcome: adds to the current row. */
  readonly add: FunctionBuilder;
  /** (action) → outcome: ends the current row. */
  readonly endRow: FunctionBuilder;
}

/** @param isChain whether a row is the mean of several choices */
export function addRowFunctions(module: ModuleBuilder, buffers: Buffers, isChain: boolean): RowFunctions {
  const add = module.function(['i32', 'f64'], 'i32');
  const endRow = module.function(['i32'], 'i32');
  add.body = addBody(add, buffers);
  endRow.body = endRowBody(endRow, buffers, isChain);
  return { add, endRow };
}

const four = (index: Code): Code => i32.shiftLeft(index, i32.constant(2));
const eight = (index: Code): Code => i32.shiftLeft(index, i32.constant(3));
const done: Code = /* @__PURE__ */ i32.constant(Outcome.Done);

/** Rows are kept sorted by target; equal targets are added up. */
function addBody(add: FunctionBuilder, { columns, values, transitionCapacity }: Buffers): Code {
  const [target, probability] = [0, 1];
  const [end, at, place] = [add.local('i32'), add.local('i32'), add.local('i32')];
  const before = i32.subtract(get(at), i32.constant(1));
  return [
    set(end, read(Cell.Transitions)),
    ifThen(
      i32.atLeastUnsigned(get(end), i32.constant(transitionCapacity)),
      giveBack(i32.constant(Outcome.BuffersFull)),
    ),
    set(at, get(end)),
    // Targets are compared from the end: most are new states, whose numbers are the largest.
    whileLoop(
      i32.and(
        i32.greaterUnsigned(get(at), read(Cell.RowBegin)),
        // Reads at most one word before the first column.
        i32.atLeastUnsigned(i32.load(four(get(at)), columns - 4), get(target)),
      ),
      [
        set(at, before),
        ifThen(i32.equal(i32.load(four(get(at)), columns), get(target)), [
          f64.store(eight(get(at)), f64.add(f64.load(eight(get(at)), values), get(probability)), values),
          giveBack(done),
        ]),
      ],
    ),
    set(place, get(end)),
    whileLoop(i32.greaterUnsigned(get(place), get(at)), [
      i32.store(four(get(place)), i32.load(four(get(place)), columns - 4), columns),
      f64.store(eight(get(place)), f64.load(eight(get(place)), values - 8), values),
      set(place, i32.subtract(get(place), i32.constant(1))),
    ]),
    i32.store(four(get(at)), get(target), columns),
    f64.store(eight(get(at)), get(probability), values),
    write(Cell.Transitions, i32.add(get(end), i32.constant(1))),
    done,
  ];
}

function endRowBody(endRow: FunctionBuilder, buffers: Buffers, isChain: boolean): Code {
  const action = 0;
  const [row, at, choices] = [endRow.local('i32'), endRow.local('i32'), endRow.local('f64')];
  const { values, rowStart, rowAction, rowCapacity, rewards } = buffers;
  const mean: Code = [
    set(choices, f64.fromUnsigned(read(Cell.Choices))),
    ifThen(i32.greaterUnsigned(read(Cell.Choices), i32.constant(1)), [
      set(at, read(Cell.RowBegin)),
      whileLoop(i32.lessUnsigned(get(at), read(Cell.Transitions)), [
        f64.store(eight(get(at)), f64.divide(f64.load(eight(get(at)), values), get(choices)), values),
        set(at, i32.add(get(at), i32.constant(1))),
      ]),
    ]),
  ];
  return [
    set(row, read(Cell.Rows)),
    ifThen(
      i32.atLeastUnsigned(get(row), i32.constant(rowCapacity)),
      giveBack(i32.constant(Outcome.BuffersFull)),
    ),
    i32.store(four(get(row)), i32.add(read(Cell.TransitionsBefore), read(Cell.RowBegin)), rowStart),
    isChain ? mean : i32.store(four(get(row)), get(action), rowAction),
    rewards.map((structure) => {
      if (structure === null) return [];
      const earned = f64.load(i32.constant(structure.earned));
      return [
        f64.store(eight(get(row)), isChain ? f64.divide(earned, get(choices)) : earned, structure.rows),
        f64.store(i32.constant(structure.earned), f64.constant(0)),
      ];
    }),
    increment(Cell.Rows),
    write(Cell.RowBegin, read(Cell.Transitions)),
    done,
  ];
}
