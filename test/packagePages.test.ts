import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { deadLinks } from '../scripts/deadLinks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'foreguard-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the links of pages', () => {
  it('are found where they lead to no file, to no heading, or out of the folder', () => {
    const own = join(folder, 'own');
    mkdirSync(join(own, 'docs'), { recursive: true });
    writeFileSync(
      join(own, 'README.md'),
      '# A `b`, c\n\n[a](docs/a.md) [b](docs/b.md#x)\n[c](#a-b-c) [d](#a-b) [e](https://example.org) `[f](g)`\n\n```\n[h](i)\n```\n',
    );
    writeFileSync(
      join(own, 'docs/a.md'),
      '<a id="x"></a>\n## Same\n## Same\n[a](../README.md) [b](#same-1) [c](#x)\n[d](../../d.md)\n',
    );
    expect(deadLinks(own).sort()).toEqual([
      'README.md:3: docs/b.md#x is not there',
      'README.md:4: #a-b has no such heading',
      'docs/a.md:5: ../../d.md is not there',
    ]);
  });

  it('lead somewhere in what is packed', () => {
    const packed = join(folder, 'packed');
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).toEqual(expect.arrayContaining(['docs', 'CHANGELOG.md', 'README.md']));
    // The pages of `npm run docs` are made, not packed.
    expect(files).toContain('!docs/api');
    for (const path of files.filter((one) => one !== 'dist' && !one.startsWith('!'))) {
      expect(existsSync(join(root, path)), path).toBe(true);
      cpSync(join(root, path), join(packed, path), {
        recursive: true,
        filter: (source) => !source.startsWith(join(root, 'docs/api/')) && source !== join(root, 'docs/api'),
      });
    }
    expect(deadLinks(packed)).toEqual([]);
  });
});

describe('figures of simulated agents', () => {
  const page = (path: string): string => readFileSync(join(root, path), 'utf8');
  const FORESEEN = /107 of 114 violations/;

  it.each([
    ['README.md', 'Of 100 such drives'],
    ['docs/results/household.md', 'In short:'],
    ['docs/results/driving.md', 'In short,'],
    ['docs/driving.md', '17 of these drives break the law'],
  ])('in %s stand beside what recordings of real agents gave', (path, figure) => {
    const text = page(path);
    const at = text.indexOf(figure);
    expect(at).toBeGreaterThan(0);
    const near = text.slice(at, at + 900);
    expect(near).toMatch(/simulated/);
    expect(near).toMatch(/recordings of real agents/);
    if (path !== 'docs/driving.md') expect(near).toMatch(FORESEEN);
  });

  it('and those of recordings are what the pages of results say', () => {
    expect(page('docs/results/safeAgentBench.md').replace(/\s+/g, ' ')).toMatch(/107 .{0,40}114/);
    const tau = page('docs/results.md');
    expect(tau).toMatch(/18 of 23 violating runs warned, 12 of 127 clean ones/);
    expect(page('README.md').replace(/\s+/g, ' ')).toMatch(
      /18 of 23 violating runs and in 12 of 127 clean ones/,
    );
  });
});
