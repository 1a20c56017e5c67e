import { type Code, get, giveBack, i32, ifThen, type Local, set, tee, whileLoop } from './code.js';
import { Cell, read, write } from './layout.js';
import type { FunctionBuilder, ModuleBuilder } from './moduleBuilder.js';

/**
 * The set of states: packed states in sequence, and a hash table of their numbers plus 1 (open addressing, linear probing, at
 * most half full).
 */
export interface StateSet {
  /** (words) → number of the state, a new number if the state is new, or -1 if there is no room. */
  readonly find: FunctionBuilder;
  /** Address of a state by its number. */
  readonly address: (state: Code) => Code;
  /** Sets the address of the hash table; called once static memory is laid out. */
  readonly placeSlots: (at: number) => void;
}

export function addStateSet(module: ModuleBuilder, words: number): StateSet {
  const find = module.function(new Array(words).fill('i32'), 'i32', 'find');
  const rehash = module.function([], 'i32', 'rehash');
  const bytes = words * 4;
  return {
    find,
    address: (state) =>
      i32.add(read(Cell.StatesBase), i32.multiply(i32.add(state, i32.constant(1)), i32.constant(bytes))),
    placeSlots(slots) {
      find.body = findBody(find, words, slots);
      rehash.body = rehashBody(rehash, words, slots);
    },
  };
}

function findBody(find: FunctionBuilder, words: number, slots: number): Code {
  const [slot, found, at] = [find.local('i32'), find.local('i32'), find.local('i32')];
  const word = (w: number): Code => get(w);
  let ifSame: Code = giveBack(i32.subtract(get(found), i32.constant(1)));
  for (let w = words - 1; w >= 0; w--) {
    ifSame = ifThen(i32.equal(i32.load(get(at), w * 4), word(w)), ifSame);
  }
  const number = found;
  return [
    set(
      slot,
      slotOf(
        Array.from({ length: words }, (_, w) => word(w)),
        at,
      ),
    ),
    whileLoop(tee(found, i32.load(get(slot), slots)), [
      set(at, stateAt(get(found), words)),
      ifSame,
      set(slot, nextSlot(get(slot))),
    ]),
    set(number, read(Cell.Size)),
    ifThen(i32.atLeastUnsigned(get(number), read(Cell.Limit)), giveBack(i32.constant(-1))),
    set(at, stateAt(i32.add(get(number), i32.constant(1)), words)),
    Array.from({ length: words }, (_, w) => i32.store(get(at), word(w), w * 4)),
    write(Cell.Size, i32.add(get(number), i32.constant(1))),
    i32.store(get(slot), i32.add(get(number), i32.constant(1)), slots),
    get(number),
  ];
}

/** Enters all states into an empty table. */
function rehashBody(rehash: FunctionBuilder, words: number, slots: number): Code {
  const [state, at] = [rehash.local('i32'), rehash.local('i32')];
  const [slot, hash] = [rehash.local('i32'), rehash.local('i32')];
  const loaded = Array.from({ length: words }, (_, w) => i32.load(get(at), w * 4));
  return [
    whileLoop(i32.lessUnsigned(get(state), read(Cell.Size)), [
      set(state, i32.add(get(state), i32.constant(1))),
      set(at, stateAt(get(state), words)),
      set(slot, slotOf(loaded, hash)),
      whileLoop(i32.load(get(slot), slots), set(slot, nextSlot(get(slot)))),
      i32.store(get(slot), get(state), slots),
    ]),
    i32.constant(0),
  ];
}

/** Address of a state by its number plus 1. */
const stateAt = (successor: Code, words: number): Code =>
  i32.add(read(Cell.StatesBase), i32.multiply(successor, i32.constant(words * 4)));

const nextSlot = (slot: Code): Code => i32.and(i32.add(slot, i32.constant(4)), read(Cell.SlotMask));

/**
 * Offset of the first slot to probe. The upper bits of a product depend on all bits of its factors, but the lower bits do not;
 * the upper bits are therefore mixed into the lower ones after each product.
 */
function slotOf(words: readonly Code[], hash: Local): Code {
  const multiplied = (value: Code, factor: number): Code =>
    set(hash, i32.multiply(value, i32.constant(factor)));
  const mixed = (bits: number): Code => i32.xor(get(hash), i32.shiftRight(get(hash), i32.constant(bits)));
  return [
    set(hash, i32.constant(0)),
    words.map((word) => [multiplied(i32.xor(get(hash), word), 0x9e3779b1), set(hash, mixed(15))]),
    multiplied(get(hash), 0x85ebca6b),
    i32.and(mixed(13), read(Cell.SlotMask)),
  ];
}
