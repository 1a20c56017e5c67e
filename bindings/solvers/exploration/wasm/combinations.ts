import { NO_ACTION } from '../../model/index.js';
import type { CompiledCommand } from '../commands.js';
import type { Joint } from '../joint.js';
import {
  bitsOf,
  commandCode,
  earnCode,
  expressionsIn,
  guardCode,
  orEnd,
  updateCode,
  type Workshop,
} from './choices.js';
import { type Code, call, f64, get, i32, ifElse, ifThen, type Local, set, whileLoop } from './code.js';
import { Cell, ended, increment, Outcome, read, type StaticMemory, write } from './layout.js';
import type { FunctionBuilder } from './moduleBuilder.js';

/**
 * Joints of several parts. The updates of each enabled command are computed once, as records: the probability, then for each
 * word the bits to keep and the bits to write. Two recursive functions enumerate the combinations of commands and of their
 * updates. Data that are the same in all states are in the records from the start.
 *
 * A command is described by the start and end of its records. Each part has a list of the descriptions of its enabled commands.
 */
export interface Combinations {
  /** (part, words) → outcome: takes every combination of commands of the parts from this one on. */
  readonly combine: FunctionBuilder;
  /** The start and end of each part's list. */
  readonly lists: number;
}

const recordBytes = (words: number): number => 8 + 8 * words;

/** @param mostParts the largest number of parts of any joint */
export function addCombinations(workshop: Workshop, mostParts: number): Combinations {
  const { module, memory, system } = workshop;
  const words = new Array<'i32'>(system.words).fill('i32');
  const combine = module.function(['i32', ...words], 'i32');
  const distribute = module.function(['i32', 'f64', ...words], 'i32');
  const lists = memory.reserve(mostParts * 8);
  /** The command taken in each part. */
  const taken = memory.reserve(mostParts * 4);
  combine.body = combineBody(combine, distribute, workshop, { lists, taken });
  distribute.body = distributeBody(distribute, workshop, taken);
  return { combine, lists };
}

function combineBody(
  combine: FunctionBuilder,
  distribute: FunctionBuilder,
  workshop: Workshop,
  { lists, taken }: { readonly lists: number; readonly taken: number },
): Code {
  const { system, rows } = workshop;
  const part = 0;
  const words = Array.from({ length: system.words }, (_, w) => get(w + 1));
  const [at, end, outcome] = [combine.local('i32'), combine.local('i32'), combine.local('i32')];
  const offset = (bytes: number): Code => i32.multiply(get(part), i32.constant(bytes));
  const expressions = expressionsIn(workshop, combine, 1);
  const choice: Code = [
    orEnd(outcome, call(distribute, i32.constant(0), f64.constant(1), ...words)),
    increment(Cell.Choices),
    system.actions.map((name, action) => {
      const earn = earnCode(name, workshop, expressions);
      const isEmpty = Array.isArray(earn) && earn.every((code) => Array.isArray(code) && code.length === 0);
      return isEmpty ? [] : ifThen(i32.equal(read(Cell.Action), i32.constant(action)), earn);
    }),
    system.model.type === 'dtmc' ? [] : orEnd(outcome, call(rows.endRow, endedAction(system.actions))),
    ended(Outcome.Done),
  ];
  return [
    ifThen(i32.equal(get(part), read(Cell.Parts)), choice),
    set(at, i32.load(offset(8), lists)),
    set(end, i32.load(offset(8), lists + 4)),
    whileLoop(i32.lessUnsigned(get(at), get(end)), [
      i32.store(offset(4), i32.load(get(at)), taken),
      orEnd(outcome, call(combine, i32.add(get(part), i32.constant(1)), ...words)),
      set(at, i32.add(get(at), i32.constant(4))),
    ]),
    i32.constant(Outcome.Done),
  ];
}

/** The action of a row, none if it has no name. */
function endedAction(actions: readonly (string | null)[]): Code {
  const nameless = actions.indexOf(null);
  const isNameless = i32.equal(read(Cell.Action), i32.constant(nameless));
  return ifElse('i32', isNameless, i32.constant(NO_ACTION), read(Cell.Action));
}

