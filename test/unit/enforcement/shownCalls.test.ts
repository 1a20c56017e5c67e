import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableLines, printableName } from '../../../bindings/base/words.js';
import { type SessionOptions, shownQuestion } from '../../../bindings/runtime/enforcement/index.js';
import { guardThat, RISKY, setting } from './setting.js';

/** Line breaks, controls of terminals, and characters that turn the direction of text around or are not seen: from each code point to the next. */
const RANGES = '0-1f 7f-9f ad 61c 200b-200f 2028-202e 2060-206f feff'
  .split(' ')
  .map((range) => range.replace(/[0-9a-f]+/g, (code) => `\\u{${code}}`));
const FORGES = new RegExp(`[${RANGES.join('')}]`, 'u');

const forging = fc.constantFrom(
  '\n',
  '\r',
  '\u001b[2J',
  '\u0085',
  '\u009b',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u200b',
);
const text = fc
  .array(fc.oneof(forging, fc.string()), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));

async function asked(name: string, given: Record<string, unknown>, options: Partial<SessionOptions> = {}) {
  const { session } = setting({
    guard: guardThat({ strategy: { kind: 'inspect' } }),
    tools: [name],
    state: () => RISKY,
    ...options,
  });
  return session.check({ id: '1', name, arguments: given });
}

describe('a call as people are shown it', () => {
  it('is one line in questions, whatever its name and its arguments hold', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.dictionary(text, text), async (name, given) => {
        const { inspection } = await asked(name, given);
        expect(inspection?.call.name).toBe(name);
        expect(inspection?.question).not.toMatch(FORGES);
        for (const line of shownQuestion(inspection!)) expect(line).not.toMatch(FORGES);
        expect(inspection?.question).toContain(`Shall the agent call ${printableName(name)}?`);
      }),
      { numRuns: 300 },
    );
  });

  it('forges no line in what is said of a fault, or told to the agent', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        for (const options of [
          { tools: ['move'] },
          { tools: [name], state: () => Promise.reject(Error(name)) },
        ]) {
          const { explanation, message } = await asked(name, {}, options);
          for (const told of [explanation, message])
            expect(told?.split(printableLines(name)).join('')).not.toMatch(FORGES);
          expect(explanation).not.toMatch(/^[^:]*\n/);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('has its name in quotes where it is more than a word, and is not taken for doing nothing', async () => {
    const name = 'look? All is well. Shall the agent call move';
    expect((await asked(name, {})).inspection?.question).toContain(`Shall the agent call "${name}"? Step 0`);
    const nameless = (await asked('', {})).inspection;
    expect(nameless?.question).toMatch(/^Shall the agent call ""\? /);
    expect(shownQuestion(nameless!)[1]).toBe('"" {}');
    expect(printableName('say "yes"')).toBe(String.raw`"say \"yes\""`);
    expect(printableName('mcp.server/read_file:v-2')).toBe('mcp.server/read_file:v-2');
  });

  it('keeps all other characters', () => {
    const plain = 'Grüße, 世界 👍🏽 {"a":"b\\\\n"}';
    expect(printable(plain)).toBe(plain);
    expect(printableLines(`${plain}\n\t${plain}`)).toBe(`${plain}\n\t${plain}`);
    expect(printableLines('a\r\n\u001b')).toBe('a\\u{d}\n\\u{1b}');
  });
});
