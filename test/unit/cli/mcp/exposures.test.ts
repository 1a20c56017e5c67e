import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { exposures, filesGivenAway } from '../../../../bindings/face/cli/mcp/exposures.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'foreguard-exposures-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...parts: string[]) => join(root, ...parts);
for (const folder of ['work/inner', 'safe/kept', 'data/deep/kept'])
  mkdirSync(at(folder), { recursive: true });
writeFileSync(at('work/server.js'), '');
symlinkSync(at('data'), at('link'));
symlinkSync(at('work'), at('alias'));
symlinkSync(at('safe/kept'), at('work/key'));
symlinkSync(at('safe'), at('work/safe'));

/** The reason that is given for a folder, if any. */
const reason = (folder: string, ...command: string[]) =>
  exposures({ 'the folder': folder }, command.slice(1), at('work'))[0]?.replace(
    /^.*agent: (.*)\. Keep.*$/,
    '$1',
  ) ?? null;

describe('places that a guarded server may reach', () => {
  it.each([
    [at('work'), [], 'it lies inside the working folder'],
    [at('work/inner'), [], 'it lies inside the working folder'],
    ['inner', [], 'it lies inside the working folder'],
    ['not/there/yet', [], 'it lies inside the working folder'],
    [at('alias/inner'), [], 'it lies inside the working folder'],
    // Links there, which can be replaced, to where it is safe.
    ['key', [], 'it lies inside the working folder'],
    [at('alias/key'), [], 'it lies inside the working folder'],
    ['safe/kept', [], 'it lies inside the working folder'],
    [
      at('data/deep/kept'),
      ['fs', at('data/deep/kept')],
      `the server is given ${at('data/deep/kept')} as an argument`,
    ],
    [at('data/deep/kept'), ['fs', at('data')], `the server is given ${at('data')} as an argument`],
    [
      at('data/deep'),
      ['fs', at('data/deep/kept')],
      `the server is given ${at('data/deep/kept')} as an argument`,
    ],
    [at('data/deep/kept'), ['fs', at('link')], `the server is given ${at('link')} as an argument`],
    [at('link/deep/kept'), ['fs', '../data'], 'the server is given ../data as an argument'],
    [at('safe/kept'), ['fs', '--root=/'], 'the server is given / as an argument'],
    [
      at('data/deep/kept'),
      ['fs', pathToFileURL(at('data')).href],
      `the server is given ${pathToFileURL(at('data')).href} as an argument`,
    ],
  ])('are told: %s before %j', (folder, command, why) => {
    expect(reason(folder, ...command)).toBe(why);
  });

  it.each([
    [at('safe/kept'), []],
    [at('safe/kept'), ['node', 'server.js', '-y', 'some-package', '--port=80', '']],
    [at('safe/kept'), ['fs', at('safe/kept-not'), at('data')]],
  ])('are not told where there are none: %s before %j', (folder, command) => {
    expect(reason(folder, ...command)).toBeNull();
  });

  it('are none where no place is given', () => {
    expect(exposures({ 'the key': undefined }, ['/'], root)).toEqual([]);
  });

  it('are of files that decide only where the server is given them', () => {
    const files = { spec: 'rules.yaml', log: at('data/deep/audit.jsonl'), principal: '{"id": "ada"}' };
    const told = (...given: string[]) => filesGivenAway(files, given, at('work'));
    expect(told()).toEqual([]);
    expect(told('server.js', 'inner')).toEqual([]);
    expect(told('.')).toEqual([expect.stringMatching(/^the specification, rules.yaml, .* given \. as an/)]);
    expect(told(at('link'))).toEqual([expect.stringMatching(/^the log, /)]);
    expect(told('..')).toHaveLength(2);
  });
});
