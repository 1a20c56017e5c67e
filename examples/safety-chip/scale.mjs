import { createPruner } from 'foreguard/explain';
import { Random } from 'foreguard-worlds';
import { progress } from '../household/terminal.mjs';

/**
 * How long it takes to prepare so many rules, alone and jointly, and to judge a move under them. Rules are drawn over a house of `plan.rooms` rooms; a set may
 * contradict itself, which only the joint automaton sees.
 */
export function scaleOf(plan) {
  const random = new Random(plan.seeds.scale);
  const rooms = Array.from({ length: plan.rooms }, (_, i) => `in${i}`);
  const at = (room) => Object.fromEntries(rooms.map((name) => [name, name === room]));
  const pick = () => rooms[Math.floor(random.next() * rooms.length)];
  const draw = () => {
    const [a, b] = [pick(), pick()];
    const [before, notAfter, later] = [`!${b} W ${a}`, `G (${a} -> G !${b})`, `G (${a} -> F ${b})`];
    return a === b ? draw() : [before, notAfter, later][Math.floor(random.next() * 3)];
  };
  const formulas = new Set();
  while (formulas.size < Math.max(...plan.scale)) formulas.add(draw());
  const all = [...formulas].map((formula, i) => ({ name: `rule ${i}`, formula }));
  return plan.scale.map((size) => {
    const rules = all.slice(0, size);
    const row = { size };
    for (const jointly of [false, true]) {
      progress(`${size} rules${jointly ? ', jointly' : ''}`);
      row[jointly ? 'jointly' : 'alone'] = timed(rules, jointly, at, rooms, plan.decisions, random);
    }
    return row;
  });
}

/** Milliseconds to prepare, and microseconds to judge one move; what is refused as too large is said. */
function timed(rules, jointly, at, rooms, decisions, random) {
  const began = performance.now();
  let pruner;
  try {
    pruner = createPruner({ rules, jointly });
  } catch (error) {
    if (error.code !== 'not-supported') throw error;
    return { refused: error.message, milliseconds: performance.now() - began };
  }
  const milliseconds = performance.now() - began;
  pruner.observe(at(rooms[0]));
  const moves = Array.from({ length: decisions }, () => [
    at(rooms[Math.floor(random.next() * rooms.length)]),
  ]);
  for (const move of moves.slice(0, 200)) pruner.wouldViolate(move);
  const started = performance.now();
  for (const move of moves) pruner.wouldViolate(move);
  return { milliseconds, microseconds: (1000 * (performance.now() - started)) / moves.length };
}
