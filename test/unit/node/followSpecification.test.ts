import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { followSpecification } from '../../../bindings/face/node/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { printedBy } from '../../publicScript.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-follow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rules = (tool: string): string =>
  `version: 1\npredicates: { p: 'action.name == "${tool}"' }\nrules: { ${tool}: { formula: 'G !p', strategy: block } }\n`;

describe('followSpecification', () => {
  const path = join(folder, 'spec.yaml');

  it('gives each run the rules as the file stands when it begins, with their hash in its records, and keeps those of runs that have begun', async () => {
    writeFileSync(path, rules('send'));
    const notes: string[] = [];
    const followed = await followSpecification(path, { onNote: (text) => notes.push(text) });
    const records: RunRecord[] = [];
    const begin = async () => {
      const session = createSession({
        guard: await followed.next(),
        tools: ['send', 'pay'],
        log: { append: (record) => void records.push(record) },
      });
      let id = 0;
      return async (name: string) => {
        const verdict = await session.decide({ id: `${id++}`, name, arguments: {} });
        if (verdict.run !== null) await session.ran(verdict, { result: null });
        return verdict.decision;
      };
    };
    const first = await begin();
    const beside = await begin();
    expect([await first('send'), await first('pay'), await beside('send')]).toEqual([
      'block',
      'allow',
      'block',
    ]);
    writeFileSync(path, rules('pay'));
    const second = await begin();
    expect([await second('send'), await second('pay')]).toEqual(['allow', 'block']);
    expect([await first('send'), await first('pay')]).toEqual(['block', 'allow']);
    const hashes = records.flatMap((one) => (one.kind === 'begin' ? [one.guard.specification] : []));
    const [sends, pays] = [rules('send'), rules('pay')].map((text) => parseSpecification(text).hash);
    expect(hashes).toEqual([sends, sends, pays]);
    expect(notes).toEqual([expect.stringContaining(`(specification ${pays})`)]);
  });

  it('keeps the rules before a file that is wrong or gone, says so once, and takes it when it is mended', async () => {
    writeFileSync(path, rules('send'));
    const notes: string[] = [];
    const followed = await followSpecification(path, { onNote: (text) => notes.push(text) });
    const names = async () => (await followed.next()).file.rules.map(({ name }) => name);
    writeFileSync(path, 'version: 1\nrule: {}\n');
    expect([await names(), await names()]).toEqual([['send'], ['send']]);
    expect(notes).toEqual([expect.stringMatching(/is refused.*spec\.yaml:2:1.*did you mean "rules"\?/)]);
    rmSync(path);
    expect([await names(), await names()]).toEqual([['send'], ['send']]);
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]));
    expect(await names()).toEqual(['send']);
    expect(notes.slice(1)).toEqual([
      expect.stringMatching(/no such file/),
      expect.stringMatching(/is refused/),
    ]);
    writeFileSync(path, rules('pay'));
    expect(await Promise.all([names(), names()])).toEqual([['pay'], ['pay']]);
    expect(notes).toHaveLength(4);
  });

  it('refuses a file that is wrong at the beginning, and options that there are not', async () => {
    writeFileSync(path, 'version: 2\n');
    await expect(followSpecification(path)).rejects.toThrow('version must be 1');
    await expect(followSpecification(join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml/);
    await expect(followSpecification(path, { onnote: () => undefined } as never)).rejects.toThrow('onNote');
  });

  it('keeps no process alive', async () => {
    writeFileSync(path, rules('send'));
    const script = `import { followSpecification } from 'foreguard/node';
      setTimeout(() => { console.log('lives on'); process.exit(); }, 300_000).unref();
      process.on('exit', () => console.log('ended'));
      const followed = await followSpecification(${JSON.stringify(path)});
      console.log((await followed.next()).file.rules[0].name);`;
    expect((await printedBy(script)).split('\n').filter((line) => line !== '')).toEqual(['send', 'ended']);
  });
});
