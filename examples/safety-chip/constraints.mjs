import { bindAutomaton, buildAutomaton } from 'foreguard';
import { equivalent } from 'foreguard/compare';
import { parseFormula, printFormula, readEnglish } from 'foreguard/english';
import { rooms } from './house.mjs';

/** The paper's families, avoidance and trigger patterns of Menghi et al. (2021, doi 10.1109/TSE.2019.2945329), in the words of a user. */
const templates = [
  {
    name: 'before',
    sentence: (a, b) => `Do not go to ${b.said} before you have been in ${a.said}.`,
    means: (a, b) => `!${b.predicate} W ${a.predicate}`,
  },
  {
    name: 'not after',
    sentence: (a, b) => `Once you have been in ${a.said}, never enter ${b.said}.`,
    means: (a, b) => `G (${a.predicate} -> G !${b.predicate})`,
  },
  {
    name: 'later',
    sentence: (a, b) => `Going to ${a.said} means you have to go to ${b.said} in the future.`,
    means: (a, b) => `G (${a.predicate} -> F ${b.predicate})`,
  },
  {
    name: 'at most once',
    sentence: (a) => `Enter ${a.said} at most once.`,
    means: ({ predicate: a }) => `G (${a} -> (${a} W (G !${a})))`,
  },
];

const predicates = rooms.map(({ predicate }) => predicate);

/** Exactly one room is the one where the agent is: what no run can break. */
export const oneRoom = rooms
  .map(({ predicate }) => [
    predicate,
    ...predicates.filter((other) => other !== predicate).map((o) => `!${o}`),
  ])
  .map((literals) => `(${literals.join(' && ')})`)
  .join(' || ');

/**
 * All sentences, each read by the reader of English: a `name`, what it means as a formula and (`means`) as its text, its automaton, and whether the reader had to ask which of
 * several readings was meant, and was told.
 *
 * @throws Error if the reader finds another meaning, or none
 */
export function readConstraints() {
  return templates.flatMap(({ name, sentence, means }) => {
    const pairs = rooms.flatMap((a) =>
      sentence.length === 1 ? [[a]] : rooms.filter((b) => b !== a).map((b) => [a, b]),
    );
    return pairs.map((pair) => {
      const text = sentence(...pair);
      const { formula, isAsked } = meant(text, parseFormula(means(...pair)));
      const automaton = buildAutomaton(formula);
      return {
        name: [name, ...pair.map((room) => room.name)].join(' ').replaceAll(' ', '_'),
        template: name,
        sentence: text,
        formula,
        means: printFormula(formula),
        isAsked,
        automaton,
        stepper: bindAutomaton(automaton, predicates),
      };
    });
  });
}

function meant(sentence, known) {
  const read = readEnglish(sentence, { predicates });
  const readings = read.kind === 'one' ? [read] : read.kind === 'ask' ? read.readings : [];
  const found = readings.find(({ formula }) => equivalent(formula, known));
  if (found === undefined)
    throw new Error(`"${sentence}" is not read as it is meant: ${JSON.stringify(read)}`);
  return { formula: found.formula, isAsked: read.kind === 'ask' };
}
