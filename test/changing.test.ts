import { describe, expect, it } from 'vitest';
import { script } from './script.js';

const { changedFiles, firstChanges, namedIn, pathOf, sections } = await script('changing.mjs');
const titles: string[] = sections.map((section: string) => section.split('\n')[0]);

describe('docs/changing.md', () => {
  it('has the ten tasks', () => expect(titles).toHaveLength(10));

  it.each<[string, string]>(titles.map((title, i) => [title, sections[i]]))(
    'names files for "%s" that there are',
    (_, section) => {
      const files: string[] = namedIn(section).files.filter((file: string) => !/\/[A-Z]+\.ts$/.test(file));
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter((file) => pathOf(file) === '')).toEqual([]);
    },
  );

  // What TypeScript reports of them is compared by scripts/changing.mjs, a step of .ci/run.
  it('begins with changes that have a place', () => {
    const files: string[] = firstChanges.map(({ file }: { file: string }) => pathOf(file));
    expect([...changedFiles().keys()]).toEqual(files);
    for (const { task } of firstChanges) expect(titles).toContain(task);
  });
});
