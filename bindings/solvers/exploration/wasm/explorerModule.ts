import { NO_ACTION } from '../../model/index.js';
import type { CompiledProbability } from '../probability.js';
import type { System } from '../system.js';
import { addSingle, expressionsIn, orEnd, type Workshop } from './choices.js';
import {
  type Code,
  call,
  f64,
  get,
  giveBack,
  i32,
  ifElse,
  ifThen,
  type Local,
  set,
  whileLoop,
} from './code.js';
import { addCombinations, addJoint } from './combinations.js';
import { asDouble, type MathImports } from './expressions.js';
import {
  type Buffers,
  Cell,
  ended,
  increment,
  layOutBuffers,
  Outcome,
  read,
  StaticMemory,
  write,
} from './layout.js';
import { type FunctionBuilder, ModuleBuilder } from './moduleBuilder.js';
import { ProbabilityTables } from './probabilities.js';
import { addRowFunctions } from './rows.js';
import { addStateSet } from './stateSet.js';

/** A module that explores one model, not yet compiled, with the data that its caller needs. */
export interface ExplorerModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly buffers: Buffers;
  /** The address of the hash table; the states follow it. */
  readonly slots: number;
  readonly tables: ProbabilityTables['tables'];
  /** Evaluated by the import `probability`. */
  readonly probabilities: readonly CompiledProbability[];
}

const PAGE = 65536;

/**
 * Writes the whole search as a module: successors, the set of states, and the rows. It exports
 * `find(words) → state or -1`, `explore() → Outcome`, `rehash()`, and, for use after the search, `label<l>(from, to)` and
 * `reward<r>(from, to)`, which write bits and doubles to the buffer of values.
 *
 * @param rowCapacity the number of rows that the buffers hold
 * @returns undefined if the model needs a feature that only closures support
 */
export function writeExplorer(system: System, rowCapacity: number): ExplorerModule | undefined {
  const hasBundles = system.joints.some(({ parts }) =>
    parts.some((bundles) => bundles.some(({ length }) => length > 1)),
  );
  if (system.intervals || hasBundles) return undefined;
  const module = new ModuleBuilder();
  const memory = new StaticMemory();
  const imports: MathImports = {
    power: module.importFunction('power', ['f64', 'f64'], 'f64'),
    modulo: module.importFunction('modulo', ['f64', 'f64'], 'f64'),
    logarithm: module.importFunction('logarithm', ['f64', 'f64'], 'f64'),
  };
  const probabilities = new ProbabilityTables(module, memory);
  const buffers = layOutBuffers(memory, rowCapacity, system.rewards);
  const states = addStateSet(module, system.words);
  const rows = addRowFunctions(module, buffers, system.model.type === 'dtmc');
  const workshop: Workshop = { system, module, memory, buffers, states, rows, imports, probabilities };
  const mostParts = Math.max(1, ...system.joints.map(({ parts }) => parts.length));
  const combinations = addCombinations(workshop, mostParts);
  const joints = system.joints.map((joint) =>
    joint.parts.length === 1 ? addSingle(joint, workshop) : addJoint(joint, workshop, combinations),
  );
  addExplore(workshop, joints);
  addStateValues(workshop);
  const slots = Math.ceil(memory.end / 64) * 64;
  states.placeSlots(slots);
  return {
    bytes: module.encode(Math.ceil(slots / PAGE)),
    buffers,
    slots,
    tables: probabilities.tables,
    probabilities: probabilities.asked,
  };
}

/** Explores states until none is left or a buffer is full. A state whose outcome is not `Done` leaves no rows behind. */
function addExplore(workshop: Workshop, joints: readonly FunctionBuilder[]): void {
  const { system, module, states, buffers } = workshop;
  const state = module.function(new Array(system.words).fill('i32'), 'i32');
  state.body = exploreState(state, workshop, joints);
  const explore = module.function([], 'i32', 'explore');
  const [at, outcome, rowsBefore, transitionsBefore] = [
    explore.local('i32'),
    explore.local('i32'),
    explore.local('i32'),
    explore.local('i32'),
  ];
  const words = Array.from({ length: system.words }, (_, w) => i32.load(get(at), 4 * w));
  const group = i32.multiply(read(Cell.Groups), i32.constant(4));
  explore.body = [
    whileLoop(i32.lessUnsigned(read(Cell.Explored), read(Cell.Size)), [
      set(rowsBefore, read(Cell.Rows)),
      set(transitionsBefore, read(Cell.Transitions)),
      ifThen(
        i32.atLeastUnsigned(read(Cell.Groups), i32.constant(buffers.rowCapacity)),
        ended(Outcome.BuffersFull),
      ),
      write(Cell.RowBegin, get(transitionsBefore)),
      write(Cell.Choices, i32.constant(0)),
      buffers.rewards.map((structure) =>
        structure === null ? [] : f64.store(i32.constant(structure.earned), f64.constant(0)),
      ),
      set(at, states.address(read(Cell.Explored))),
      set(outcome, call(state, ...words)),
      ifThen(get(outcome), [
        write(Cell.Rows, get(rowsBefore)),
        write(Cell.Transitions, get(transitionsBefore)),
        giveBack(get(outcome)),
      ]),
      i32.store(group, i32.add(read(Cell.RowsBefore), get(rowsBefore)), buffers.rowGroupStart),
      increment(Cell.Groups),
      increment(Cell.Explored),
    ]),
    i32.constant(Outcome.Done),
  ];
}

