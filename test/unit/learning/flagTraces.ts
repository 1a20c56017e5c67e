import fc from 'fast-check';
import { Abstraction, type ConstraintDefinitions } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';

/** Predicates p0, p1, …: field p<i> of the state. */
export function overFlags(predicates: number, constraints: ConstraintDefinitions = {}): Abstraction {
  return new Abstraction({
    predicates: Array.from({ length: predicates }, (_, i) => ({ name: `p${i}`, expression: `p${i}` })),
    constraints,
  });
}

/** A trace through valuations written `10` (p0 holds, p1 does not), cut if it ends in `…`. */
export function trace(path: string, id = path): Trace {
  const complete = !path.endsWith('…');
  const valuations = path.split(' ').filter((word) => word !== '' && word !== '…');
  return {
    id,
    complete,
    steps: valuations.map((bits) => ({
      state: Object.fromEntries([...bits].map((bit, i) => [`p${i}`, bit === '1'])),
    })),
  };
}

/** Random traces over `predicates` flags; the last flag alone varies where there are many, so that states recur. */
export function randomTraces(predicates: number, minLength = 0): fc.Arbitrary<Trace[]> {
  const bits = fc
    .tuple(fc.nat(3), fc.nat(7))
    .map(([low, high]) =>
      Array.from({ length: predicates }, (_, i) =>
        i < 2 ? (low >> i) & 1 : i >= predicates - 1 ? high & 1 : 0,
      ).join(''),
    );
  const one = fc
    .tuple(fc.array(bits, { minLength, maxLength: 12 }), fc.boolean())
    .map(([path, complete]) => trace(complete ? path.join(' ') : `${path.join(' ')} …`));
  return fc.array(one, { minLength: 1, maxLength: 12 });
}

/** State names of a learnt chain over flags: `start`, valuations as `10`, `end`. */
export function stateNames({ states, valuations }: Dtmc): string[] {
  const bits = valuations!.values.slice(0, -1);
  return Array.from({ length: states }, (_, s) =>
    s === 0 ? 'start' : s === states - 1 ? 'end' : bits.map((values) => (values[s] ? 1 : 0)).join(''),
  );
}

/** Row `name` of a learnt chain as an object: target name to probability. */
export function rowOf(model: Dtmc, name: string): Record<string, number> {
  const names = stateNames(model);
  const s = names.indexOf(name);
  const row: Record<string, number> = {};
  for (let i = model.rowStart[s]; i < model.rowStart[s + 1]; i++)
    row[names[model.columns[i]]] = model.values[i];
  return row;
}
