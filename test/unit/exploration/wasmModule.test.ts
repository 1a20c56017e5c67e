import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../../bindings/base/errors.js';
import {
  call,
  f64,
  get,
  i32,
  ifElse,
  set,
  whileLoop,
} from '../../../bindings/solvers/exploration/wasm/code.js';
import { ModuleBuilder } from '../../../bindings/solvers/exploration/wasm/moduleBuilder.js';
import { instantiateGenerated } from '../../../bindings/solvers/kernel/index.js';

function instance(module: ModuleBuilder, imports: Record<string, (x: number) => number> = {}) {
  const made = instantiateGenerated(module.encode(1), imports);
  if (made === undefined) throw new Error('the module is refused');
  return made;
}

describe('generated modules', () => {
  it('hold constants of every size', () => {
    const edges = [0, 63, 64, -64, -65, 127, 128, 8191, 8192, -8193, 2 ** 31 - 1, -(2 ** 31)];
    const integers = fc.oneof(fc.constantFrom(...edges), fc.integer());
    const doubles = fc.oneof(fc.constantFrom(-0, Number.POSITIVE_INFINITY, 5e-324), fc.double());
    fc.assert(
      fc.property(integers, doubles, (integer, double) => {
        const module = new ModuleBuilder();
        module.function([], 'i32', 'integer').body = i32.constant(integer);
        module.function([], 'f64', 'double').body = f64.constant(double);
        const { functions } = instance(module);
        expect(functions.integer()).toBe(integer);
        expect(functions.double()).toBe(double);
      }),
      { numRuns: 100 },
    );
  });

  it('have locals, loops, conditions, calls among themselves and of imports, in many functions', () => {
    const module = new ModuleBuilder();
    const twice = module.importFunction('twice', ['f64'], 'f64');
    const isEven = module.function(['i32'], 'i32');
    isEven.body = i32.isZero(i32.and(get(0), i32.constant(1)));
    const steps = module.function(['i32'], 'i32', 'steps');
    const count = steps.local('i32');
    const halfOrMore = ifElse(
      'i32',
      call(isEven, get(0)),
      i32.shiftRight(get(0), i32.constant(1)),
      i32.add(i32.multiply(get(0), i32.constant(3)), i32.constant(1)),
    );
    steps.body = [
      whileLoop(i32.notEqual(get(0), i32.constant(1)), [
        set(0, halfOrMore),
        set(count, i32.add(get(count), i32.constant(1))),
      ]),
      get(count),
    ];
    for (let i = 0; i < 200; i++) module.function([], 'i32', `number${i}`).body = i32.constant(i);
    module.function(['f64'], 'f64', 'four').body = call(twice, call(twice, get(0)));
    const { functions } = instance(module, { twice: (x) => 2 * x });
    expect(functions.steps(27)).toBe(111);
    expect(functions.number199()).toBe(199);
    expect(functions.four(1.5)).toBe(6);
  });

  it.each([0, 63, 64, 8191, 8192, 65532])('have memory that begins as asked at %i, and grows', (address) => {
    const module = new ModuleBuilder();
    module.initialise(address, new Uint8Array([1, 2, 3, 255]));
    const made = instance(module);
    expect([...new Uint8Array(made.buffer, address, 4)]).toEqual([1, 2, 3, 255]);
    expect(made.grow(200_000)).toBe(true);
    expect(made.buffer.byteLength).toBe(4 * 65536);
    expect(made.grow(100)).toBe(true);
    expect(made.grow(2 ** 33)).toBe(false);
    expect([...new Uint8Array(made.buffer, address, 4)]).toEqual([1, 2, 3, 255]);
  });

  it('are a fault of ours where they are no modules, or import what there is not', () => {
    expect(() => instantiateGenerated(new Uint8Array([0, 1, 2]), {})).toThrow(/generated module is invalid/);
    const module = new ModuleBuilder();
    module.importFunction('absent', ['f64'], 'f64');
    expect(() => instantiateGenerated(module.encode(1), {})).toThrow(KernelError);
  });
});