function exploreState(
  builder: FunctionBuilder,
  workshop: Workshop,
  joints: readonly FunctionBuilder[],
): Code {
  const { system, rows, buffers } = workshop;
  const words: Local[] = Array.from({ length: system.words }, (_, w) => w);
  const expressions = expressionsIn(workshop, builder);
  const outcome = builder.local('i32');
  const deadlock = i32.multiply(read(Cell.Deadlocks), i32.constant(4));
  const loop: Code = [
    orEnd(outcome, call(rows.add, read(Cell.Explored), f64.constant(1))),
    write(Cell.Choices, i32.constant(1)),
    orEnd(outcome, call(rows.endRow, i32.constant(NO_ACTION))),
  ];
  return [
    system.stops.map(({ expression }) =>
      ifThen(expressions.condition(expression), [loop, increment(Cell.Stopped), ended(Outcome.Done)]),
    ),
    joints.map((joint) => orEnd(outcome, call(joint, ...words.map(get)))),
    ifThen(i32.isZero(read(Cell.Choices)), [
      loop,
      i32.store(deadlock, read(Cell.Explored), buffers.deadlocks),
      increment(Cell.Deadlocks),
      ended(Outcome.Done),
    ]),
    system.model.type === 'dtmc' ? orEnd(outcome, call(rows.endRow, i32.constant(NO_ACTION))) : [],
    i32.constant(Outcome.Done),
  ];
}

/** Values of states once all are found: labels as bits, rewards as doubles. */
function addStateValues(workshop: Workshop): void {
  const { system, buffers } = workshop;
  system.labels.forEach(({ expression }, l) => {
    addStateLoop(workshop, `label${l}`, (builder, index) => {
      const holds = expressionsIn(workshop, builder, 2).condition(expression);
      const word = i32.multiply(i32.shiftRight(get(index), i32.constant(5)), i32.constant(4));
      const bit = i32.shiftLeft(holds, i32.and(get(index), i32.constant(31)));
      return i32.store(word, i32.or(i32.load(word, buffers.values), bit), buffers.values);
    });
  });
  system.rewards.forEach(({ states: items }, r) => {
    if (items.length === 0) return;
    addStateLoop(workshop, `reward${r}`, (builder, index) => {
      const expressions = expressionsIn(workshop, builder, 2);
      const sum = builder.local('f64');
      const terms = items.map(({ source }) =>
        ifElse(
          'f64',
          expressions.condition(source.guard),
          f64.add(get(sum), asDouble(expressions.number(source.value))),
          get(sum),
        ),
      );
      return [
        set(sum, f64.constant(0)),
        terms.map((term) => set(sum, term)),
        f64.store(i32.multiply(get(index), i32.constant(8)), get(sum), buffers.values),
      ];
    });
  });
}

/** (from, to) → 0: runs `body` for each of these states; `body` gets the state's number minus `from`. */
function addStateLoop(
  workshop: Workshop,
  name: string,
  body: (builder: FunctionBuilder, index: Local) => Code,
): void {
  const { system, module, states } = workshop;
  const builder = module.function(['i32', 'i32'], 'i32', name);
  const [from, to] = [0, 1];
  const words = Array.from({ length: system.words }, () => builder.local('i32'));
  const [index, at] = [builder.local('i32'), builder.local('i32')];
  builder.body = [
    set(at, states.address(get(from))),
    whileLoop(i32.lessUnsigned(i32.add(get(from), get(index)), get(to)), [
      words.map((word, w) => set(word, i32.load(get(at), 4 * w))),
      body(builder, index),
      set(index, i32.add(get(index), i32.constant(1))),
      set(at, i32.add(get(at), i32.constant(4 * system.words))),
    ]),
    i32.constant(0),
  ];
}
