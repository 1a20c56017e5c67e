import fc from 'fast-check';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import {
  type Annotation,
  createDtmc,
  type Dtmc,
  type DtmcParts,
  type Rewards,
  type Valuations,
} from '../../../bindings/solvers/model/index.js';

/** JSON writes -0 as 0. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
  fc.constantFrom(
    'Goal!',
    'goal_',
    'GOAL!',
    '0',
    '17',
    '__proto__',
    'unknown',
    'a'.repeat(60),
    `${'a'.repeat(60)}b`,
  ),
);

/** What explicit files can hold: names without quotes, no strings, no unknown or missing initial states. */
const plainName = fc
  .stringMatching(/^[a-z][A-Za-z0-9_]{0,6}$/)
  .filter((plain) => plain !== 'init' && plain !== 'deadlock');

function namesOf(explicit: boolean): fc.Arbitrary<string[]> {
  return fc.uniqueArray(explicit ? plainName : name, { maxLength: 4 });
}

const columnOf = {
  bool: fc.boolean(),
  int: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.maxSafeInteger()),
  double: fc.double(),
  string: fc.string({ unit: 'grapheme', maxLength: 3 }),
};
const variableTypes = ['bool', 'int', 'double', 'string'] as const;

function doubles(length: number): fc.Arbitrary<Float64Array> {
  return fc
    .array(finite, { minLength: length, maxLength: length })
    .map((values) => Float64Array.from(values));
}

function uints(length: number): fc.Arbitrary<Float64Array> {
  return fc
    .array(fc.oneof(fc.nat(9), fc.maxSafeNat()), { minLength: length, maxLength: length })
    .map((values) => Float64Array.from(values));
}

function valuations(states: number, explicit: boolean): fc.Arbitrary<Valuations> {
  const variable = fc
    .constantFrom(...variableTypes.filter((type) => !explicit || type !== 'string'))
    .chain((type) =>
      fc
        .array<boolean | number | string>(columnOf[type], { minLength: states, maxLength: states })
        .map((column) => ({ type, column })),
    );
  return fc
    .tuple(namesOf(explicit), fc.array(variable, { minLength: 4, maxLength: 4 }))
    .map(([list, drawn]) => ({
      variables: list.map((variableName, i) => ({ name: variableName, type: drawn[i].type })),
      values: list.map((_, i) => drawn[i].column),
    }));
}

/** Any part of a chain may be there or not: this drops the members that are undefined, and lists that are empty. */
function present<T extends object>(parts: T): T {
  return Object.fromEntries(
    Object.entries(parts).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T;
}

/** Random chains of at most 7 states with labels, valuations of all types, rewards, annotations, unknown states and parameters. */
export function arbitraryDtmc(format: 'umb' | 'explicit' = 'umb'): fc.Arbitrary<Dtmc> {
  const explicit = format === 'explicit';
  const anyName = explicit ? plainName : name;
  return fc
    .integer({ min: 1, max: 7 })
    .chain((states) => {
      const row = fc
        .uniqueArray(fc.nat(states - 1), { minLength: 1 })
        .map((targets) => targets.sort((a, b) => a - b));
      const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: states, maxLength: states });
      const rows = fc.array(fc.tuple(explicit ? row : fc.option(row, { freq: 5 }), weights), {
        minLength: states,
        maxLength: states,
      });
      return fc.tuple(fc.constant(states), rows);
    })
    .chain(([states, rows]) => {
      const branches = rows.reduce((sum, [targets]) => sum + (targets?.length ?? 0), 0);
      const subset = fc.uniqueArray(fc.nat(states - 1)).map((members) => members.sort((a, b) => a - b));
      const rewards: fc.Arbitrary<Rewards> = fc
        .record({ states: fc.option(doubles(states)), branches: doubles(branches), name: anyName })
        .map(({ states: ofStates, ...rest }) => (ofStates ? { ...rest, states: ofStates } : rest));
      const annotation: fc.Arbitrary<Annotation> = fc
        .tuple(
          anyName,
          fc.constantFrom('states' as const, 'branches' as const),
          fc.constantFrom('uint' as const, 'double' as const),
        )
        .chain(([annotationName, appliesTo, type]) =>
          (type === 'uint' ? uints : doubles)(appliesTo === 'states' ? states : branches).map((values) => ({
            name: annotationName,
            appliesTo,
            type,
            values,
          })),
        );
      return fc.record({
        rows: fc.constant(rows),
        initial: explicit ? subset.filter((members) => members.length > 0) : subset,
        labels: fc.tuple(namesOf(explicit), fc.array(subset, { minLength: 4, maxLength: 4 })),
        valuations: fc.option(valuations(states, explicit), { nil: undefined }),
        rewards: fc.uniqueArray(rewards, { maxLength: 2, selector: (r) => r.name }),
        annotations: fc.uniqueArray(annotation, { maxLength: 3, selector: (a) => a.name }),
        parameters: fc.option(json, { nil: undefined }),
      });
    })
    .map(({ rows, labels: [labelNames, members], initial, ...rest }) => {
      const states = rows.length;
      const rowStart = new Uint32Array(states + 1);
      const columns: number[] = [];
      const values: number[] = [];
      rows.forEach(([targets, weights], state) => {
        const total = (targets ?? []).reduce((sum, target) => sum + weights[target], 0);
        for (const target of targets ?? []) {
          columns.push(target);
          values.push(weights[target] / total);
        }
        rowStart[state + 1] = columns.length;
      });
      const unknown = BitSet.where(states, (state) => rows[state][0] === null);
      const used = rest.valuations && rest.valuations.variables.length > 0 ? rest.valuations : undefined;
      return createDtmc({
        rowStart,
        columns: Uint32Array.from(columns),
        values: Float64Array.from(values),
        labels: new Map(labelNames.map((label, i) => [label, BitSet.of(states, members[i])])),
        initial,
        ...(present({
          ...rest,
          valuations: used,
          unknown: unknown.count() > 0 ? unknown : undefined,
        }) as Partial<DtmcParts>),
      });
    });
}
