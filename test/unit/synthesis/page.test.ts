import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as policy from '../../../bindings/face/entries/policy.js';
import { foreguard } from '../cli/command.js';

it('the program of docs/synthesis.md runs, and prints a verified policy', async () => {
  const page = readFileSync(new URL('../../../docs/synthesis.md', import.meta.url), 'utf8');
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const [, names = '', body = ''] =
    /^import \{ (.*) \} from 'foreguard\/policy';\n([\s\S]*)$/.exec(program) ?? [];
  const printed: string[] = [];
  const console = { log: (line: string) => void printed.push(line) };
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  await new AsyncFunction('policy', 'console', `const { ${names} } = policy;\n${body}`)(policy, console);
  expect(printed[0]).toMatch(/^verified after \d+ policies$/);
  expect((await policy.verifyPolicies(policy.parsePolicies(printed[1]))).verified).toBe(true);
});

it('the first run of docs/synthesis.md prints what the page says', async () => {
  const page = readFileSync(new URL('../../../docs/synthesis.md', import.meta.url), 'utf8');
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'foreguard-synthesis-'));
  try {
    const [draft, refund] = [join(folder, 'draft.yaml'), join(folder, 'refund.yaml')];
    writeFileSync(draft, block('yaml'));
    expect(block('sh')).toContain('--model inductive -o refund.yaml');
    const { out, code } = await foreguard(
      'policy',
      'synthesize',
      draft,
      '--model',
      'inductive',
      '-o',
      refund,
    );
    expect(code).toBe(0);
    expect(out.replaceAll(`${folder}/`, '')).toBe(block('text'));
    expect(readFileSync(refund, 'utf8')).toContain('(cents > 0) && (cents <= 20000)');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
