// A case as a certificate's problem on draws, and the truth at its nodes.
import { BitSet } from '../../dist/check.js';
import { bindAutomaton, buildAutomaton, parseFormula } from '../../dist/index.js';
import { eventProblem, ruleProblem } from '../../dist/study.js';
import { deadlineChain, reach } from './truth.mjs';

/** Steps of the bounded forms. */
export const HORIZON = 4;

/**
 * @returns `{ problemOf(rows), ever, within }`: the problem on drawn rows, and per node the true probability of the bad event, ever and within
 * HORIZON steps; NaN where no run of the chain comes to
 */
export function open({ chain, bad, rule }) {
  return rule ? openRule(chain, rule) : openEvent(chain, bad);
}

function openEvent(chain, bad) {
  const states = chain.length;
  const end = states - 1;
  const event = { remain: BitSet.full(states), target: BitSet.of(states, [bad]), from: 0 };
  const truth = (steps) => {
    const values = reach(chain, new Set([bad]), steps);
    const start = chain[0].reduce((sum, [t, p]) => sum + p * values[t], 0);
    // Nodes: the states, the unseen, the start. As state 0 the start is no position of a path.
    return Float64Array.of(Number.NaN, ...values.slice(1), Number.NaN, start);
  };
  return {
    problemOf: (rows) => eventProblem(rows, states, { start: 0, end }, event),
    ever: truth(null),
    within: truth(HORIZON),
  };
}

function openRule(chain, rule) {
  const states = chain.length;
  const end = states - 1;
  const valuations = Uint32Array.from(
    chain,
    (_, s) => Number(rule.warned.includes(s)) + 2 * Number(rule.answered.includes(s)),
  );
  const view = { states, start: 0, end, predicates: ['warned', 'answered'], words: 1, valuations };
  const automaton = buildAutomaton(parseFormula(rule.formula));
  const stepper = bindAutomaton(automaton, view.predicates);
  const problemOf = (rows) => ruleProblem(rows, view, automaton, 'strong');

  const { rows, bad, first, nodes } = deadlineChain(chain, rule);
  // Which automaton state goes with which deadline: whatever runs come to both at once.
  const automatonState = nodes.map(() => -1);
  const queue = [];
  const arrive = (i, before) => {
    if (automatonState[i] >= 0 || nodes[i][0] === end) return;
    automatonState[i] = stepper.step(before, valuations, nodes[i][0]);
    queue.push(i);
  };
  for (const [i] of first) arrive(i, automaton.initial);
  for (const i of queue) for (const [next] of rows[i]) arrive(next, automatonState[i]);

  const truth = (steps) => {
    const values = reach(rows, bad, steps);
    return ({ nodeOf, nodes: count, start }) => {
      const result = new Float64Array(count).fill(Number.NaN);
      for (const [i, q] of automatonState.entries()) {
        if (q >= 0) result[nodeOf[nodes[i][0] * automaton.states + q]] = values[i];
      }
      result[start] = first.reduce((sum, [i, p]) => sum + p * values[i], 0);
      return result;
    };
  };
  const empty = {
    rowStart: new Uint32Array(states + 1),
    ...Object.fromEntries(['columns', 'counts', 'firstDraws'].map((key) => [key, []])),
    draws: new Float64Array(states),
    known: false,
  };
  const problem = problemOf(empty);
  return { problemOf, ever: truth(null)(problem), within: truth(HORIZON)(problem) };
}
