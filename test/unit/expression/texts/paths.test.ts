import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, UNREADABLE } from './read.js';

const isUnder = (path: string, folder: string): unknown => read('isUnder(path, folder)', { path, folder });
const extension = (path: string): unknown => read('extension(path)', { path });

describe('isUnder', () => {
  it.each<[string, string, boolean]>([
    ['/home/me/notes.txt', '/home/me', true],
    ['/home/me/notes.txt', '/home/me/', true],
    ['/home/me', '/home/me', true],
    ['/home/me/', '/home/me', true],
    ['/home/mean', '/home/me', false],
    ['/home', '/home/me', false],
    ['/home/me/../you', '/home/me', false],
    ['/home/me/../me/x', '/home/me', true],
    ['/home//me/./x', '/home/me', true],
    ['//home/me/x', '/home/me', true],
    ['/home/me/...', '/home/me', true],
    ['/Home/me/x', '/home/me', false],
    ['/anything', '/', true],
    ['/', '/', true],
    ['notes/a.txt', 'notes', true],
    ['./notes/../notes/a.txt', 'notes', true],
    ['drafts/a.txt', 'notes', false],
    ['a/b', '.', true],
    ['.', '.', true],
    ['/home/me/a%20b.txt', '/home/me', true],
    ['/home/me/b%C3%BCcher', '/home/me', true],
    [`/${'a/'.repeat(100)}`, '/a', true],
    ['/etc/%70asswd', '/home/me', false],
    ['/home/me/x', '/home/you/../me', true],
  ])('%j in %j: %s', (path, folder, holds) => {
    expect(isUnder(path, folder)).toBe(holds);
  });

  it.each([
    ['', '/home/me'],
    ['/home/me', ''],
    ['', '.'],
    ['a', ''],
    ['/..', '/'],
    ['/home/../../etc/passwd', '/'],
    ['..', '.'],
    ['../notes', 'notes'],
    ['notes/../../notes/x', 'notes'],
    ['notes/x', '/home/me/notes'],
    ['/home/me/x', 'home/me'],
    ['~/notes', 'notes'],
    ['~root/../notes', 'notes'],
    ['/home/me/x\0.txt', '/home/me'],
    ['/home/me\\..\\..\\etc', '/home/me'],
    ['C:\\Users\\me', 'C:'],
    ['/home/me/%2e%2e/you', '/home/me'],
    ['/home/me/..%2fyou', '/home/me'],
    ['/home/me%2fnotes', '/home/me'],
    ['/%68ome/me/notes', '/home/me'],
    ['/home/me/%252e%252e/you', '/home/me'],
    ['/home/me/100%25', '/home/me'],
    ['/home/me/100%', '/home/me'],
    ['/home/me/%2', '/home/me'],
    ['/home/me/%zz', '/home/me'],
    ['/home/me/%00', '/home/me'],
    ['/home/me/%5c..', '/home/me'],
    ['/home/me/%c0%ae%c0%ae/you', '/home/me'],
    ['/home/me/%ff', '/home/me'],
    ['/home/me/%u002e', '/home/me'],
    ['%2fhome/me', 'home'],
    [`/${'a/'.repeat(101)}`, '/a'],
  ])('%j in %j has no value', (path, folder) => {
    expect(isUnder(path, folder)).toBe(UNREADABLE);
  });

  const name = fc.constantFrom(
    'a',
    'b',
    'a',
    'ab',
    '..',
    '.',
    '',
    '...',
    '%61',
    '%2e',
    'a%2fb',
    '..%2f',
    '%25',
    '\\',
    '%5C',
    '~',
  );
  const path = fc
    .tuple(fc.constantFrom('/', ''), fc.array(name, { maxLength: 6 }))
    .map(([start, names]) => start + names.join('/'));

  it('agrees with the resolution of node:path wherever it answers, with percent signs resolved or not', () => {
    let [within, outside] = [0, 0];
    const lies = (inner: string, outer: string): boolean => {
      const between = posix.relative(posix.resolve('/w', outer), posix.resolve('/w', inner));
      return between !== '..' && !between.startsWith('../');
    };
    fc.assert(
      fc.property(path, path, (inner, outer) => {
        const found = isUnder(inner, outer);
        if (found === UNREADABLE) return;
        if (found === true) within++;
        else outside++;
        expect(found).toBe(lies(inner, outer));
        expect(found).toBe(lies(decodeURIComponent(inner), decodeURIComponent(outer)));
        expect(posix.isAbsolute(inner)).toBe(posix.isAbsolute(outer));
        expect(inner + outer).not.toMatch(/\\|%5c|%25/i);
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(within, outside)).toBeGreaterThan(30);
  });

  it('answers for all paths of plain names that do not climb above where they start', () => {
    const plain = fc.array(fc.constantFrom('a', 'b', 'a b', '.', ''), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(plain, plain, (inner, outer) => {
        const [a, b] = [`/${inner.join('/')}`, `/${outer.join('/')}`];
        expect(isUnder(a, b)).toBe(
          `${posix.resolve(a)}/`.startsWith(`${posix.resolve(b)}/`.replace('//', '/')),
        );
      }),
    );
  });

  it('has no value exactly where a path of plain names climbs too far', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '..'), { minLength: 1 }), (names) => {
        let depth = 0;
        const climbs = names.some((one) => {
          depth += one === '..' ? -1 : 1;
          return depth < 0;
        });
        expect(isUnder(`/${names.join('/')}`, '/') === UNREADABLE).toBe(climbs);
      }),
    );
  });
});

describe('extension', () => {
  it.each([
    ['notes.txt', 'txt'],
    ['/home/me/archive.tar.GZ', 'GZ'],
    ['../src/a.ts', 'ts'],
    ['/home/me.d/notes', ''],
    ['/home/me/folder.d/', 'd'],
    ['/home/me/folder.d/.', 'd'],
    ['.bashrc', ''],
    ['a.', ''],
    ['/', ''],
    ['.', ''],
    ['a%20b.txt', 'txt'],
  ])('of %j is %j', (path, found) => {
    expect(extension(path)).toBe(found);
  });

  it.each([
    '',
    '..',
    'a.d/..',
    'x.exe\0.txt',
    'x.exe%00.txt',
    'x%2eexe',
    'x.%65xe',
    'x.txt%2f..',
    'a\\b.txt',
    'a.txt%',
    'x.exe%252f',
  ])('of %j has no value', (path) => {
    expect(extension(path)).toBe(UNREADABLE);
  });

  it('agrees with node:path wherever it answers', () => {
    const piece = fc.constantFrom('a', 'b', '.', '.', '..', '/', '/', 'exe', '%2e', '%61', '%', ' ');
    let answered = 0;
    fc.assert(
      fc.property(fc.string({ unit: piece, minLength: 1, maxLength: 7 }), (path) => {
        const found = extension(path);
        if (found === UNREADABLE) return;
        answered++;
        expect(found).toBe(posix.extname(posix.normalize(path)).slice(1));
        expect(found).toBe(posix.extname(posix.normalize(decodeURIComponent(path))).slice(1));
      }),
      { numRuns: 3000 },
    );
    expect(answered).toBeGreaterThan(500);
  });
});
