import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActionModel } from '../../../bindings/observations/effects/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createPlanner, foresightJudge } from '../../../bindings/runtime/explanation/index.js';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';

const ROOMS = ['kitchen', 'bath', 'hall'];
const written = (rules: string, rest = ''): string => `version: 1
predicates:
  inKitchen: room == "kitchen"
  inBath: { when: room == "bath", say: the robot is in the bathroom, not: the robot is not in the bathroom }
  inHall: room == "hall"
  doorOpen: door.open
  phones: action.name == "phone"
actions:
  walk: { arguments: { to: [kitchen, bath, hall] }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' }
  push: { may: doorOpen }
  open: { sets: doorOpen }
  wait: {}
${rest}
rules:
${rules}
`;
const ORDER = "  order: { formula: '!inBath W inHall' }";
const TOOLS = ['walk', 'push', 'open', 'wait', 'phone', 'fly'];
interface World {
  room: string;
  door: { open?: boolean };
}

async function session(rules: string, world: World, rest = '') {
  const specification = parseSpecification(written(rules, rest));
  const guard = await loadGuard(compileRules(specification));
  let id = 0;
  const made = createSession({
    judges: [guard, foresightJudge(specification)],
    tools: TOOLS,
    state: () => ({ ...world }),
  });
  return {
    made,
    decide: (name: string, args = {}) => made.decide({ id: `${id++}`, name, arguments: args }),
    async walk(to: string) {
      const decided = await made.decide({ id: `${id++}`, name: 'walk', arguments: { to } });
      if (decided.decision === 'allow') {
        world.room = to;
        await made.ran(decided, { result: null });
      }
      return decided;
    },
  };
}

describe('foresightJudge', () => {
  it('refuses a call by what it leads to, and names what is permitted, what changes least first', async () => {
    const { walk } = await session(ORDER, { room: 'kitchen', door: { open: false } });
    const refused = await walk('bath');
    expect(refused).toMatchObject({ decision: 'block', rule: 'order', reason: 'foreseen' });
    expect(refused.explanation).toBe(
      'walk leads to: the robot is in the bathroom; rule "order" (!inBath W inHall) can then no longer be kept.',
    );
    expect(refused.message).toBe(
      `This action is not permitted. ${refused.explanation} Permitted here: wait, the safest, push, open, walk[to=hall].`,
    );
    expect((await walk('hall')).decision).toBe('allow');
    expect((await walk('bath')).decision).toBe('allow');
  });

  it('refuses what may break a rule, and says nothing of calls that are not declared', async () => {
    const { decide } = await session("  shut: { formula: 'G !doorOpen', strategy: reflect }", {
      room: 'kitchen',
      door: { open: false },
    });
    const pushed = await decide('push');
    expect(pushed, pushed.explanation).toMatchObject({ decision: 'reflect', rule: 'shut' });
    expect(pushed.explanation).toMatch(/^push may lead to: doorOpen; rule "shut"/);
    expect((await decide('fly')).decision).toBe('allow');
  });

  it('leaves shadow rules, rules that nothing declared can break, and steps themselves to the guard', async () => {
    const rules = "  shut: { formula: 'G !doorOpen', enforce: false }\n  quiet: { formula: 'G !phones' }";
    const written = rules.replace('enforce: false', 'shadow: true');
    const { decide } = await session(written, { room: 'kitchen', door: { open: false } });
    expect((await decide('phone')).rule).toBe('quiet');
    expect((await decide('open')).decision).toBe('allow');
  });

  it('takes what cannot be read for either', async () => {
    const { decide } = await session("  shut: { formula: 'G (inKitchen -> !doorOpen)' }", {
      room: 'kitchen',
      door: {},
    });
    const judged = await decide('wait');
    expect(judged.decision).not.toBe('allow');
  });

  it('says what it cannot do', () => {
    expect(() =>
      foresightJudge(
        parseSpecification("version: 1\npredicates: { a: b }\nrules: { r: { formula: 'G a' } }"),
      ),
    ).toThrow(/declares no actions, so that nothing can be foreseen/);
    expect(() => foresightJudge(parseSpecification(written(ORDER, 'samplingPeriod: 1s')))).toThrow(
      /has a samplingPeriod, under which steps are not calls/,
    );
  });

  it('decides as the planner does, and again from what it read', () => {
    const rule = fc.constantFrom(
      '!inBath W inHall',
      'G !(doorOpen & inBath)',
      'G (inBath -> O phones)',
      'G count(doorOpen) <= 1',
      'G (inHall -> WX !inBath)',
    );
    const call = fc.oneof(
      fc.constantFrom(...ROOMS).map((to) => ({ name: 'walk', arguments: { to } })),
      fc.constantFrom('push', 'open', 'wait', 'phone').map((name) => ({ name, arguments: {} })),
    );
    let refusals = 0;
    fc.assert(
      fc.property(rule, fc.array(fc.tuple(call, fc.boolean()), { maxLength: 6 }), (formula, calls) => {
        const specification = parseSpecification(written(`  rule: { formula: '${formula}' }`));
        const { abstraction, exactPredicates, declaredActions, rules } = specification;
        const predicates = [...abstraction.predicates, ...exactPredicates];
        const model = createActionModel({ actions: declaredActions, predicates });
        const planner = createPlanner({ model, rules });
        const run = { id: 'r', isSafe: () => false, mayQuote: true };
        const judge = foresightJudge(specification).begin(run);
        const again = foresightJudge(specification).begin(run);
        const valuation = ({ room, door }: World) => ({
          inKitchen: room === 'kitchen',
          inBath: room === 'bath',
          inHall: room === 'hall',
          doorOpen: door.open === true,
        });
        let world: World = { room: 'kitchen', door: { open: false } };
        let position = planner.begin(valuation(world));
        for (const [number, [action, chance]] of calls.entries()) {
          const proposed = { id: `${number}`, ...action };
          const judged = judge.propose(proposed, { state: { ...world }, pending: [] });
          const foreseen = planner.foresee(position, action);
          // The guard beside it judges calls that are inexecutable or not declared.
          if (foreseen.verdict === 'permitted' || foreseen.verdict === 'refused')
            expect(judged.decision !== 'allow', formula).toBe(foreseen.verdict === 'refused');
          expect(again.decideAgain(JSON.parse(JSON.stringify(judged.read)), 'call')).toMatchObject({
            decision: judged.decision,
            reason: judged.reason,
          });
          if (judged.decision !== 'allow') {
            refusals++;
            expect(judged.alternatives, formula).toEqual(
              expect.arrayContaining(
                planner.permitted(position).map(({ text }) => text?.replace(/ (.*)$/, '[$1]')),
              ),
            );
            continue;
          }
          const before = world;
          if (action.name === 'walk') world = { ...world, room: (action.arguments as { to: string }).to };
          if (action.name === 'open') world = { ...world, door: { open: true } };
          if (action.name === 'push') world = { ...world, door: { open: chance } };
          const started = { number, name: action.name, call: proposed, read: judged.read, excused: [] };
          judge.started?.(started);
          again.started?.(started);
          const step = { ...valuation(before), phones: action.name === 'phone' };
          position = planner.advance(position, step, valuation(world));
        }
      }),
      { numRuns: 80 },
    );
    expect(refusals).toBeGreaterThan(5);
  });
});
