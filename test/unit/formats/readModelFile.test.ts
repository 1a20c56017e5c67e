import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, NotSupportedError } from '../../../bindings/base/errors.js';
import { gzip } from '../../../bindings/solvers/formats/compression.js';
import { type ModelFile, readModelFile, writeUmb } from '../../../bindings/solvers/formats/index.js';
import { dtmcFromRows, type Model } from '../../../bindings/solvers/model/index.js';
import { sharedData } from '../../shared.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reads a file among others that lie beside it. */
async function read(files: Readonly<Record<string, Uint8Array>>, source: string): Promise<ModelFile> {
  return readModelFile(files[source], { source, open: async (path) => files[path] });
}

async function readModel(files: Readonly<Record<string, Uint8Array>>, source: string): Promise<Model> {
  const file = await read(files, source);
  if (file.kind !== 'model') throw new Error('a model was expected');
  return file.model;
}

describe('readModelFile', () => {
  it('finds the explicit files beside the transitions, packed or not', async () => {
    const files = {
      'a/m.tra': bytes('1 1\n0 0 1\n'),
      'a/m.lab.gz': await gzip(bytes('0="init" 1="end"\n0: 0 1\n')),
      'a/m.sta': bytes('(x)\n0:(5)\n'),
      'a/m1.srew': bytes('1 1\n0 2\n'),
      'a/m2.srew': bytes('1 1\n0 3\n'),
      'a/m.trew': bytes('1 1\n0 0 4\n'),
    };
    const model = await readModel(files, 'a/m.tra');
    expect([...model.labels.keys()]).toEqual(['end']);
    expect(model.valuations?.values[0][0]).toBe(5);
    expect(model.rewards?.map(({ name, states, branches }) => [name, states?.[0], branches?.[0]])).toEqual([
      ['reward1', 2, 4],
      ['reward2', 3, undefined],
    ]);
  });

  it('unpacks gzip before it looks', async () => {
    const model = dtmcFromRows([[[0, 1]]]);
    const umb = await writeUmb(model, { gzip: true });
    expect(await readModel({ 'm.umb.gz': umb }, 'm.umb.gz')).toEqual(model);
    expect(await readModel({ model: umb }, 'model')).toEqual(model);
    expect((await readModel({ 'm.tra.gz': await gzip(bytes('1 1\n0 0 1\n')) }, 'm.tra.gz')).states).toBe(1);
  });

  it('parses source in the language, which is then built', async () => {
    const file = await read({ 'm.pm': bytes('dtmc module m x : [0..1]; endmodule') }, 'm.pm');
    expect(file).toMatchObject({ kind: 'source', source: { type: 'dtmc', name: 'm.pm' } });
  });

  it('refuses xz, naming the command that unpacks it, and what is only written', async () => {
    const xz = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0);
    await expect(read({ 'a/m.pexp.xz': xz }, 'a/m.pexp.xz')).rejects.toThrow(NotSupportedError);
    await expect(read({ 'a/m.pexp.xz': xz }, 'a/m.pexp.xz')).rejects.toThrow('xz -dc a/m.pexp.xz > a/m.pexp');
    await expect(read({ 'm.dot': bytes('digraph mdp {}') }, 'm.dot')).rejects.toThrow(InvalidArgumentError);
    await expect(read({ m: bytes('what') }, 'm')).rejects.toThrow(/its format is not known/);
  });

  sharedData('prism-tests/functionality/import', (folder) => {
    const open = async (path: string) => {
      try {
        return new Uint8Array(readFileSync(path));
      } catch {
        return undefined;
      }
    };
    const model = async (name: string): Promise<Model> => {
      const source = `${folder}/${name}`;
      const file = await readModelFile((await open(source))!, { source, open });
      if (file.kind !== 'model') throw new Error('a model was expected');
      return file.model;
    };

    it('reads the packed files of PRISM as the plain and the combined ones', async () => {
      const plain = await model('dice.tra');
      expect(await model('dice.tra.gz')).toEqual(plain);
      expect(await model('dice.pexp')).toEqual(plain);
      expect(await model('dice.exact.pexp')).toEqual(plain);
      expect(await model('irobot.pexp')).toEqual(await model('irobot.tra'));
      expect(await model('lec3.pexp')).toEqual(await model('lec3.tra'));
      await expect(model('dice.pexp.xz')).rejects.toThrow(/xz -dc .*dice\.pexp\.xz > .*dice\.pexp$/);
    });
  });
});
