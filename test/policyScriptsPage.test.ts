import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import type { Inputs } from '../bindings/languages/inputs/index.js';
import { readScript } from '../bindings/languages/policyScript/index.js';
import { parsePolicies } from '../bindings/rules/specification/index.js';
import { foreguard } from './unit/cli/command.js';

const page = readFileSync(new URL('../docs/policy-scripts.md', import.meta.url), 'utf8');
const [script] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text);
const yaml = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'foreguard-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);
writeFileSync(path('mail.policy.ts'), script);
writeFileSync(path('policies.yaml'), yaml);
writeFileSync(path('older.yaml'), yaml.replace('mail.policy.ts', 'older.policy.ts'));
writeFileSync(path('older.policy.ts'), script.replace('tainted && !isInside', '!isInside'));
const call = (to: string[]) => {
  writeFileSync(
    path('call.json'),
    JSON.stringify({ name: 'send', arguments: { to }, state: { tainted: true } }),
  );
  return path('call.json');
};

const INPUTS: Inputs = {
  to: { type: { kind: 'list', of: { kind: 'text', most: 100 }, most: 10 } },
  title: { type: { kind: 'text', most: 100 } },
  note: { type: { kind: 'text', most: 100 }, optional: true },
  amount: { type: { kind: 'number' } },
  cents: { type: { kind: 'integer', least: 0, most: 100 } },
  secret: { type: { kind: 'boolean' } },
  mode: { type: { kind: 'enum', values: ['draft', 'final'] } },
};
const withCondition = (condition: string) =>
  readScript(
    `import { deny, domainOf, glob, permit, size, type Decision } from 'foreguard/policy';
import type { Inputs } from './inputs.js';
export function p({ to, title, note, amount, cents, secret, mode }: Inputs): Decision { return ${condition} ? permit() : deny('no'); }`,
    INPUTS,
  );
/** The rows of a table whose head begins with a word. */
const rows = (head: string) =>
  [...(page.split(`| ${head} |`)[1]?.split('\n\n')[0] ?? '').matchAll(/^\| (`+)(.*?) ?\1 \| (.*) \|$/gm)].map(
    ([, , written, rest]) => [written.trim().replaceAll('\\|', '|'), rest.replaceAll('\\|', '|')] as const,
  );

describe('docs/policy-scripts.md', () => {
  it('shows policies that are verified, with the lines of the script', async () => {
    const { out, code } = await foreguard('policy', 'verify', path('policies.yaml'));
    expect(code).toBe(0);
    const lines = out.replaceAll(`${folder}/`, '').split('\n');
    const shown = /```text\n(mail\.policy\.ts:[\s\S]*?)…/.exec(page)?.[1].trim().split('\n') ?? [];
    expect(shown.length).toBe(2);
    for (const line of shown) expect(lines).toContain(line);
    for (const [i, text] of script.split('\n').entries()) {
      const isReturn = /return (permit|deny)/.test(text);
      expect(
        lines.some((line) => line.startsWith(`mail.policy.ts:${i + 1}: proved: mail "`)),
        text,
      ).toBe(isReturn);
    }
  });

  it('has a function of which the commands say the lines', async () => {
    expect((await foreguard('policy', 'check', path('policies.yaml'))).out).toContain('mail decides send by');
    const denied = await foreguard('policy', 'ask', path('policies.yaml'), call(['x@evil.example']));
    expect(denied).toMatchObject({ code: 1 });
    expect(denied.out).toMatch(/Policy "mail": Private data were read.*\(.*mail\.policy\.ts:14\)/);
    expect((await foreguard('policy', 'ask', path('policies.yaml'), call(['x@home.example']))).code).toBe(0);
    const unread = await foreguard('policy', 'ask', path('policies.yaml'), call(['x']));
    expect(unread.out).toContain('a text is not of the form that it reads');
    const compared = await foreguard('policy', 'compare', path('older.yaml'), path('policies.yaml'));
    expect(compared.code).toBe(1);
    expect(compared.out).toMatch(/mail: looser; now permitted: .*mail\.policy\.ts:18\)/);
  });

  it('has errors with places in the script, beside those of the file of policies', async () => {
    writeFileSync(
      path('wrong.yaml'),
      yaml.replace('mail.policy.ts', 'wrong.policy.ts').replace('[send]', '3'),
    );
    writeFileSync(
      path('wrong.policy.ts'),
      script.replace('to.length === 0', 'to.length == 0').replace('permit();', 'true;'),
    );
    const { err, code } = await foreguard('policy', 'check', path('wrong.yaml'));
    expect(code).toBe(2);
    expect(err).toMatch(/wrong\.yaml:8:12: .*tools must be a list/);
    expect(err).toMatch(/wrong\.policy\.ts:12:17: found "==", expected ===/);
    expect(err).toMatch(/wrong\.policy\.ts:18:10: found no decision, expected permit\(\)/);
    rmSync(path('wrong.policy.ts'));
    expect((await foreguard('policy', 'check', path('wrong.yaml'))).err).toMatch(
      /wrong\.policy\.ts cannot be read: ENOENT/,
    );
  });

  it('has a script that TypeScript accepts', () => {
    const library = readFileSync(
      new URL('../bindings/languages/policyScript/library.ts', import.meta.url),
      'utf8',
    );
    const { outputText } = ts.transpileDeclaration(library, { compilerOptions: {} });
    writeFileSync(path('library.d.ts'), outputText);
    const program = ts.createProgram([path('mail.policy.ts')], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      noUncheckedIndexedAccess: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      types: [],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      paths: { 'foreguard/policy': [path('library.d.ts')] },
    });
    const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(path('mail.policy.ts')));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('says how scripts are read from a program', () => {
    expect(() => parsePolicies(yaml)).toThrow(
      /mail\.policy\.ts is another file, and nothing says how to read it/,
    );
    expect(() => parsePolicies(yaml, { read: () => 3 as unknown as string })).toThrow(/returned no text/);
    const { hash } = parsePolicies(yaml, { read: () => script });
    expect(parsePolicies(yaml, { read: () => `// a comment\n${script.replaceAll('  ', '    ')}` }).hash).toBe(
      hash,
    );
    expect(parsePolicies(yaml, { read: () => script.replace('Name a', 'Say the') }).hash).not.toBe(hash);
  });

  it.each(rows('script'))('%s is read', (written, rest) => {
    const { functions, problems } = withCondition(written);
    expect(problems).toEqual([]);
    expect(functions[0].returns[0].expression).toBe(rest.replace(/^`|`$/g, ''));
  });

  it.each(rows('refused'))('%s is refused', (written) => {
    expect(withCondition(written).problems.length).toBeGreaterThan(0);
  });

  it('has tables', () => {
    expect(rows('script').length).toBeGreaterThan(14);
    expect(rows('refused').length).toBeGreaterThan(16);
  });
});
