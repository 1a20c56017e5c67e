import { canonicalJson } from '../../base/canonicalJson.js';
import type { Inputs } from '../../languages/inputs/index.js';
import type { PolicySpecification } from '../../rules/specification/index.js';
import { loadParts } from '../../runtime/policy/index.js';
import { type Assignment, type Claim, Decider, holds } from '../../solvers/decide/index.js';
import { permitsOf } from '../policyProof/index.js';
import type { Example } from './draft.js';

/** A question to a person: what must be decided of an input on which readings of a request differ. */
export interface ReadingQuestion {
  readonly input: Assignment;
  /** How many of the readings that are left permit it, and deny it. */
  readonly permitting: number;
  readonly denying: number;
}

/** `either`: the person does not care. */
export type ReadingReply = 'permit' | 'deny' | 'either';

/** What a person's answers left of the readings of a request. */
export interface Clarification {
  /** The place in the list of the reading that is left; where several are, they differ only in inputs of which nobody cares, or was asked: the first. -1: none agrees. */
  readonly reading: number;
  /** Each answer but `either`, as an example. */
  readonly examples: readonly Example[];
  readonly questions: readonly (ReadingQuestion & { readonly reply: ReadingReply })[];
  /** Whether the readings that are left may still differ: the questions were spent, or a difference could not be decided. */
  readonly open: boolean;
}

interface Reading {
  readonly place: number;
  readonly permits: Claim;
}

/**
 * Tells readings of one request apart by inputs on which they differ: readings that decide alike are one; of the inputs found, the one that halves the readings most
 * evenly is asked about first (oracle-guided synthesis: Jha, Gulwani, Seshia, Tiwari 2010, doi:10.1145/1806799.1806833).
 *
 * @param readings policies over the same inputs, one policy each
 */
export async function clarify(
  readings: readonly PolicySpecification[],
  ask: (question: ReadingQuestion) => Promise<ReadingReply>,
  maxQuestions = 7,
): Promise<Clarification> {
  for (const { set } of readings) await loadParts(set);
  let left: Reading[] = readings.map(({ set }, place) => ({ place, permits: permitsOf(set.policies[0]) }));
  const [first] = readings;
  const inputs: Inputs = Object.fromEntries((first?.set.inputs ?? []).map((input) => [input.name, input]));
  const decider = new Decider(inputs);
  const examples: Example[] = [];
  const questions: (ReadingQuestion & { reply: ReadingReply })[] = [];
  const indifferent: Assignment[] = [];
  while (questions.length < maxQuestions) {
    const found = distinctions(left, decider, indifferent);
    left = found.left;
    const question = fairest(found.inputs, left);
    if (question === null)
      return { reading: left[0]?.place ?? -1, examples, questions, open: found.undecided };
    const reply = await ask(question);
    questions.push({ ...question, reply });
    if (reply === 'either') {
      indifferent.push(question.input);
      continue;
    }
    examples.push({ ...question.input, expect: reply });
    left = left.filter(({ permits }) => holds(permits, question.input) === (reply === 'permit'));
  }
  return { reading: left[0]?.place ?? -1, examples, questions, open: left.length > 1 };
}

/** Readings without those that decide as an earlier one does, and inputs on which two of them differ. */
function distinctions(
  readings: readonly Reading[],
  decider: Decider,
  indifferent: readonly Assignment[],
): { left: Reading[]; inputs: Assignment[]; undecided: boolean } {
  const left: Reading[] = [];
  const inputs: Assignment[] = [];
  let undecided = false;
  for (const one of readings) {
    let isNew = true;
    for (const other of left) {
      const differs = [
        { kind: 'and', of: [one.permits, { kind: 'not', of: other.permits }] },
        { kind: 'and', of: [other.permits, { kind: 'not', of: one.permits }] },
      ] as const satisfies readonly Claim[];
      const answers = differs.map((claim) => decider.find(claim));
      if (answers.every(({ kind }) => kind === 'none')) {
        isNew = false;
        break;
      }
      for (const answer of answers) {
        if (answer.kind === 'unknown') undecided = true;
        if (
          answer.kind === 'some' &&
          !indifferent.some((input) => canonicalJson(input) === canonicalJson(answer.input))
        )
          inputs.push(answer.input);
      }
    }
    if (isNew) left.push(one);
  }
  return { left, inputs, undecided };
}

function fairest(inputs: readonly Assignment[], readings: readonly Reading[]): ReadingQuestion | null {
  let best: ReadingQuestion | null = null;
  for (const input of inputs) {
    const permitting = readings.filter(({ permits }) => holds(permits, input)).length;
    const denying = readings.length - permitting;
    const evenness = Math.min(permitting, denying);
    if (evenness > (best === null ? 0 : Math.min(best.permitting, best.denying)))
      best = { input, permitting, denying };
  }
  return best;
}
