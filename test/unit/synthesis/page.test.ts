import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as policy from '../../../bindings/face/entries/policy.js';

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
