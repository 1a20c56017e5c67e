import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { answering } from './ownJudges.js';

const guardOf = (text: string) => createGuard(compileRules(parseSpecification(`version: 1\n${text}`)));

async function refusedAfter(text: string, tools: readonly string[], calls: readonly string[]) {
  const session = createSession({ guard: guardOf(text), tools });
  for (const [i, name] of calls.entries()) {
    const verdict = await session.check({ id: String(i), name, arguments: {} });
    if (verdict.run === null) return verdict.message;
    await session.ran(verdict, { result: null });
  }
  return null;
}

describe('what a refusal by exact rules says is permitted', () => {
  it('are the tools of which every call keeps all rules at this place', async () => {
    const rules = `predicates:
  opens: 'action.name == "open"'
  closes: 'action.name == "close"'
  sends: 'action.name == "send" && action.arguments.to != "ann"'
rules:
  shut: { formula: 'G (opens -> F[1,2] closes)', strategy: block }
  home: { formula: 'G !sends', strategy: block }
`;
    const tools = ['open', 'look', 'send', 'close'];
    // The third call is the last that may close. Only send reads its arguments.
    expect(await refusedAfter(rules, tools, ['open', 'look', 'look'])).toMatch(
      /Due at this step: closes\. Permitted here, whatever the arguments: close\.$/,
    );
    expect(await refusedAfter(rules, tools, ['send'])).toMatch(
      /Permitted here, whatever the arguments: open, look, close\.$/,
    );
  });

  it('are counted by the calls so far, and none where nothing is sure', async () => {
    const rules = `predicates: { write: 'action.name == "write"', many: 'action.name == "write" && calls.write >= 1' }
rules: { once: { formula: 'G !many', strategy: block } }
`;
    expect(await refusedAfter(rules, ['write', 'read'], ['write', 'write'])).toMatch(
      /Permitted here, whatever the arguments: read\.$/,
    );
    expect(await refusedAfter(rules, ['write'], ['write', 'write'])).not.toContain('Permitted');
    const stopping = rules.replace('block', 'stop');
    expect(await refusedAfter(stopping, ['write', 'read'], ['write', 'write'])).not.toContain('Permitted');
    const unread = `onUnreadable: block\n${rules}`;
    expect(await refusedAfter(unread, ['write', 'read'], ['write', 'write'])).not.toContain('Permitted');
  });

  it('are at most eight, and the number of the others', async () => {
    const tools = ['drop', ...Array.from({ length: 11 }, (_, i) => `tool${i}`)];
    const rules = `predicates: { drops: 'action.name == "drop"' }\nrules: { never: { formula: 'G !drops', strategy: block } }\n`;
    expect(await refusedAfter(rules, tools, ['drop'])).toMatch(/: tool0, .*tool7 and 3 more\.$/);
  });

  it('are exactly those that would have been let through, where rules read names and counts alone', async () => {
    const tools = ['a', 'b', 'c'];
    const atom = fc.constantFrom('a', 'b', 'c', 'many', 'O a', 'Y b', 'F[0,2] c', 'X a', 'b S a');
    const rule = fc
      .tuple(fc.constantFrom('->', '&', '|'), atom, atom, fc.boolean(), fc.constantFrom('G', 'F', ''))
      .map(
        ([operator, left, right, isNot, outer]) =>
          `${outer} (${isNot ? '!' : ''}(${left}) ${operator} (${right}))`,
      );
    let [listed, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { minLength: 1, maxLength: 2 }),
        fc.array(fc.constantFrom(...tools), { minLength: 1, maxLength: 6 }),
        async (formulas, calls) => {
          const text = `predicates:
${tools.map((tool) => `  ${tool}: 'action.name == "${tool}"'`).join('\n')}
  many: 'action.name == "a" && calls.a >= 2'
rules:
${formulas.map((formula, i) => `  r${i}: { formula: '${formula}', strategy: block }`).join('\n')}
`;
          const [guard, given] = [guardOf(text), [] as string[]];
          const lets = async (name: string): Promise<string | null> => {
            const session = createSession({ guard: guard.fork(), tools });
            let message: string | null = null;
            for (const [i, one] of [...given, name].entries()) {
              const verdict = await session.check({ id: String(i), name: one, arguments: {} });
              message = verdict.message;
              if (verdict.run !== null) await session.ran(verdict, { result: null });
              else if (i < given.length) throw new Error('it was let through before');
            }
            return message;
          };
          for (const call of calls) {
            const message = await lets(call);
            if (message === null) {
              given.push(call);
              continue;
            }
            refused++;
            const others = tools.filter((tool) => tool !== call);
            const permitted: string[] = [];
            for (const tool of others) if ((await lets(tool)) === null) permitted.push(tool);
            const said = / whatever the arguments: (.*)\.$/.exec(message)?.[1].split(', ') ?? [];
            listed += said.length;
            expect(said, `${text}${given} ${call}`).toEqual(permitted);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(Math.min(listed, refused)).toBeGreaterThan(5);
  });

  it('say what was due, without which the step breaks the rule and with which it does not', async () => {
    const formula = fc.constantFrom(
      'G (p -> F[0,2] q)',
      'G (p -> q)',
      'G (p -> X q)',
      'F[0,2] (p & q)',
      'G (p -> F[1,1] (q | p))',
      '(!p) U[0,3] q',
      'G !(p & Y p)',
    );
    let [due, others] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        formula,
        fc.array(fc.record({ p: fc.boolean(), q: fc.boolean() }), { minLength: 1, maxLength: 6 }),
        async (text, states) => {
          const guard = guardOf(
            `predicates: { p: 'p', q: 'q' }\nrules: { r: { formula: '${text}', strategy: block } }\n`,
          );
          const refusal = async (run: typeof states): Promise<{ at: number; message: string } | null> => {
            let at = 0;
            const session = createSession({ guard: guard.fork(), tools: ['go'], state: () => run[at] });
            for (; at < run.length; at++) {
              const verdict = await session.check({ id: String(at), name: 'go', arguments: {} });
              if (verdict.run === null) return { at, message: String(verdict.message) };
              await session.ran(verdict, { result: null });
            }
            return null;
          };
          const refused = await refusal(states);
          if (refused === null) return;
          const [, named] = /Due at this step: (.*?)\./.exec(refused.message) ?? [];
          if (named === undefined) {
            others++;
            return;
          }
          due++;
          const last = states[refused.at];
          const done = Object.fromEntries(named.split(' and ').map((name) => [name, true]));
          expect(Object.keys(done).some((name) => last[name as 'p' | 'q'])).toBe(false);
          const kept = [...states.slice(0, refused.at), { ...last, ...done }];
          expect(await refusal(kept), `${text} ${JSON.stringify(states)}`).toBeNull();
        },
      ),
      { numRuns: 150 },
    );
    expect(Math.min(due, others)).toBeGreaterThan(3);
  });

  it('is told for a judge of a user’s own, which may say what was due and what it keeps', async () => {
    const judge = (due: unknown) =>
      answering(() => ({ decision: 'block', read: {}, explanation: 'Not yet.', due }), {
        keeps: (tool) => tool === 'close',
      });
    const message = async (due: unknown) => {
      const session = createSession({
        judges: [judge(due)],
        tools: ['send', 'close', 'look'],
        replacements: { look: { name: 'look', arguments: {} } },
      });
      return (await session.check({ id: '1', name: 'send', arguments: {} })).message;
    };
    expect(await message(['the door is closed'])).toBe(
      'This action is not permitted. Not yet. Due at this step: the door is closed. Permitted here, whatever the arguments: close.',
    );
    expect(await message('the door')).toMatch(/due .*expected a list of names/);
  });
});
