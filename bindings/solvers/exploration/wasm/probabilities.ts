import { type CompiledProbability, MAX_TABULATED } from '../probability.js';
import { type Code, call, f64, get, i32, ifThen, set } from './code.js';
import type { ExpressionCompiler } from './expressions.js';
import type { StaticMemory } from './layout.js';
import type { FunctionBuilder, ModuleBuilder } from './moduleBuilder.js';

/** Bytes of all tables together. */
const MAX_BYTES = 1 << 24;

/**
 * Probabilities that depend on the state. JavaScript does the exact arithmetic: once for each combination of values of the
 * variables read if these are few, else in every state.
 */
export class ProbabilityTables {
  /** In the numbering of the import `probability`. */
  readonly asked: CompiledProbability[] = [];
  /** Tables, initially filled with NaN. */
  readonly tables: { readonly at: number; readonly entries: number }[] = [];
  readonly #ask: { readonly index: number };
  #bytes = 0;
  readonly #memory: StaticMemory;

  constructor(module: ModuleBuilder, memory: StaticMemory) {
    this.#memory = memory;
    this.#ask = module.importFunction('probability', ['i32'], 'f64');
  }

  code(probability: CompiledProbability, expressions: ExpressionCompiler, builder: FunctionBuilder): Code {
    const asked = call(this.#ask, i32.constant(this.asked.push(probability) - 1));
    const { combinations, reads } = probability;
    if (combinations > MAX_TABULATED || this.#bytes + combinations * 8 > MAX_BYTES) return asked;
    this.#bytes += combinations * 8;
    const at = this.#memory.reserve(combinations * 8);
    this.tables.push({ at, entries: combinations });
    const [place, value] = [builder.local('i32'), builder.local('f64')];
    const index = reads
      .map(({ variable, stride }) => i32.multiply(expressions.field(variable), i32.constant(stride)))
      .reduce((sum, term) => i32.add(sum, term));
    return [
      set(place, i32.shiftLeft(index, i32.constant(3))),
      set(value, f64.load(get(place), at)),
      ifThen(f64.notEqual(get(value), get(value)), [
        set(value, asked),
        f64.store(get(place), get(value), at),
      ]),
      get(value),
    ];
  }
}
