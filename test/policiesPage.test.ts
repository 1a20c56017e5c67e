import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './unit/cli/command.js';
import '../bindings/solvers/kernel/inline.js';

const page = readFileSync(new URL('../docs/policies.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'foreguard-policies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The policies of a section, and what it says is printed, in blocks. */
function section(title: string): { yaml: string; printed: string[] } {
  const [, text = ''] = new RegExp(`^## ${title}$([\\s\\S]*?)^## `, 'm').exec(page) ?? [];
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  const of = (...languages: string[]) =>
    blocks.filter(([, language]) => languages.includes(language)).map(([, , code]) => code);
  return { yaml: of('yaml')[0], printed: of('text', '') };
}

async function verify(
  name: string,
  yaml: string,
  ...options: string[]
): Promise<{ out: string; code: number }> {
  const path = join(folder, name);
  writeFileSync(path, yaml);
  const { out, code } = await foreguard('policy', 'verify', path, ...options);
  return { out: out.replaceAll(path, name), code };
}

const linesOf = (text: string) => text.trimEnd().split('\n');

describe('docs/policies.md', () => {
  it('shows what verifying its policies prints, and what a slip in each prints', async () => {
    for (const [title, name, right, slip] of [
      ['A policy that is refuted', 'mail.yaml', 'to.all(r, domainOf', 'to.exists(r, domainOf'],
      [
        'Five minutes with an MCP server',
        'policies.yaml',
        `'isUnder(path, "notes") && path`,
        `'path.startsWith("notes/") && path`,
      ],
    ]) {
      const { yaml, printed } = section(title);
      const proved = await verify(name, yaml);
      expect(proved.code).toBe(0);
      const expected = linesOf(printed[0]).filter((line) => line !== '…');
      expect(linesOf(proved.out)).toEqual(expect.arrayContaining(expected));

      expect(yaml).toContain(right);
      const refuted = await verify(name, yaml.replace(right, slip), '--no-mutants');
      expect(refuted.code).toBe(1);
      expect(linesOf(refuted.out)).toContain(printed.at(-1)?.trimEnd());
    }
  });

  it('says what its policy on paths decides', async () => {
    const { yaml } = section('Policies on paths');
    const policies = join(folder, 'paths.yaml');
    const call = join(folder, 'call.json');
    writeFileSync(policies, yaml);
    expect((await verify('paths.yaml', yaml, '--no-mutants')).code).toBe(0);
    const rows = [...page.matchAll(/^\| ((?:`[/~s][^`]*`(?:, )?)+) \| (permitted|denied)(?:: (.*))? \|$/gm)];
    expect(rows).toHaveLength(4);
    for (const [, paths, decision, why = ''] of rows)
      for (const [, path] of paths.matchAll(/`([^`]*)`/g)) {
        writeFileSync(call, JSON.stringify({ name: 'read_text_file', arguments: { path } }));
        const { out, code } = await foreguard('policy', 'ask', policies, call);
        expect([path, code]).toEqual([path, decision === 'permitted' ? 0 : 1]);
        if (why.startsWith('not in')) expect(out).toContain('only if one of these holds');
        if (why.startsWith('`inGit`')) expect(out).toContain('forbids');
        if (why.startsWith('`isUnder`')) expect(out).toContain('has no value');
      }
  });

  it('shows the risk of an agent under its policies, learnt from the runs that it tells of', async () => {
    const { yaml, printed } = section('Beside a learnt guard');
    const [spec, traces, model] = ['mail.yaml', 'runs.jsonl', 'model.umb'].map((name) => join(folder, name));
    const mail = (domain: string) => ({ name: 'send', arguments: { to: `a@${domain}.example` } });
    const [read, outside, inside] = [{ name: 'read', arguments: {} }, mail('evil'), mail('home')];
    const runs = [[read], [read], [read, outside], [read, inside], [outside], [inside]].map((calls, id) => {
      const steps = [...calls, undefined].map((action, i) => {
        const reads = calls.slice(0, i).filter((one) => one === read).length;
        return { state: { calls: { read: reads }, leaked: reads > 0 && calls[i - 1] === outside }, action };
      });
      return JSON.stringify({ id: `${id}`, steps });
    });
    writeFileSync(traces, runs.join('\n'));
    const risk = async (text: string) => {
      writeFileSync(spec, text);
      expect((await foreguard('learn', '-s', spec, '-t', traces, '-o', model)).code).toBe(0);
      return foreguard('risk', '-s', spec, '-m', model);
    };
    const { out } = await risk(yaml);
    for (const line of linesOf(printed[0]).filter((one) => one !== '…')) expect(linesOf(out)).toContain(line);
    const { out: json } = await foreguard('risk', '-s', spec, '-m', model, '--json');
    expect(JSON.parse(json).policies).toMatchObject({
      pairs: 5,
      forbidden: [{ action: 'send[outside]' }],
      ended: [],
    });
    const guard = join(folder, 'guard.json');
    const compiled = await foreguard('compile', '-s', spec, '-m', model, '-o', guard);
    expect(compiled.out).toContain(printed[0].trimEnd().split('\n').at(-1));
    expect(JSON.parse(readFileSync(guard, 'utf8')).actions.forbidden).toHaveLength(1);
    const without = await risk(yaml.slice(0, yaml.indexOf('inputs:')));
    expect(without.out).toContain('before the first step: 0.1666 to 0.1667');
    expect(without.out).not.toContain('policies');
  });

  it('shows what holds of a session', async () => {
    const { yaml, printed } = section('What holds of a session');
    const { out, code } = await verify('refunds.yaml', yaml, '--no-mutants');
    expect(code).toBe(1);
    for (const line of linesOf(printed[0])) expect(linesOf(out)).toContain(line);
  });
});
