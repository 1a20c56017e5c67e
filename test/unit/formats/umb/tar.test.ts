import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidModelError } from '../../../../bindings/base/errors.js';
import { isTar, readTar, type TarEntry, writeTar } from '../../../../bindings/solvers/formats/umb/tar.js';

const hello: TarEntry = ['a/hello.bin', new TextEncoder().encode('hello')];

/** Recomputes the checksum of the header at 0 after `change`, as another tar would have written it. */
function withHeader(bytes: Uint8Array, change: (header: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice();
  change(copy);
  copy.fill(0x20, 148, 156);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return copy;
}

describe('tar', () => {
  it('writes headers, contents padded to blocks, and two empty blocks', () => {
    const bytes = writeTar([hello]);
    expect(bytes).toHaveLength(512 + 512 + 1024);
    expect(isTar(bytes)).toBe(true);
    expect(new TextDecoder().decode(bytes.subarray(512, 517))).toBe('hello');
    expect(bytes.subarray(517).every((byte) => byte === 0)).toBe(true);
  });

  it('reads back any files', () => {
    const file = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9/_.-]{0,90}$/), fc.uint8Array({ maxLength: 1100 }));
    fc.assert(
      fc.property(fc.array(file, { maxLength: 4 }), (files) => {
        expect(readTar(writeTar(files), 'x')).toEqual(files);
      }),
    );
  });

  it.skipIf(spawnSync('tar', ['--version']).status !== 0)('writes what the tar command lists', () => {
    const entries: TarEntry[] = [hello, ['b.bin', new Uint8Array(1024)], ['empty', new Uint8Array(0)]];
    const { stdout, stderr, status } = spawnSync('tar', ['-tf', '-'], { input: writeTar(entries) });
    expect([status, String(stderr), String(stdout)]).toEqual([0, '', 'a/hello.bin\nb.bin\nempty\n']);
  });

  it.skipIf(spawnSync('tar', ['--version']).status !== 0).each(['ustar', 'gnu', 'pax'])(
    'reads what the tar command writes in its format %s, long names and folders included',
    (format) => {
      const name = `${'n'.repeat(120)}.md`;
      const script = `d=$(mktemp -d) && cd "$d" && mkdir -p sub/${'d'.repeat(60)} && echo one > sub/${'d'.repeat(60)}/${'e'.repeat(60)} && ${format === 'ustar' ? '' : `echo two > ${name} &&`} tar --format=${format} -cf - . && rm -r "$d"`;
      const { stdout, status } = spawnSync('sh', ['-c', script]);
      expect(status).toBe(0);
      const names = readTar(new Uint8Array(stdout), 'x').map(([entry]) => entry);
      const expected = [`sub/${'d'.repeat(60)}/${'e'.repeat(60)}`, ...(format === 'ustar' ? [] : [name])];
      expect(names.sort()).toEqual(expected.sort());
    },
  );

  it('drops a leading ./ or /', () => {
    for (const name of ['./index.json', '/index.json']) {
      expect(readTar(writeTar([[name, hello[1]]]), 'x')).toEqual([['index.json', hello[1]]]);
    }
  });

  it('refuses a wrong checksum with both sums', () => {
    const bytes = writeTar([hello]);
    bytes[0] ^= 1;
    expect(() => readTar(bytes, 'm.umb')).toThrow(
      /m\.umb: the tar header at byte 0.*checksum \d+, its bytes give \d+/,
    );
  });

  it('refuses a file that reaches past the end, and a header that is cut off, with both sizes', () => {
    const bytes = writeTar([hello]);
    expect(() => readTar(bytes.subarray(0, 514), 'm.umb')).toThrow(/a\/hello\.bin has 5 bytes.*2 are left/);
    expect(() => readTar(bytes.subarray(0, 100), 'm.umb')).toThrow(/needs 512 bytes at byte 0, 100 are left/);
    expect(() => readTar(bytes.subarray(0, 1024), 'm.umb')).toThrow(
      /needs 512 bytes at byte 1024, 0 are left/,
    );
    const unreadable = withHeader(bytes, (header) => header.fill(0xff, 124, 135));
    expect(() => readTar(unreadable, 'm.umb')).toThrow(/an unreadable number of bytes/);
  });

  it('refuses bytes where a header is due', () => {
    const bytes = writeTar([hello, hello]);
    bytes.fill(1, 1024 + 257, 1024 + 262);
    expect(() => readTar(bytes, 'm.umb')).toThrow(/no tar header at byte 1024/);
  });

  it('refuses to write a name that tar cannot hold', () => {
    expect(() => writeTar([['n'.repeat(101), hello[1]]])).toThrow(InvalidModelError);
  });
});
