import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { detectFormat, writeUmb } from '../../../bindings/solvers/formats/index.js';
import { dtmcFromRows } from '../../../bindings/solvers/model/index.js';

describe('detectFormat', () => {
  it('knows UMB by its first bytes, whatever the name', async () => {
    const model = dtmcFromRows([[[0, 1]]]);
    expect(detectFormat(await writeUmb(model), 'model')).toBe('umb');
    expect(detectFormat(await writeUmb(model), 'model.tra')).toBe('umb');
    expect(detectFormat(await writeUmb(model, { gzip: true }), 'model')).toBe('umb');
    expect(detectFormat(Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), 'model')).toBe('umb');
  });

  it.each([
    ['dice.tra', 'tra'],
    ['dir.v2/dice.PM', 'prism'],
    ['a.prism', 'prism'],
    ['a.gv', 'dot'],
    ['dice.pexp', 'pexp'],
    ['dice.tra.gz', 'tra'],
    ['dice.pexp.xz', 'pexp'],
    ['model.umb.gz', 'umb'],
    ['empty.umb', 'umb'],
  ])('knows %s by its extension', (name, format) => {
    expect(detectFormat(new Uint8Array(0), name)).toBe(format);
  });

  it.each([
    ['# Transitions (MDP)\n1 1 1\n0 0 0 1\n', 'tra'],
    ['1 1\n0 0 1\n', 'tra'],
    ['# Transitions (DTMC)\n1 1\n0 0 1\n\n# States\n(x)\n0:(0)\n', 'pexp'],
    ['// a comment\n\nmdp\nmodule m', 'prism'],
    ['digraph mdp {', 'dot'],
  ])('knows %j by how it begins', (text, format) => {
    expect(detectFormat(new TextEncoder().encode(text), 'model')).toBe(format);
  });

  it('refuses what it does not know', () => {
    for (const name of ['model', 'model.doc', 'dir.tra/model', 'x.constructor']) {
      expect(() => detectFormat(new Uint8Array(3), name)).toThrow(InvalidArgumentError);
    }
    expect(() => detectFormat(new Uint8Array(3), 'model.doc')).toThrow(/model\.doc.*\.umb, \.tra/);
  });
});
