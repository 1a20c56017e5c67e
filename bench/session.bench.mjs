// What a session takes to decide a call by rules alone: three exact rules over the history of calls, without a log and with a log that keeps each record in memory. The same
// rules written by hand are timed beside it, and their decisions compared first.
import { createSession } from '../dist/enforce.js';
import { loadGuard } from '../dist/guard.js';
import { compileRules, parseSpecification } from '../dist/rules.js';
import { SHORT } from './timing.mjs';

const CALLS = 50;
const RUNS = SHORT ? 40 : 2000;
const GOAL = 15;
const TOOLS = ['getCustomer', 'cancel', 'book', 'look'];

const specification = parseSpecification(`version: 1
predicates:
  cancels: 'action.name == "cancel"'
  identifies: 'action.name == "getCustomer"'
  writesAgain: 'action.name in ["cancel", "book"] && calls.cancel + calls.book >= 3'
  refundsTwice: 'action.name == "cancel" && history.exists(c, c.name == "cancel" && c.arguments.id == action.arguments.id)'
rules:
  identifyFirst: { formula: 'G (cancels -> O identifies)' }
  threeWrites: { formula: 'G !writesAgain' }
  onceEach: { formula: 'G !refundsTwice' }`);
const guard = await loadGuard(compileRules(specification));

let seed = 11;
/** Whole numbers below `n`, the same in every run. */
function below(n) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
}
const conversations = Array.from({ length: RUNS }, () =>
  Array.from({ length: CALLS }, (_, i) => ({
    id: String(i),
    name: TOOLS[below(TOOLS.length)],
    arguments: { id: below(3) },
  })),
);

/** The rules by hand: whether each call may run. */
function byHand() {
  const made = [];
  return ({ name, arguments: { id } }) => {
    const writes = made.filter((call) => call.name === 'cancel' || call.name === 'book');
    const may =
      name === 'cancel'
        ? made.some((call) => call.name === 'getCustomer') &&
          writes.length < 3 &&
          !made.some((call) => call.name === 'cancel' && call.id === id)
        : name !== 'book' || writes.length < 3;
    if (may) made.push({ name, id });
    return may;
  };
}

async function decided(log) {
  const times = [];
  const answers = [];
  for (const calls of conversations) {
    const session = createSession({ guard: guard.fork(), tools: TOOLS, ...log });
    for (const call of calls) {
      const begun = performance.now();
      const verdict = await session.decide(call);
      times.push(performance.now() - begun);
      answers.push(verdict.run !== null);
      if (verdict.run !== null) await session.ran(verdict, { result: null });
    }
    await session.end();
  }
  return { times, answers };
}

const plain = await decided({});
let records = 0;
const logged = await decided({ log: { append: () => void records++ } });
const hand = { times: [], answers: [] };
for (const calls of conversations) {
  const may = byHand();
  for (const call of calls) {
    const begun = performance.now();
    const answer = may(call);
    hand.times.push(performance.now() - begun);
    hand.answers.push(answer);
  }
}
for (const [i, answer] of hand.answers.entries())
  for (const { answers } of [plain, logged])
    if (answers[i] !== answer)
      throw new Error(`call ${i}: the session decided ${answers[i]}, the rules by hand ${answer}`);

const refused = hand.answers.filter((answer) => !answer).length;
console.log(
  `${hand.answers.length} calls, ${refused} refused by the session and by hand alike; ${records} records`,
);
console.log('| decision | median µs | 90th percentile | 99th percentile |\n| --- | --- | --- | --- |');
for (const [name, { times }] of Object.entries({
  'a session without a log': plain,
  'a session with a log': logged,
  'the same by hand': hand,
})) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (q) => (1000 * sorted[Math.floor(q * sorted.length)]).toFixed(1);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.9)} | ${at(0.99)} |`);
}
const median = 1000 * plain.times.toSorted((a, b) => a - b)[plain.times.length >> 1];
if (median > GOAL) console.log(`without a log: ${median.toFixed(1)} µs (goal ${GOAL})`);
