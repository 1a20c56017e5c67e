import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftedRules } from '../../bindings/face/cli/init/draftedRules.js';
import { effectOf } from '../../bindings/face/cli/init/effects.js';
import { argumentsOf } from '../../bindings/face/cli/init/toolArguments.js';
import { readTools } from '../../bindings/face/cli/init/toolDescription.js';
import { loadRegexEngine } from '../../bindings/languages/expression/index.js';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { createSession } from '../../bindings/runtime/enforcement/index.js';
import { loadGuard } from '../../bindings/runtime/guard/index.js';

const reader = {
  name: 'read_file',
  description: 'Read a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const SECRET = ['.env', '.env.local', '.netrc', 'id_rsa', 'site.pem', '.npmrc'];

/** Decides on calls that read a file, by the drafted rule alone. */
async function readsUnderDraft() {
  await loadRegexEngine();
  const tools = readTools([reader], 'tools').map((tool) => ({
    ...tool,
    ...effectOf(tool),
    arguments: argumentsOf(tool.schema),
  }));
  const condition = draftedRules(tools).find(({ name }) => name === 'noSecretFiles')?.condition;
  const text = JSON.stringify({
    version: 1,
    predicates: { secret: `has(action.name) && ${condition}` },
    rules: { noSecretFiles: { formula: 'G !secret' } },
  });
  const guard = await loadGuard(compileRules(parseSpecification(text)));
  const session = createSession({ guard, tools: ['read_file'], onFault: 'block', maxPending: 6 });
  let id = 0;
  return async (path: string) => {
    const verdict = await session.decide({ id: String(id++), name: 'read_file', arguments: { path } });
    if (verdict.run !== null) await session.ran(verdict, { result: '' });
    return verdict.decision;
  };
}

describe('the drafted rule on files with secrets', () => {
  it('stops every path that ends at one, in whatever words', async () => {
    const decide = await readsUnderDraft();
    const part = fc.constantFrom('', '.', '..', 'x', 'notes.txt', ...SECRET);
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.boolean(), async (parts, absolute) => {
        const path = `${absolute ? '/' : ''}${parts.join('/')}`;
        if (SECRET.includes(posix.basename(posix.resolve('/srv/web/deep/er', path))))
          expect(await decide(path), path).toBe('block');
        // Names without a secret one anywhere are read.
        if (!parts.some((name) => SECRET.includes(name))) expect(await decide(path), path).toBe('allow');
      }),
      {
        examples: [
          [['.env', ''], false],
          [['.', '.env', '.', ''], false],
          [['.env', 'x', '..'], true],
        ],
      },
    );
  });
});
