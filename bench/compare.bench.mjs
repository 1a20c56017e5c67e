// What does it cost to compare two rules? Goals for a pair of published robot missions: 1 ms in the median, 100 ms at the 99th percentile. Automata are built before;
// each pair is compared once, both ways, and each answer is checked by the automata themselves: they read the trace that was found.
//
//   npm run build && node bench/compare.bench.mjs [folder]      (default: ../shared/data/language beside the repository)
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { canonicalKey, compareRules } from '../dist/compare.js';
import { bindAutomaton, buildAutomaton, parseFormula } from '../dist/index.js';
import { SHORT } from './timing.mjs';

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../shared/data/language/', import.meta.url));

/** Rules that need no data: visits in every order, and answers in time. */
const OWN = ['a', 'b', 'c'].flatMap((name) => [
  `F (${name} & (F d))`,
  `(!${name} U d) & (F ${name})`,
  `G (${name} -> F<=20 d)`,
  `G (${name} -> ((X d) | (F (d & (O e)))))`,
]);

function rulesOf(file) {
  const path = `${FOLDER}/${file}`;
  if (!existsSync(path)) return null;
  return [...new Set(JSON.parse(readFileSync(path, 'utf8')).records.map(({ rule }) => rule))];
}

/** Fails unless the trace is one that `held` accepts and `broken` rejects. */
function check(held, broken, trace) {
  const names = Object.keys(trace[0]);
  const [ofHeld, ofBroken] = [held, broken].map((automaton) => {
    const stepper = bindAutomaton(automaton, names);
    const end = trace.reduce((q, step) => {
      const valuation = new Uint32Array(1 + (names.length >>> 5));
      for (const [i, name] of names.entries()) if (step[name]) valuation[i >>> 5] |= 1 << (i & 31);
      return stepper.step(q, valuation);
    }, automaton.initial);
    return automaton.accepting[end] === 1;
  });
  if (!ofHeld || ofBroken)
    throw new Error('a trace does not tell its rules apart: its time is not worth knowing');
}

function compareAll(name, rules) {
  const automata = rules.map((rule) => buildAutomaton(parseFormula(rule)));
  const keys = automata.map((automaton) => canonicalKey(automaton));
  const times = [];
  for (let i = 0; i < automata.length; i++)
    for (let j = 0; j < i; j++) {
      const start = performance.now();
      const { relation, firstOnly, secondOnly } = compareRules(automata[i], automata[j]);
      times.push(performance.now() - start);
      if ((relation === 'equivalent') !== (keys[i] === keys[j]))
        throw new Error(`${rules[i]}, ${rules[j]}: keys disagree`);
      if (firstOnly) check(automata[i], automata[j], firstOnly);
      if (secondOnly) check(automata[j], automata[i], secondOnly);
    }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2);
  console.log(`| ${name} | ${rules.length} | ${times.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`);
}

console.log(
  '| rules | how many | pairs | median ms | 99th percentile | longest |\n| --- | --- | --- | --- | --- | --- |',
);
compareAll('of this file', OWN);
const missions = rulesOf('lang2ltl-lifted.json');
const sentences = rulesOf('nl2spec-expert.json');
const patterns = rulesOf('dwyer-patterns.json');
if (missions === null) console.log(`${FOLDER} is absent: not measured`);
else {
  compareAll('robot missions (Lang2LTL)', missions);
  if (!SHORT) {
    compareAll('robot missions and sentences of experts (nl2spec)', [
      ...new Set([...missions, ...sentences]),
    ]);
    compareAll("Dwyer's patterns", patterns);
  }
}
