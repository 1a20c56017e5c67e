import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AskedCall,
  AskReplay,
  askSession,
  askTools,
  type LiveAsk,
} from '../../bindings/rules/questions/index.js';
import {
  compileRules,
  parseSpecification,
  type Specification,
} from '../../bindings/rules/specification/index.js';
import { createSession, type RunRecord, type Verdict } from '../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard, type GuardFile } from '../../bindings/runtime/guard/index.js';
import { memoryTraces } from '../unit/enforcement/memoryTraces.js';

const RUNS = Number(process.env.QUESTION_RUNS ?? 25);

const RULES = [
  'G (sends -> O reads)',
  'G !(inHall & sends)',
  '!inBath W inHall',
  'G (inBath -> F<=2 inHall)',
  'G (reads -> WX !sends)',
  'G (count(sends) <= 1)',
  'F reads',
  'G (lastFailed -> !sends)',
];
const PREDICATES = {
  inHall: 'room == "hall"',
  inBath: 'room == "bath"',
  sends: 'action.name == "send"',
  reads: 'action.name == "read"',
  lastFailed: 'lastToolFailed',
};
const ACTIONS = {
  go: { arguments: { to: ['hall', 'bath', 'kitchen'] }, sets: 'in[to]', clears: 'in[*]' },
};

const known = new Map<string, Specification>();

function specificationOf(rules: readonly string[], strategy: string): Specification {
  const key = `${strategy} ${rules}`;
  const found = known.get(key) ?? parsed(rules, strategy);
  known.set(key, found);
  return found;
}

const parsed = (rules: readonly string[], strategy: string): Specification =>
  parseSpecification(
    JSON.stringify({
      version: 1,
      predicates: { ...PREDICATES, inKitchen: 'room == "kitchen"' },
      actions: ACTIONS,
      rules: Object.fromEntries(rules.map((formula, i) => [`r${i}`, { formula, strategy }])),
    }),
  );

const files = new Map<Specification, GuardFile>();

function guardOf(specification: Specification): Guard {
  const file = files.get(specification) ?? compileRules(specification);
  files.set(specification, file);
  return createGuard(file);
}

const call: fc.Arbitrary<AskedCall> = fc.oneof(
  fc.constantFrom('hall', 'bath', 'kitchen').map((to) => ({ name: 'go', arguments: { to } })),
  fc.constantFrom('send', 'read', 'unknown').map((name) => ({ name, arguments: {} })),
);

type Event =
  | { readonly kind: 'check'; readonly call: AskedCall }
  | { readonly kind: 'came'; readonly which: number; readonly how: 'ran' | 'failed' | 'withdrawn' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'ask'; readonly put: (live: LiveAsk) => Promise<unknown> };

const question: fc.Arbitrary<Event & { readonly kind: 'ask' }> = fc
  .oneof(
    call.map((one) => (live: LiveAsk) => live.may(one)),
    call.map((one) => (live: LiveAsk) => live.whyNot(one)),
    call.map((one) => (live: LiveAsk) => live.before(one)),
    call.map((one) => (live: LiveAsk) => live.instead(one)),
    fc.constantFrom(
      (live: LiveAsk) => live.owed(),
      (live: LiveAsk) => live.rules(),
      (live: LiveAsk) => live.instead(),
      (live: LiveAsk) => live.will('F inBath'),
      (live: LiveAsk) => live.question('may I send?'),
      (live: LiveAsk) => live.question('what must happen before I go to the bath?'),
      (live: LiveAsk) => live.question('will it rain?'),
    ),
  )
  .map((put) => ({ kind: 'ask', put }));
const events = (pending: boolean): fc.Arbitrary<Event[]> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: call.map((one): Event => ({ kind: 'check', call: one })) },
      {
        weight: pending ? 3 : 0,
        arbitrary: fc.record({
          kind: fc.constant('came' as const),
          which: fc.nat(3),
          how: fc.constantFrom('ran', 'failed', 'withdrawn'),
        }),
      },
      { weight: 1, arbitrary: fc.constant<Event>({ kind: 'idle' }) },
      { weight: 4, arbitrary: question },
    ),
    { maxLength: 12 },
  );

/** A run in a small world, whose room follows the calls that run. */
function runOf(specification: Specification, guard: Guard, maxPending: number) {
  const records: RunRecord[] = [];
  const record = memoryTraces();
  let room = 'kitchen';
  const session = createSession({
    guard,
    id: 'run',
    tools: ['go', 'send', 'read'],
    state: () => ({ room }),
    now: () => 0,
    maxPending,
    onFault: 'block',
    record,
    log: { append: (one) => void records.push(structuredClone(one)) },
  });
  const open: Verdict[] = [];
  let id = 0;
  const verdicts: unknown[] = [];
  const came = async (verdict: Verdict, how: 'ran' | 'failed' | 'withdrawn') => {
    if (how === 'withdrawn') return session.withdraw(verdict);
    if (how === 'ran' && verdict.call.name === 'go') room = String(verdict.call.arguments.to);
    await session.ran(verdict, how === 'ran' ? { result: 'ok' } : { error: 'no' });
  };
  const take = async (event: Exclude<Event, { kind: 'ask' }>): Promise<void> => {
    if (event.kind === 'idle') verdicts.push(await session.idle());
    else if (event.kind === 'came') {
      const [verdict] = open.splice(event.which % Math.max(1, open.length), 1);
      if (verdict !== undefined) await came(verdict, event.how);
    } else {
      const { name, arguments: given = {} } = event.call;
      const verdict = await session.check({ id: String(id++), name, arguments: given });
      verdicts.push(verdict);
      if (verdict.run === null) return;
      if (maxPending > 0) open.push(verdict);
      else await came(verdict, 'ran');
    }
  };
  /** All that the run shows: what was decided, kept and recorded, and where its guard stands. */
  const shown = () => {
    const own = records.filter(({ kind }) => kind !== 'asked').map((one) => ({ ...one, mark: '' }));
    const { rules, counters, history, observation } = guard;
    return JSON.stringify([
      verdicts,
      own,
      record.ended,
      rules,
      counters,
      history.length,
      [...observation.valuation],
    ]);
  };
  return { session, records, take, shown, specification };
}