function distributeBody(
  distribute: FunctionBuilder,
  { system, states, rows }: Workshop,
  taken: number,
): Code {
  const [depth, probability] = [0, 1];
  const words = Array.from({ length: system.words }, (_, w) => get(w + 2));
  const [record, end, target, outcome] = [
    distribute.local('i32'),
    distribute.local('i32'),
    distribute.local('i32'),
    distribute.local('i32'),
  ];
  const changed = words.map((word, w) =>
    i32.or(i32.and(word, i32.load(get(record), 8 + 8 * w)), i32.load(get(record), 12 + 8 * w)),
  );
  const deeper = call(
    distribute,
    i32.add(get(depth), i32.constant(1)),
    f64.multiply(get(probability), f64.load(get(record))),
    ...changed,
  );
  return [
    ifThen(i32.equal(get(depth), read(Cell.Parts)), [
      set(target, call(states.find, ...words)),
      ifThen(i32.less(get(target), i32.constant(0)), ended(Outcome.StatesFull)),
      orEnd(outcome, call(rows.add, get(target), get(probability))),
      ended(Outcome.Done),
    ]),
    set(target, i32.load(i32.multiply(get(depth), i32.constant(4)), taken)),
    set(record, i32.load(get(target))),
    set(end, i32.load(get(target), 4)),
    whileLoop(i32.lessUnsigned(get(record), get(end)), [
      ifThen(f64.notEqual(f64.load(get(record)), f64.constant(0)), orEnd(outcome, deeper)),
      set(record, i32.add(get(record), i32.constant(recordBytes(system.words)))),
    ]),
    i32.constant(Outcome.Done),
  ];
}

/** (words) → outcome: the choices of a joint of several parts. */
export function addJoint(
  joint: Joint,
  workshop: Workshop,
  { combine, lists }: Combinations,
): FunctionBuilder {
  const { system, module, memory } = workshop;
  const builder = module.function(new Array(system.words).fill('i32'), 'i32');
  const expressions = expressionsIn(workshop, builder);
  const list = builder.local('i32');
  // All guards come first: if one part has no enabled command, nothing else is evaluated.
  const isEnabled: Code[][] = [];
  const guards = joint.parts.map((bundles): Code => {
    if (bundles.length === 1) {
      isEnabled.push([i32.constant(1)]);
      const guard = guardCode(bundles[0][0].guard, expressions);
      return ifThen(i32.isZero(guard), ended(Outcome.Done));
    }
    const flags = bundles.map(() => builder.local('i32'));
    isEnabled.push(flags.map(get));
    const any = flags.map(get).reduce((left, right) => i32.or(left, right));
    return [
      bundles.map(([{ guard }], c) => set(flags[c], guardCode(guard, expressions))),
      ifThen(i32.isZero(any), ended(Outcome.Done)),
    ];
  });
  const effects = joint.parts.map((bundles, p): Code => {
    const begin = memory.reserve(bundles.length * 4);
    return [
      set(list, i32.constant(begin)),
      bundles.map(([command], c) => {
        const { description, code } = recordsOf(command, workshop, builder, memory);
        return ifThen(isEnabled[p][c], [
          code,
          i32.store(get(list), i32.constant(description)),
          set(list, i32.add(get(list), i32.constant(4))),
        ]);
      }),
      i32.store(i32.constant(lists + 8 * p), i32.constant(begin)),
      i32.store(i32.constant(lists + 8 * p), get(list), 4),
    ];
  });
  const words: Local[] = Array.from({ length: system.words }, (_, w) => w);
  builder.body = [
    guards,
    effects,
    write(Cell.Parts, i32.constant(joint.parts.length)),
    write(Cell.Action, i32.constant(joint.action)),
    call(combine, i32.constant(0), ...words.map(get)),
  ];
  return builder;
}

/** Reserves the records of a command, and makes the code that fills in the parts that depend on the state. */
function recordsOf(
  command: CompiledCommand,
  workshop: Workshop,
  builder: FunctionBuilder,
  memory: StaticMemory,
): { readonly description: number; readonly code: Code } {
  const { system, module } = workshop;
  const expressions = expressionsIn(workshop, builder);
  const bytes = recordBytes(system.words);
  const description = memory.reserve(8);
  const records = memory.reserve(bytes * command.updates.length);
  module.initialise(
    description,
    new Uint8Array(new Uint32Array([records, records + bytes * command.updates.length]).buffer),
  );
  const recordAt = (number: number): number => records + bytes * number;
  // Records with probability 0 are skipped.
  const cleared = command.updates.map(({ lower }, number) =>
    lower.constant === undefined ? f64.store(i32.constant(recordAt(number)), f64.constant(0)) : [],
  );
  const filled = commandCode(command, workshop, builder, (update, probability, number) => {
    const { checks, changes } = updateCode(update, workshop, builder, expressions);
    const record = recordAt(number);
    const initial = new DataView(new ArrayBuffer(bytes));
    if (probability.constant !== undefined) initial.setFloat64(0, probability.constant, true);
    const stores: Code[] = [];
    if (probability.constant === undefined) {
      stores.push(f64.store(i32.constant(record), get(probability.local)));
    }
    for (let w = 0; w < system.words; w++) {
      const change = changes.get(w);
      initial.setInt32(8 + 8 * w, change?.keep ?? -1, true);
      initial.setInt32(12 + 8 * w, change?.constantBits ?? 0, true);
      if (change && change.bits !== null) {
        stores.push(i32.store(i32.constant(record + 12 + 8 * w), bitsOf(change)));
      }
    }
    module.initialise(record, new Uint8Array(initial.buffer));
    return [checks, stores];
  });
  return { description, code: [cleared, filled] };
}
