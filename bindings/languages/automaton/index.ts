export { type AtEnd, brokenAtEnd, violatedAtEnd } from './atEnd.js';
export { type Automaton, OPEN, SATISFIED, VIOLATED } from './automaton.js';
export { buildAutomaton } from './buildAutomaton.js';
export { type DrawnAutomaton, explicitAutomaton } from './explicitAutomaton.js';
export * from './ltl/index.js';
export { bindAutomaton, type Stepper } from './stepper.js';
export { statesAfterWords, successors, successorsUnder } from './successors.js';
export { LOST, TupleSuccessors } from './tupleSuccessors.js';
export { tuplesAfterWords } from './tuplesAfterWords.js';
