import { buildAutomaton } from 'foreguard';
import { parseFormula } from 'foreguard/english';
import { createPruner } from 'foreguard/explain';
import { Random } from 'foreguard-worlds';
import { progress } from '../household/terminal.mjs';
import { shuffled } from './search.mjs';

/**
 * How long it takes to prepare so many rules, alone and jointly, how many states their automata have, and how long it takes to judge a move under them. Rules are drawn over a
 * house of `plan.rooms` rooms, of two kinds: `any`, which may contradict themselves, as only the joint automaton sees; and `kept`, which one run of the house keeps all.
 */
export function scaleOf(plan) {
  const random = new Random(plan.seeds.scale);
  const rooms = Array.from({ length: plan.rooms }, (_, i) => `in${i}`);
  const run = Array.from({ length: 2 * plan.rooms }, () => random.pick(rooms));
  const all = shuffled(rulesOver(rooms, run), random);
  const at = (room) => Object.fromEntries(rooms.map((name) => [name, name === room]));
  const moves = Array.from({ length: plan.decisions }, () => [at(random.pick(rooms))]);
  return ['any', 'kept'].map((kind) => {
    const drawn = all.filter(({ isKept }) => kind === 'any' || isKept);
    const rows = plan.scale.map((size) => {
      const rules = drawn.slice(0, size).map(({ formula }, i) => ({ name: `rule ${i}`, formula }));
      progress(`${size} rules of kind ${kind}`);
      const [alone, jointly] = [false, true].map((isJoint) => timed(rules, isJoint, at(rooms[0]), moves));
      return { size, alone, jointly };
    });
    return { kind, rows };
  });
}

/** Every rule of three forms over two rooms, and whether a run keeps it. */
function rulesOver(rooms, run) {
  const pairs = rooms.flatMap((a) => rooms.filter((b) => b !== a).map((b) => [a, b]));
  return pairs.flatMap(([a, b]) => {
    const [firstA, firstB, lastA, lastB] = [
      run.indexOf(a),
      run.indexOf(b),
      run.lastIndexOf(a),
      run.lastIndexOf(b),
    ];
    return [
      { formula: `!${b} W ${a}`, isKept: firstB < 0 || (firstA >= 0 && firstA < firstB) },
      { formula: `G (${a} -> G !${b})`, isKept: firstA < 0 || lastB < firstA },
      { formula: `G (${a} -> F ${b})`, isKept: lastA < lastB || firstA < 0 },
    ];
  });
}

/** Milliseconds to prepare, states of the automata, and microseconds to judge one move; what is refused as too large is said. */
function timed(rules, jointly, first, moves) {
  const began = performance.now();
  let pruner;
  try {
    pruner = createPruner({ rules, jointly });
  } catch (error) {
    if (error.code !== 'not-supported') throw error;
    return { refused: error.message, milliseconds: performance.now() - began };
  }
  const milliseconds = performance.now() - began;
  pruner.observe(first);
  for (const move of moves.slice(0, 200)) pruner.wouldViolate(move);
  const started = performance.now();
  for (const move of moves) pruner.wouldViolate(move);
  const microseconds = (1000 * (performance.now() - started)) / moves.length;
  return { milliseconds, states: statesOf(rules, jointly), microseconds };
}

/** States of the joint automaton, or of all automata together. */
function statesOf(rules, jointly) {
  const formulas = rules.map(({ formula }) => formula);
  const texts = jointly ? [formulas.map((text) => `(${text})`).join(' & ')] : formulas;
  return texts.reduce((sum, text) => sum + buildAutomaton(parseFormula(text)).states, 0);
}
