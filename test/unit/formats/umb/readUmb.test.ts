import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidModelError, NotSupportedError, ParseError } from '../../../../bindings/base/errors.js';
import { gzip, unpack } from '../../../../bindings/solvers/formats/compression.js';
import { readUmb, writeUmb } from '../../../../bindings/solvers/formats/index.js';
import { openUmb } from '../../../../bindings/solvers/formats/umb/archive.js';
import { readTar, writeTar } from '../../../../bindings/solvers/formats/umb/tar.js';
import { readValuations } from '../../../../bindings/solvers/formats/umb/valuations.js';
import {
  type Dtmc,
  dtmcFromRows,
  type Mdp,
  type Model,
  NO_ACTION,
  requireDtmc,
} from '../../../../bindings/solvers/model/index.js';
import { sharedData } from '../../../shared.js';

type Json = Record<string, unknown>;
type Files = Record<string, number[] | Uint8Array | undefined>;

function uint64s(...values: (number | bigint)[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values, BigInt).buffer);
}

function uint32s(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

function doubles(...values: number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}

const SYSTEM = {
  time: 'discrete',
  '#players': 0,
  '#states': 2,
  '#initial-states': 1,
  '#choices': 2,
  '#choice-actions': 0,
  '#branches': 3,
  '#branch-actions': 0,
  '#observations': 0,
  'branch-probability-type': { type: 'double' },
};

/** 0 → {0: 1/4, 1: 3/4}, 1 absorbing, as another tool might write it: branches not sorted. */
const FILES: Files = {
  'choice-to-branches.bin': uint64s(0, 2, 3),
  'branch-to-target.bin': uint64s(1, 0, 1),
  'branch-to-probability.bin': doubles(0.75, 0.25, 1),
  'state-is-initial.bin': uint64s(1),
};

function umb(files: Files = {}, system: Json = {}, index: Json = {}): Uint8Array {
  const json = JSON.stringify({
    'format-version': 1,
    'format-revision': 0,
    'transition-system': { ...SYSTEM, ...system },
    ...index,
  });
  const entries = Object.entries({ ...FILES, ...files }).flatMap(([name, content]) =>
    content ? [[name, Uint8Array.from(content)] as const] : [],
  );
  return writeTar([['index.json', new TextEncoder().encode(json)], ...entries]);
}

async function read(...parts: Parameters<typeof umb>): Promise<Dtmc> {
  return requireDtmc(await readUmb(umb(...parts), { source: 'm.umb' }));
}

/** 0 chooses a → {0: 1/4, 1: 3/4} or nothing → {1: 1}; 1 has no choice. */
function readMdp(files: Files = {}, system: Json = {}, index: Json = {}): Promise<Model> {
  return readUmb(
    umb(
      {
        'state-to-choices.bin': uint64s(0, 2, 2),
        'actions/choices/values.bin': uint32s(1, 0),
        'actions/choices/string-mapping.bin': uint64s(0, 0, 1),
        'actions/choices/strings.bin': new TextEncoder().encode('a'),
        ...files,
      },
      { '#players': 1, '#choice-actions': 2, ...system },
      index,
    ),
    { source: 'm.umb' },
  );
}

const states = (annotation: Json) => ({ 'applies-to': ['states'], ...annotation });

describe('readUmb', () => {
  it('sorts branches and leaves out what is optional', async () => {
    const model = await read();
    expect([...model.rowStart]).toEqual([0, 2, 3]);
    expect([...model.columns]).toEqual([0, 1, 1]);
    expect([...model.values]).toEqual([0.25, 0.75, 1]);
    expect(Object.keys(model).sort()).toEqual([
      'columns',
      'initial',
      'labels',
      'rowStart',
      'states',
      'type',
      'values',
    ]);
  });

  it('takes state-to-choices, the default of one branch a choice, and index.json behind other files', async () => {
    const model = await read({ 'state-to-choices.bin': uint64s(0, 1, 2) });
    expect([...model.columns]).toEqual([0, 1, 1]);
    const single = { 'choice-to-branches.bin': undefined, 'branch-to-target.bin': uint64s(1, 1) };
    const cycle = await read({ ...single, 'branch-to-probability.bin': doubles(1, 1) }, { '#branches': 2 });
    expect([...cycle.columns]).toEqual([1, 1]);
    const entries = readTar(umb(), 'x');
    expect((await readUmb(writeTar(entries.reverse()), { source: 'x' })).states).toBe(2);
  });

  it('adds up branches to one target; their rewards become the mean and their annotations must agree', async () => {
    const twice = {
      'branch-to-target.bin': uint64s(1, 1, 1),
      'branch-to-probability.bin': doubles(0.75, 0.25, 1),
    };
    const branch = { 'applies-to': ['branches'], type: { type: 'double' } };
    const model = await read(
      { ...twice, 'annotations/rewards/r/branches/values.bin': doubles(4, 8, 1) },
      {},
      { annotations: { rewards: { r: branch } } },
    );
    expect([...model.columns]).toEqual([1, 1]);
    expect([...model.values]).toEqual([1, 1]);
    expect([...(model.rewards?.[0].branches ?? [])]).toEqual([5, 1]);
    const differing = read(
      { ...twice, 'annotations/foreguard/n/branches/values.bin': doubles(4, 8, 1) },
      {},
      { annotations: { foreguard: { n: branch } } },
    );
    await expect(differing).rejects.toThrow(/m\.umb: state 0 has two branches to state 1 .* "n" \(4 and 8\)/);
  });

  it('gives a deadlock a self-loop, a warning and the label deadlock', async () => {
    const model = await read(
      {
        'choice-to-branches.bin': uint64s(0, 2, 2),
        'branch-to-target.bin': uint64s(0, 1),
        'branch-to-probability.bin': doubles(0.5, 0.5),
      },
      { '#branches': 2 },
    );
    expect([...model.columns]).toEqual([0, 1, 1]);
    expect([...(model.labels.get('deadlock') ?? [])]).toEqual([1]);
    expect(model.warnings).toEqual(['a state has no transitions and got a self-loop: 1']);
  });

  it('reads rational probabilities as the nearest doubles', async () => {
    const third = [...uint64s(1, 3)];
    const twoThirds = [...uint64s(2, 3)];
    const model = await read(
      { 'branch-to-probability.bin': [...twoThirds, ...third, ...uint64s(5, 5)] },
      { 'branch-probability-type': { type: 'rational', size: 128 } },
    );
    expect([...model.values]).toEqual([1 / 3, 2 / 3, 1]);
    expect(model.warnings).toEqual([
      'its probabilities are rationals; they were read as the nearest doubles',
    ]);
    const wide = (n: bigint, d: bigint) => [...uint64s(n, 0), ...uint64s(d, 0)];
    const big = 2n ** 60n;
    const wider = await read(
      {
        'branch-to-probability.bin': [
          ...wide(3n * big, 4n * big - 1n),
          ...wide(big, 4n * big),
          ...wide(1n, 1n),
        ],
      },
      { 'branch-probability-type': { type: 'rational', size: 256 } },
    );
    expect([...wider.values]).toEqual([0.25, 0.75, 1]);
    const zero = read(
      { 'branch-to-probability.bin': [...twoThirds, ...third, ...uint64s(5, 0)] },
      { 'branch-probability-type': { type: 'rational' } },
    );
    await expect(zero).rejects.toThrow(/branch-to-probability\.bin entry 2 is 5\/0/);
  });

  it('reads rewards on choices', async () => {
    const model = await read(
      { 'annotations/rewards/r/choices/values.bin': doubles(3, 4) },
      {},
      {
        annotations: {
          rewards: { r: { alias: 'steps', 'applies-to': ['choices'], type: { type: 'double' } } },
        },
      },
    );
    expect(model.rewards?.[0].name).toBe('steps');
    expect([...(model.rewards?.[0].choices ?? [])]).toEqual([3, 4]);
  });

  it('reads signed and rational annotations as doubles, and leaves out with a warning what a chain has no place for', async () => {
    const model = await read(
      {
        'annotations/foreguard/i/states/values.bin': uint64s(2n ** 64n - 5n, 6),
        'annotations/other/r/states/values.bin': uint64s(1, 4, 1, 2),
      },
      { '#branch-actions': 1 },
      {
        annotations: {
          foreguard: { i: states({ type: { type: 'int' } }) },
          other: {
            r: states({ type: { type: 'rational' } }),
            s: states({ type: { type: 'string' }, '#strings': 1 }),
          },
        },
      },
    );
    expect(model.annotations?.map(({ name, type, values }) => [name, type, [...values]])).toEqual([
      ['i', 'double', [-5, 6]],
      ['other/r', 'double', [0.25, 0.5]],
    ]);
    expect(model.warnings).toEqual([
      'the actions of branches were left out: choices alone have names',
      'annotations/other/s (string on states) was left out: a model has no place for it',
    ]);
  });

  it('reads the packed valuations of the specification, optional values and offsets included', async () => {
    // The specification's first example is state 0, but for v1: its text puts the bit of presence before (below) the
    // value, as Storm does, where its example puts it above. State 1 has all bits 0 but for v2.
    const first = [0b11011101, 0b01000000, 0, 0, 0, 0, 0, 0, 0, 0b01000000, 0];
    const second = [0, 0b10000000, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const variables = [
      { name: 'v0', type: { type: 'bool', size: 2 } },
      { name: 'v1', type: { type: 'uint', size: 6 }, 'is-optional': true, offset: -30 },
      { padding: 5 },
      { name: 'v2', type: { type: 'string', size: 64 } },
      { name: 'v3', type: { type: 'bool', size: 3 } },
      { padding: 7 },
    ];
    const model = await read(
      {
        'valuations/states/valuations.bin': [...first, ...second],
        'valuations/states/string-mapping.bin': uint64s(0, 3, 5, 6),
        'valuations/states/strings.bin': new TextEncoder().encode('xyzabc'),
      },
      {},
      { valuations: { states: { unique: true, '#strings': 3, classes: [{ variables }] } } },
    );
    expect(model.valuations?.variables.map(({ type }) => type)).toEqual(['bool', 'int', 'string', 'bool']);
    expect(model.valuations?.values).toEqual([
      [true, false],
      [-3, 0],
      ['ab', 'c'],
      [true, false],
    ]);
    expect(model.warnings).toEqual(['variable "v1" has no value in 1 of 2 states; 0 was put there']);
  });

  it('reads signed, wide and rational variables', async () => {
    // The second example of the specification: 56 and -16897.
    const struct = [0b10111000, 0b11111111, 0b10111101];
    const variables = [
      { name: 'sv0', type: { type: 'uint', size: 8 }, offset: -128 },
      { name: 'sv1', type: { type: 'int', size: 16 } },
      { name: 'q', type: { type: 'rational', size: 16 } },
      { name: 'w', type: { type: 'int', size: 40 } },
    ];
    const entry = [...struct, 0xff, 4, 0xfe, 0xff, 0xff, 0xff, 0xff];
    const model = await read(
      { 'valuations/states/valuations.bin': [...entry, ...entry] },
      {},
      {
        valuations: { states: { unique: false, classes: [{ variables }] } },
      },
    );
    expect(model.valuations?.values.map((column) => column[0])).toEqual([56, -16897, -0.25, -2]);
  });

  it.each<[string, RegExp, Files, Json?, Json?]>([
    [
      'without probabilities',
      /branch-to-probability\.bin is absent/,
      { 'branch-to-probability.bin': undefined },
    ],
    [
      'with too few probabilities',
      /branch-to-probability\.bin has 16 bytes; by index\.json it has 24/,
      { 'branch-to-probability.bin': doubles(1, 1) },
    ],
    [
      'with too many targets',
      /branch-to-target\.bin has 32 bytes; by index\.json it has 24/,
      { 'branch-to-target.bin': uint64s(0, 0, 0, 0) },
    ],
    [
      'with a target outside',
      /branch-to-target\.bin entry 1 is 2; expected an index below 2/,
      { 'branch-to-target.bin': uint64s(0, 2, 0) },
    ],
    [
      'with a target beyond 32 bits',
      /entry 1 is 4294967296; expected/,
      { 'branch-to-target.bin': uint64s(0, 2n ** 32n, 0) },
    ],
    [
      'with rows that descend',
      /choice-to-branches\.bin runs from 0 to 2; expected 0 to 3/,
      { 'choice-to-branches.bin': uint64s(0, 3, 2) },
    ],
    [
      'with a row before the one before',
      /state-to-choices\.bin descends from 2 to 1/,
      { 'state-to-choices.bin': uint64s(0, 2, 1, 2) },
      { '#states': 3 },
    ],
    [
      'without rows',
      /choice-to-branches\.bin is absent, .* 2, but there are 3/,
      { 'choice-to-branches.bin': undefined },
    ],
    [
      'with two choices in a state',
      /gives state 0 2 choices; a chain has one/,
      { 'state-to-choices.bin': uint64s(0, 2, 2) },
    ],
    ['with more states than choices', /state-to-choices\.bin is absent/, {}, { '#states': 2 ** 52 }],
    [
      'with another number of initial states',
      /state-is-initial\.bin marks 1 states; by index\.json 2/,
      {},
      { '#initial-states': 2 },
    ],
    [
      'with a row that does not sum to 1',
      /m\.umb: state 0: its probabilities sum to 0\.75/,
      { 'branch-to-probability.bin': doubles(0.5, 0.25, 1) },
    ],
    [
      'with a probability that is negative',
      /m\.umb: state 0: .* probability -0\.25/,
      { 'branch-to-probability.bin': doubles(-0.25, 1.25, 1) },
    ],
    [
      'with a row of zeros',
      /state 1 has no transitions/,
      { 'branch-to-probability.bin': doubles(0.75, 0.25, 0) },
    ],
    [
      'with probabilities of an odd type',
      /branch-to-probability\.bin holds values of type bool with 1 bits/,
      {},
      { 'branch-probability-type': { type: 'bool' } },
    ],
    [
      'with an unreadable count',
      /transition-system\.#states is "two"; expected an integer/,
      {},
      { '#states': 'two' },
    ],
    ['with no states', /transition-system\.#states is 0; expected at least 1/, {}, { '#states': 0 }],
    [
      'with an unknown time',
      /transition-system\.time is "continuous"; expected one of discrete/,
      {},
      { time: 'continuous' },
    ],
    [
      'with a proposition on choices',
      /annotations\/aps\/g is an atomic proposition/,
      {},
      {},
      { annotations: { aps: { g: { 'applies-to': ['choices'], type: { type: 'bool' } } } } },
    ],
    [
      'with two propositions of one name',
      /second atomic proposition called "g"/,
      {},
      {},
      {
        annotations: {
          aps: { g: states({ type: { type: 'bool' } }), h: states({ alias: 'g', type: { type: 'bool' } }) },
        },
      },
    ],
    [
      'with integer rewards',
      /rewards of type int/,
      {},
      {},
      { annotations: { rewards: { r: states({ type: { type: 'int' } }) } } },
    ],
    [
      'with a count beyond 2^53',
      /n\/states\/values\.bin entry 1 is 9007199254740993; integers beyond/,
      { 'annotations/foreguard/n/states/values.bin': uint64s(0, 2n ** 53n + 1n) },
      {},
      { annotations: { foreguard: { n: states({ type: { type: 'uint' } }) } } },
    ],
    [
      'with annotations that are no object',
      /annotations is \[1\]; expected an object/,
      {},
      {},
      { annotations: [1] },
    ],
    [
      'with valuations that are no whole bytes',
      /has 3 bits a valuation/,
      {},
      {},
      {
        valuations: {
          states: {
            unique: true,
            classes: [{ variables: [{ name: 'x', type: { type: 'uint', size: 3 } }] }],
          },
        },
      },
    ],
    [
      'with a string index outside',
      /gives variable "x" string 7 of 1/,
      {
        'valuations/states/valuations.bin': uint64s(7, 0),
        'valuations/states/string-mapping.bin': uint64s(0, 1),
        'valuations/states/strings.bin': [65],
      },
      {},
      {
        valuations: {
          states: {
            unique: true,
            '#strings': 1,
            classes: [{ variables: [{ name: 'x', type: { type: 'string' } }] }],
          },
        },
      },
    ],
    [
      'with strings that are no UTF-8',
      /strings\.bin string 0 is no UTF-8/,
      {
        'valuations/states/valuations.bin': uint64s(0, 0),
        'valuations/states/string-mapping.bin': uint64s(0, 1),
        'valuations/states/strings.bin': [0xff],
      },
      {},
      {
        valuations: {
          states: {
            unique: true,
            '#strings': 1,
            classes: [{ variables: [{ name: 'x', type: { type: 'string' } }] }],
          },
        },
      },
    ],
  ])('refuses a file %s', async (_, message, files, system, index) => {
    const error = await read(files, system, index).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidModelError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain('m.umb');
  });

  it('refuses bytes that are no UMB file, are damaged, or lack index.json', async () => {
    const refused = (bytes: Uint8Array) => expect(readUmb(bytes, { source: 'm.umb' })).rejects;
    await refused(new Uint8Array(0)).toThrow(/m\.umb: neither a tar archive nor/);
    await refused(await gzip(new Uint8Array(2000))).toThrow(/neither a tar archive nor/);
    await refused((await gzip(umb())).subarray(0, 200)).toThrow(
      /m\.umb: its gzip data are damaged or cut off/,
    );
    await refused(writeTar([['a.bin', new Uint8Array(1)]])).toThrow(/has no index\.json.*found: a\.bin/);
    await refused(writeTar([['index.json', new TextEncoder().encode('{\n  "a": ]\n}')]])).toThrow(ParseError);
    await refused(writeTar([['index.json', new TextEncoder().encode('{\n  "a": ]\n}')]])).toThrow(
      /^m\.umb\/index\.json:1:1: not JSON/,
    );
  });

  it('names the command that unpacks xz', async () => {
    const xz = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0);
    await expect(readUmb(xz, { source: 'm.umb' })).rejects.toThrow(NotSupportedError);
    await expect(readUmb(xz, { source: 'm.umb' })).rejects.toThrow('xz -dc m.umb > unpacked-m.umb');
  });

  it('unpacks no more than a limit, and says so', async () => {
    const packed = await gzip(new Uint8Array(1 << 20));
    expect(packed.length).toBeLessThan(2000);
    expect((await unpack(packed, 'm.umb', 1 << 20)).length).toBe(1 << 20);
    const refused = expect(unpack(packed, 'm.umb', (1 << 20) - 1)).rejects;
    await refused.toThrow(NotSupportedError);
    await refused.toThrow(/m\.umb: its \d+ bytes unpack to more than 1048575/);
  });

  it('allocates nothing by a number that index.json alone says', async () => {
    for (const value of [2 ** 32, 2 ** 53 - 1]) {
      for (const count of ['#states', '#choices', '#branches'])
        await expect(read({}, { [count]: value })).rejects.toThrow(InvalidModelError);
      await expect(readMdp({}, { '#choice-actions': value })).rejects.toThrow(InvalidModelError);
    }
  });

  it('reads version 0, from before the specification, with a warning', async () => {
    expect((await read({}, {}, { 'format-version': 0 })).warnings).toEqual([
      'its format-version is 0, from before the specification; it was read as version 1',
    ]);
  });

  it('reads a transition system without chance as a decision process', async () => {
    const model = await readUmb(
      umb(
        {
          'state-to-choices.bin': uint64s(0, 2, 3),
          'choice-to-branches.bin': undefined,
          'branch-to-probability.bin': undefined,
        },
        { '#players': 1, '#choices': 3, 'branch-probability-type': undefined },
      ),
      { source: 'm.umb' },
    );
    expect(model).toMatchObject({
      type: 'mdp',
      rowGroupStart: Uint32Array.of(0, 2, 3),
      columns: Uint32Array.of(1, 0, 1),
    });
    expect((model as Mdp).values).toEqual(Float64Array.of(1, 1, 1));
  });

  it('names the kind of model that it does not read', async () => {
    const kind = (system: Json) => expect(read({}, system)).rejects;
    await kind({ '#players': 3 }).toThrow(NotSupportedError);
    await kind({ 'branch-probability-type': undefined }).toThrow(/kind transition system without choices;/);
    await kind({ '#players': 3 }).toThrow(/kind TSG/);
    await kind({ time: 'stochastic' }).toThrow(/kind CTMC/);
    await kind({ time: 'urgent-stochastic', '#players': 1 }).toThrow(/kind MA;/);
    await kind({ '#players': 1, '#observations': 2 }).toThrow(/kind POMDP;/);
    await expect(read({}, {}, { 'format-version': 2 })).rejects.toThrow(/format-version is 2/);
  });

  it('finds an unknown state again, which another annotation of that name does not disturb', async () => {
    const model = dtmcFromRows([[[1, 1]], null], {
      annotations: [{ name: 'unknown', appliesTo: 'states', type: 'uint', values: Float64Array.of(3, 4) }],
    });
    expect(await readUmb(await writeUmb(model), { source: 'x' })).toEqual(model);
  });

  sharedData('umb/mdp.umb', (path) => {
    it('opens the example that PRISM wrote and reads its files', async () => {
      const archive = await openUmb(new Uint8Array(readFileSync(path)), 'mdp.umb');
      const system = archive.index['transition-system'];
      expect([system['#states'], system['#choices'], system['#branches']]).toEqual([4, 5, 8]);
      expect([...archive.csr('state-to-choices.bin', 4, 5)]).toEqual([0, 2, 3, 4, 5]);
      expect([...archive.csr('choice-to-branches.bin', 5, 8)]).toEqual([0, 2, 4, 6, 7, 8]);
      expect([...archive.indices('branch-to-target.bin', 8, 4)]).toEqual([2, 3, 1, 2, 0, 1, 2, 3]);
      expect([
        ...archive.numbers('branch-to-probability.bin', 8, system['branch-probability-type']!),
      ]).toEqual([0.2, 0.8, 0.5, 0.5, 0.9, 0.1, 1, 1]);
      expect([...archive.bits('state-is-initial.bin', 4)]).toEqual([0]);
      expect([...archive.bits('annotations/aps/g/states/values.bin', 4)]).toEqual([3]);
      expect(archive.strings('actions/choices', system['#choice-actions'])).toEqual(['', 'a', 'b']);
      const rewardType = archive.index.annotations.get('rewards')!.get('r')!.type;
      expect([...archive.numbers('annotations/rewards/r/choices/values.bin', 5, rewardType)]).toEqual([
        1, 0, 0, 0, 0,
      ]);
      const warnings: string[] = [];
      expect(readValuations(archive, 'states', 4, warnings)).toEqual({
        variables: [
          { name: 'x', type: 'int' },
          { name: 'b', type: 'bool' },
        ],
        values: [
          [0, 1, 2, 2],
          [false, false, false, true],
        ],
      });
      expect(warnings).toEqual([]);
    });

    it('is read as the MDP that PRISM wrote', async () => {
      const model = (await readUmb(new Uint8Array(readFileSync(path)), { source: 'mdp.umb' })) as Mdp;
      expect([model.type, model.states, [...model.rowGroupStart]]).toEqual(['mdp', 4, [0, 2, 3, 4, 5]]);
      expect([...model.columns]).toEqual([2, 3, 1, 2, 0, 1, 2, 3]);
      expect(model.actions?.names).toEqual(['a', 'b']);
      expect([...model.actions!.ofRow]).toEqual([1, 0, 0, 0, 0]);
      expect(model.rewards).toEqual([{ name: 'r', choices: Float64Array.of(1, 0, 0, 0, 0) }]);
      expect([...model.labels].map(([name, members]) => [name, [...members]])).toEqual([['g', [3]]]);
      expect(model.warnings).toBeUndefined();
    });
  });

  it('reads an MDP with its actions, and closes a state without choices', async () => {
    const rewards = { r: { 'applies-to': ['choices'], type: { type: 'double' } } };
    const model = (await readMdp(
      { 'annotations/rewards/r/choices/values.bin': doubles(3, 4) },
      {},
      { annotations: { rewards } },
    )) as Mdp;
    expect([...model.rowGroupStart]).toEqual([0, 2, 3]);
    expect([...model.rowStart]).toEqual([0, 2, 3, 4]);
    expect([...model.columns]).toEqual([0, 1, 1, 1]);
    expect(model.actions).toEqual({ names: ['a'], ofRow: Uint32Array.of(0, NO_ACTION, NO_ACTION) });
    expect(model.rewards).toEqual([{ name: 'r', choices: Float64Array.of(3, 4, 0) }]);
    expect([...model.labels.get('deadlock')!]).toEqual([1]);
    expect(model.warnings).toEqual(['a state has no transitions and got a self-loop: 1']);
  });

  it('numbers actions that have no names', async () => {
    const unnamed = {
      'actions/choices/string-mapping.bin': undefined,
      'actions/choices/strings.bin': undefined,
    };
    expect(((await readMdp(unnamed)) as Mdp).actions).toEqual({
      names: ['0', '1'],
      ofRow: Uint32Array.of(1, 0, NO_ACTION),
    });
  });

  it('reads intervals of doubles and of rationals', async () => {
    const intervals = doubles(0.5, 1, 0, 0.5, 1, 1);
    const chain = await readUmb(
      umb(
        { 'branch-to-probability.bin': intervals },
        { 'branch-probability-type': { type: 'double-interval' } },
      ),
      { source: 'm.umb' },
    );
    expect(chain).toMatchObject({
      type: 'idtmc',
      lower: Float64Array.of(0, 0.5, 1),
      upper: Float64Array.of(0.5, 1, 1),
    });
    const rationals = uint64s(1, 2, 1, 1, 0, 1, 1, 2, 1, 1, 1, 1);
    const process = await readMdp(
      { 'branch-to-probability.bin': rationals },
      { 'branch-probability-type': { type: 'rational-interval' } },
    );
    expect(process).toMatchObject({ type: 'imdp', lower: Float64Array.of(0, 0.5, 1, 1) });
    const reversed = umb(
      { 'branch-to-probability.bin': doubles(1, 0.5, 0, 0.5, 1, 1) },
      { 'branch-probability-type': { type: 'double-interval' } },
    );
    await expect(readUmb(reversed, { source: 'm.umb' })).rejects.toThrow(
      /m\.umb: state 0: its transition to 1 has probability \[1,0\.5\]; expected an interval within/,
    );
  });

  it.each<[string, RegExp, Files, Json?]>([
    [
      'an action outside',
      /actions\/choices\/values\.bin entry 0 is 7; expected an index below 2/,
      { 'actions/choices/values.bin': uint32s(7, 0) },
    ],
    [
      'a choice without branches',
      /choice 1 of state 0 has no transitions/,
      { 'choice-to-branches.bin': uint64s(0, 3, 3) },
    ],
    [
      'a choice that does not sum to 1',
      /choice 0 of state 0: its probabilities sum to 0\.5/,
      { 'branch-to-probability.bin': doubles(0.25, 0.25, 1) },
    ],
    [
      'choices that do not fit',
      /state-to-choices\.bin runs from 0 to 1; expected 0 to 2/,
      { 'state-to-choices.bin': uint64s(0, 1, 1) },
    ],
  ])('refuses an MDP with %s', async (_, message, files, system = {}) => {
    await expect(readMdp(files, system)).rejects.toThrow(InvalidModelError);
    await expect(readMdp(files, system)).rejects.toThrow(message);
  });

  it('is refused by name where a chain is needed', async () => {
    const model = await readMdp();
    expect(() => requireDtmc(model, 'm.umb')).toThrow(
      'm.umb is a Markov decision process (mdp); a Markov chain (dtmc) is needed here',
    );
  });
});
