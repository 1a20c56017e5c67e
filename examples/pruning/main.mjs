// A language model proposes what a household robot does next, and what it expects after each; rules say which may be done.
import { createPruner } from '../../dist/explain.js';

const pruner = createPruner({
  rules: [
    { name: 'no metal in a running microwave', formula: 'G !(forkInside & microwaveOn)' },
    { name: 'stove off in time', formula: 'G (stoveOn -> F<=3 !stoveOn)' },
    { name: 'stay with the stove', formula: 'G !(outside & stoveOn)' },
  ],
  constraints: { state: '!(microwaveOn && doorOpen)' },
});

const start = { forkInside: false, microwaveOn: false, doorOpen: false, stoveOn: false, outside: false };
// Per turn the proposals with what they change, and the one of those permitted that is taken.
const turns = [
  [{ 'open microwave': { doorOpen: true }, 'light stove': { stoveOn: true } }, 'light stove'],
  [{ 'warm fork': { forkInside: true, microwaveOn: true }, shop: { outside: true }, stir: {} }, 'stir'],
  [{ 'put fork inside': { forkInside: true }, stir: {} }, 'put fork inside'],
  [{ stir: {}, 'stove off': { stoveOn: false } }, 'stove off'],
];

let now = start;
pruner.observe(now);
for (const [changes, taken] of turns) {
  const { permitted, refused } = pruner.filterActions(
    Object.entries(changes).map(([action, change]) => ({ action, valuation: { ...now, ...change } })),
  );
  console.log(`permitted: ${permitted.join(', ')}`);
  for (const { action, explanation } of refused) console.log(`  not ${action}: ${explanation}`);
  if (!permitted.includes(taken)) throw new Error(`${taken} is refused`);
  now = { ...now, ...changes[taken] };
  pruner.observe(now);
}
const plan = [{ ...now, doorOpen: true }, now, { ...now, microwaveOn: true }];
const { step, explanation } = pruner.wouldViolate(plan);
console.log(`the plan to open, close and start fails at its step ${step}: ${explanation}`);
