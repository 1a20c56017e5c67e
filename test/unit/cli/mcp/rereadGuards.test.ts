import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rereadGuards } from '../../../../bindings/face/cli/mcp/rereadGuards.js';
import {
  compileRules,
  parseSpecification,
  unlistedTools,
} from '../../../../bindings/rules/specification/index.js';
import type { Guard } from '../../../../bindings/runtime/guard/index.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-reread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rules = (tool: string): string =>
  `version: 1\npredicates: { p: 'action.name == "${tool}"' }\nrules: { ${tool}: { formula: 'G !p' } }\n`;

/** The names of the rules of the next run, and what was noted. */
async function opened(spec: string, guard?: string) {
  const notes: string[] = [];
  const prepare = ({ guards }: { guards: readonly Guard[] }) =>
    guards.flatMap(({ file }) => file.rules.map(({ name }) => name));
  const next = await rereadGuards({ spec, ...(guard !== undefined && { guard }) }, prepare, (text) =>
    notes.push(text),
  );
  return { next, notes };
}

describe('rereadGuards', () => {
  const spec = join(folder, 'spec.yaml');

  it('gives the next run the specification as it then stands, and notes its hash once', async () => {
    writeFileSync(spec, rules('send'));
    const { next, notes } = await opened(spec);
    expect(await next()).toEqual(['send']);
    writeFileSync(spec, rules('pay'));
    expect(await next()).toEqual(['pay']);
    expect(await next()).toEqual(['pay']);
    const { hash } = parseSpecification(rules('pay'));
    expect(notes).toEqual([
      `${spec} has changed: from this run on its rules are enforced as they stand now (specification ${hash})`,
    ]);
  });

  it('gives the new rules to all who ask while they are being read', async () => {
    writeFileSync(spec, rules('send'));
    const { next } = await opened(spec);
    writeFileSync(spec, rules('pay'));
    expect(await Promise.all([next(), next(), next()])).toEqual([['pay'], ['pay'], ['pay']]);
  });

  it('keeps the rules before one that is wrong or gone, says so once, and takes it when it is mended', async () => {
    writeFileSync(spec, rules('send'));
    const { next, notes } = await opened(spec);
    writeFileSync(spec, 'version: 1\nrule: {}\n');
    expect([await next(), await next()]).toEqual([['send'], ['send']]);
    expect(notes).toEqual([
      expect.stringMatching(
        /has changed and is refused, so runs still follow it as it was: .*spec\.yaml:2:1: unknown key "rule".*did you mean "rules"\?/,
      ),
    ]);
    rmSync(spec);
    expect([await next(), await next()]).toEqual([['send'], ['send']]);
    expect(notes.slice(1)).toEqual([expect.stringMatching(/is refused.*no such file/)]);
    writeFileSync(spec, rules('pay'));
    expect(await next()).toEqual(['pay']);
  });

  it('keeps a compiled guard beside it as it was', async () => {
    const guard = join(folder, 'guard.json');
    writeFileSync(guard, JSON.stringify(compileRules(parseSpecification(rules('look')))));
    writeFileSync(spec, rules('send'));
    const { next } = await opened(spec, guard);
    writeFileSync(guard, JSON.stringify(compileRules(parseSpecification(rules('other')))));
    writeFileSync(spec, rules('pay'));
    expect(await next()).toEqual(['look', 'pay']);
  });

  it('refuses a specification that is wrong at the beginning', async () => {
    writeFileSync(spec, 'version: 1\n');
    await expect(opened(spec)).rejects.toThrow('the specification has no rules');
  });
});

describe('unlistedTools', () => {
  const file = (predicate: string) =>
    compileRules(
      parseSpecification(
        `version: 1\npredicates: { p: '${predicate}' }\nrules: { r: { formula: 'G !p' } }\n`,
      ),
    );

  it('names the tools that a server lacks, with the nearest that it has', () => {
    const files = [
      file('action.name in ["send", "wrte_file"]'),
      file('calls.wrte_file > 2 || calls.fly > 2'),
    ];
    expect(unlistedTools(['send', 'write_file'], files, { by: 'the server' })).toEqual([
      'predicate "p" names the tool "wrte_file", which the server does not list; did you mean "write_file"?',
      'predicate "p" names the tool "fly", which the server does not list; it lists send, write_file',
    ]);
    expect(unlistedTools(['send', 'wrte_file', 'fly'], files)).toEqual([]);
  });
});
