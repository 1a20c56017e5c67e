import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readCombined,
  readExplicit,
  readUmb,
  writeCombined,
  writeExplicit,
  writeUmb,
} from '../../bindings/solvers/formats/index.js';
import { readTar, type TarEntry, writeTar } from '../../bindings/solvers/formats/umb/tar.js';
import type { Model } from '../../bindings/solvers/model/index.js';
import { arbitraryDtmc } from '../unit/formats/arbitraryDtmc.js';
import { arbitraryModel } from '../unit/formats/arbitraryModel.js';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.js';
import { jsonEdits, mutatedJson, mutatedText } from './mutations.js';

/** Bytes of one of the files in an archive that change, are left out, or are too many or too few. */
interface FileEdit {
  readonly file: number;
  readonly kind: 'drop' | 'shorten' | 'lengthen' | 'change';
  readonly at: number;
  readonly value: number;
}

const archives = fc.record({
  model: fc.oneof(arbitraryDtmc(), arbitraryModel()),
  index: jsonEdits,
  files: fc.array(
    fc.record<FileEdit>({
      file: fc.nat(),
      kind: fc.constantFrom('drop', 'shorten', 'lengthen', 'change', 'change'),
      at: fc.nat(),
      value: fc.constantFrom(0, 1, 2, 63, 127, 128, 240, 255),
    }),
    { maxLength: 3 },
  ),
});

/** The tar archive is whole: what is wrong lies in the files. */
async function damaged({
  model,
  index,
  files,
}: typeof archives extends fc.Arbitrary<infer T> ? T : never): Promise<Uint8Array> {
  const entries = readTar(await writeUmb(model), 'x.umb').map(([name, content]): TarEntry => {
    if (name !== 'index.json') return [name, content.slice()];
    const json = mutatedJson(JSON.parse(new TextDecoder().decode(content)), index);
    return [name, new TextEncoder().encode(JSON.stringify(json))];
  });
  for (const { file, kind, at, value } of files) {
    // The first is index.json.
    const place = 1 + (file % (entries.length - 1));
    const [name, content] = entries[place] ?? entries[0];
    if (kind === 'drop' && place < entries.length) entries.splice(place, 1);
    else if (kind === 'change') content[at % content.length] = value;
    else
      entries[place] = [
        name,
        resized(content, content.length + (kind === 'shorten' ? -1 : 1) * (1 + (at % 8))),
      ];
  }
  return writeTar(entries);
}

function resized(bytes: Uint8Array, length: number): Uint8Array {
  const result = new Uint8Array(Math.max(0, length));
  result.set(bytes.subarray(0, result.length));
  return result;
}

const TOKENS = [
  '-',
  '/',
  '[',
  ']',
  ',',
  ':',
  '(',
  ')',
  '=',
  '"',
  '#',
  '1e999',
  '-1',
  '4294967296',
  '1/0',
  'NaN',
  'true',
];

const explicit: fc.Arbitrary<Model> = fc.oneof(arbitraryDtmc('explicit'), arbitraryModel('explicit'));

describe('files are read, or refused with a message', () => {
  it(
    'UMB, whatever is in its files',
    async () => {
      await fuzz(200, archives, async (input) => {
        const model = await readUmb(await damaged(input), { source: 'x.umb' });
        // What was accepted is a model as good as any.
        expect(await readUmb(await writeUmb(model), { source: 'y.umb' })).toMatchObject({
          type: model.type,
          states: model.states,
        });
      });
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    "PRISM's explicit files, whatever their lines",
    async () => {
      const texts = explicit.chain((model) => {
        const { tra, lab, sta, srew, trew } = writeExplicit(model);
        const mutated = (text: string) => fc.oneof(fc.constant(text), mutatedText([text], TOKENS));
        return fc.record({
          tra: mutated(tra),
          lab: mutated(lab),
          ...(sta !== undefined && { sta: mutated(sta) }),
          srew: fc.tuple(...srew.map(mutated)),
          trew: fc.tuple(...trew.map(mutated)),
        });
      });
      await fuzz(300, texts, (files) => {
        const model = readExplicit({ ...files, source: 'x.tra' });
        expect(readExplicit({ ...writeExplicit(model), source: 'y.tra' }).states).toBe(model.states);
      });
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    "PRISM's combined files, whatever their lines",
    async () => {
      const texts = explicit.chain((model) => mutatedText([writeCombined(model)], TOKENS));
      await fuzz(300, texts, (text) => readCombined(text, { source: 'x.pexp' }));
    },
    FUZZ_TIMEOUT_MS,
  );
});