const setups = fc.record({
  rules: fc.uniqueArray(fc.constantFrom(...RULES), { minLength: 1, maxLength: 3 }),
  strategy: fc.constantFrom('block', 'reflect', 'report'),
  maxPending: fc.constantFrom(0, 0, 2),
});

describe('questions about a live run', () => {
  it('change no decision, no record of a decision, no recording and no state; and are answered alike from the log', async () => {
    let [asked, replayed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        setups.chain((setup) => fc.tuple(fc.constant(setup), events(setup.maxPending > 0))),
        async ([{ rules, strategy, maxPending }, all]) => {
          const specification = specificationOf(rules, strategy);
          const [loud, silent] = [1, 2].map(() => runOf(specification, guardOf(specification), maxPending));
          const live = askSession({ specification, session: loud.session });
          for (const event of all) {
            if (event.kind === 'ask') {
              const before = loud.shown();
              await event.put(live);
              asked++;
              expect(loud.shown()).toBe(before);
            } else {
              await loud.take(event);
              await silent.take(event);
              expect(loud.shown()).toBe(silent.shown());
            }
          }
          for (const { session } of [loud, silent]) await session.end();
          expect(loud.shown()).toBe(silent.shown());
          const replay = new AskReplay(specification, [compileRules(specification)]);
          loud.records.forEach((record, i) => {
            replay.take(JSON.parse(JSON.stringify(record)) as RunRecord, i + 1);
          });
          expect(replay.difference).toBeNull();
          expect(replay.same).toBe(loud.records.filter(({ kind }) => kind === 'asked').length);
          replayed += replay.same;
        },
      ),
      { numRuns: RUNS },
    );
    expect(asked).toBeGreaterThan(RUNS / 2);
    expect(replayed).toBe(asked);
  });

  it('foretell what the session decides on the call that is proposed next', async () => {
    const seen = { lets: 0, refuses: 0, yes: 0, no: 0 };
    await fc.assert(
      fc.asyncProperty(
        setups,
        fc.array(call, { minLength: 1, maxLength: 8 }),
        async ({ rules, strategy }, calls) => {
          const specification = specificationOf(rules, strategy);
          const run = runOf(specification, guardOf(specification), 0);
          const live = askSession({ specification, session: run.session });
          for (const one of calls) {
            const { answer, guard, rules: against } = await live.may(one);
            const name = one.name;
            const before = run.records.length;
            await run.take({ kind: 'check', call: one });
            const decision = run.records.slice(before).find((record) => record.kind === 'decision');
            const isLet = ['allow', 'report'].includes(decision?.decision ?? '');
            expect(guard?.lets, `${name} under ${rules}`).toBe(isLet);
            seen[isLet ? 'lets' : 'refuses']++;
            // What an effect breaks is not foreseen by a guard of the rules alone.
            if (answer !== 'unknown') seen[answer]++;
            if (!isLet) expect(answer, `${name} under ${rules}, ${strategy}`).toBe('no');
            if (strategy === 'block' && name !== 'go' && isLet) expect(against).toEqual([]);
          }
          await run.session.end();
        },
      ),
      { numRuns: RUNS },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  it('come from agents as anything at all, and are answered in words', async () => {
    const specification = specificationOf(RULES, 'block');
    const run = runOf(specification, guardOf(specification), 0);
    const tools = askTools({ specification, session: run.session });
    const hostile = fc.oneof(
      fc.anything(),
      fc.record({ tool: fc.anything(), arguments: fc.anything() }),
      fc.record({ question: fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.anything()) }),
      fc
        .tuple(fc.constantFrom('(', '!', 'F ', 'G F<=9999 ', 'may I ', 'will ', 'not '), fc.nat(600))
        .map(([part, times]) => ({ question: `will ${part.repeat(times)}a?` })),
    );
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom(...tools), async (args, tool) => {
        const before = run.shown();
        const text = await tool.answer(args);
        expect(typeof text).toBe('string');
        expect(text.length).toBeGreaterThan(0);
        expect(text.length).toBeLessThan(4100);
        expect(run.shown()).toBe(before);
      }),
      { numRuns: 4 * Math.min(RUNS, 200) },
    );
  });
});
