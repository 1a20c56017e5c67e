import { describe, expect, it } from 'vitest';
import { readUmb, writeUmb } from '../../../../bindings/solvers/formats/index.js';
import { readTar } from '../../../../bindings/solvers/formats/umb/tar.js';
import { dtmcFromRows } from '../../../../bindings/solvers/model/index.js';

const model = dtmcFromRows(
  [
    [
      [0, 0.5],
      [1, 0.5],
    ],
    [[1, 1]],
    null,
  ],
  {
    labels: { 'Is done?': [1, 2] },
    valuations: {
      variables: [
        { name: 'b', type: 'bool' },
        { name: 'x', type: 'int' },
        { name: 's', type: 'string' },
        { name: 'y', type: 'int' },
      ],
      values: [
        [true, false, true],
        [0, 5, 2],
        ['xyz', 'ab', 'xyz'],
        [-2, 1, 0],
      ],
    },
    annotations: [
      { name: 'count', appliesTo: 'branches', type: 'uint', values: Float64Array.of(1, 2 ** 32 + 2, 7) },
    ],
  },
);

async function files(): Promise<Map<string, number[]>> {
  return new Map(readTar(await writeUmb(model), 'x').map(([name, content]) => [name, [...content]]));
}

function uint64s(...values: number[]): number[] {
  return values.flatMap((value) => [value, 0, 0, 0, 0, 0, 0, 0]);
}

describe('the bytes of a UMB file', () => {
  it('begin with index.json, whose counts and types describe the model', async () => {
    const [[name, content]] = readTar(await writeUmb(model), 'x');
    expect(name).toBe('index.json');
    const index = JSON.parse(new TextDecoder().decode(content));
    expect(index['format-version']).toBe(1);
    expect(index['transition-system']).toEqual({
      time: 'discrete',
      '#players': 0,
      '#states': 3,
      '#initial-states': 1,
      '#choices': 3,
      '#choice-actions': 0,
      '#branches': 3,
      '#branch-actions': 0,
      '#observations': 0,
      'branch-probability-type': { type: 'double', size: 64 },
    });
    expect(index.annotations.aps).toEqual({
      is_done_: { alias: 'Is done?', 'applies-to': ['states'], type: { type: 'bool', size: 1 } },
    });
    expect(index.valuations.states).toEqual({
      unique: true,
      '#strings': 2,
      classes: [
        {
          variables: [
            { name: 'b', type: { type: 'bool', size: 1 } },
            { name: 'x', type: { type: 'uint', size: 3 } },
            { name: 's', type: { type: 'string', size: 64 } },
            { name: 'y', type: { type: 'int', size: 2 } },
            { padding: 2 },
          ],
        },
      ],
    });
  });

  it('hold rows, targets, probabilities and initial states as the specification lays them out', async () => {
    const found = await files();
    expect(found.get('choice-to-branches.bin')).toEqual(uint64s(0, 2, 3, 3));
    expect(found.get('branch-to-target.bin')).toEqual(uint64s(0, 1, 1));
    const half = [0, 0, 0, 0, 0, 0, 0xe0, 0x3f];
    expect(found.get('branch-to-probability.bin')).toEqual([...half, ...half, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
    expect(found.get('state-is-initial.bin')).toEqual(uint64s(1));
    expect(found.has('state-to-choices.bin')).toBe(false);
  });

  it('hold labels, counts and the mark of unknown states', async () => {
    const found = await files();
    expect(found.get('annotations/aps/is_done_/states/values.bin')).toEqual(uint64s(0b110));
    expect(found.get('annotations/foreguard/unknown/states/values.bin')).toEqual(uint64s(0b100));
    expect(found.get('annotations/foreguard/count/branches/values.bin')).toEqual([
      ...uint64s(1),
      ...[2, 0, 0, 0, 1, 0, 0, 0],
      ...uint64s(7),
    ]);
  });

  it('pack valuations from the lowest bit up, with strings cut out of one file', async () => {
    const found = await files();
    // Per state, from the lowest bit: b (1), x (3), s (64: the index 0, 1, 0), y (2, two's complement), padding (2).
    const valuation = (low: number, high: number) => [low, 0, 0, 0, 0, 0, 0, 0, high];
    expect(found.get('valuations/states/valuations.bin')).toEqual([
      ...valuation(0b0000_000_1, 0b00_10_0000),
      ...valuation(0b0001_101_0, 0b00_01_0000),
      ...valuation(0b0000_010_1, 0b00_00_0000),
    ]);
    expect(found.get('valuations/states/string-mapping.bin')).toEqual(uint64s(0, 3, 5));
    expect(new TextDecoder().decode(Uint8Array.from(found.get('valuations/states/strings.bin')!))).toBe(
      'xyzab',
    );
  });

  it('name a time of export only where one is given', async () => {
    const bytes = await writeUmb(model, { creationDate: new Date(1_769_360_247_900) });
    expect(new TextDecoder().decode(bytes)).toContain('"creation-date": 1769360247');
    expect(new TextDecoder().decode(await writeUmb(model))).not.toContain('creation-date');
    expect(await readUmb(bytes, { source: 'x' })).toEqual(
      await readUmb(await writeUmb(model), { source: 'x' }),
    );
  });
});
