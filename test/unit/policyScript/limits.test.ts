import { describe, expect, it } from 'vitest';
import { readScript } from '../../../bindings/languages/policyScript/index.js';

const INPUTS = { a: { type: { kind: 'boolean' } }, t: { type: { kind: 'text', most: 10 } } } as const;
const script = (body: string) =>
  `import { permit, deny, domainOf, type Decision } from 'foreguard/policy';\nexport function p({ a, t }: { a: boolean; t: string }): Decision {\n${body}\n}`;

/** The problems of a script, of which the reader makes something in bounded time. */
function wrongWith(source: string): string {
  return readScript(source, INPUTS)
    .problems.map(({ message }) => message)
    .join('\n');
}

describe('scripts without measure', () => {
  const many = (text: string, count = 30_000) => text.repeat(count);
  it.each([
    ['parentheses', script(`return ${many('(')}a`)],
    ['signs', script(`if (${many('!')}a) return permit();`)],
    ['minus signs', script(`if (${many('- ')}1 < 2) return permit();`)],
    ['blocks', script(many('{'))],
    ['blocks with errors', script(many('{ @; '))],
    ['branches', script(`${many('if (a) ', 10_000)} return permit();`)],
    ['branches behind else', script(`${many('if (a) {} else ', 6000)} return permit();`)],
    ['choices', script(`return ${many('a ? permit() : ', 6000)} permit();`)],
    ['members', script(`if (t${many('.a')}) return permit();`)],
    ['calls', script(`if (t${many('()')}) return permit();`)],
    ['sums', script(`if (${many('1 + ', 20_000)}1 > 0) return permit();`)],
    ['connectives', script(`if (${many('a || ', 15_000)}a) return permit();`)],
    ['lists', script(`if (${many('[')}1) return permit();`)],
    ['arrows', script(`if ([t].some(${many('x => ', 15_000)}a)) return permit();`)],
    ['types', `export function p(i: ${many('(')}`],
    ['comments', script(many('/* '))],
    ['patterns', script(`if (${many('/[', 20_000)}) return permit();`)],
    ['a pattern', script(`if (/${many('(', 20_000)}/.test(t)) return permit();`)],
    ['templates', script(many('`${'))],
    ['texts', script(many("'"))],
    ['errors', script(many('let x = 1; ', 8000))],
    ['problems', script(many('§ '))],
    ['imports', many('import ', 14_000)],
    ['characters', 'x'.repeat(100_001)],
  ])('end in words: %s', (_, source) => {
    expect(wrongWith(source)).toMatch(/found .*, expected /);
  });

  it('end in words where consts would double the conditions at every step', () => {
    const consts = Array.from(
      { length: 60 },
      (_, i) => `const c${i + 1} = c${i} ? !c${i} : c${i} === a;`,
    ).join('\n');
    expect(
      wrongWith(script(`const c0 = t === 'x';\n${consts}\nreturn c60 ? permit() : deny('no');`)),
    ).toContain('too large');
    const texts = Array.from({ length: 60 }, (_, i) => `const c${i + 1} = c${i} + c${i};`).join('\n');
    expect(
      wrongWith(script(`const c0 = t;\n${texts}\nreturn c60 === 'x' ? permit() : deny('no');`)),
    ).toContain('too large');
    const lists = (depth: number): string =>
      depth === 0
        ? 'domainOf(t) === x0'
        : `['a', 'b', 'c', 'd', 'e', 'f'].some(x${depth - 1} => ${lists(depth - 1)})`;
    expect(wrongWith(script(`if (${lists(9)}) return permit();\nreturn deny('no');`))).toContain('too large');
  });

  it('keep small what follows branches that go on', () => {
    const body = Array.from(
      { length: 40 },
      (_, i) => `if (t.startsWith('${i}')) { if (a) return deny('${i}'); }`,
    ).join('\n');
    const { functions, problems } = readScript(script(`${body}\nreturn permit();`), INPUTS);
    expect(problems).toEqual([]);
    expect(functions[0].returns).toHaveLength(41);
    expect(functions[0].returns[40].expression.length).toBeLessThan(3000);
  });
});
