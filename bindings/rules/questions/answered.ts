import { InvalidDataError } from '../../base/errors.js';
import type { AskedContent, AskedReading } from '../../runtime/enforcement/index.js';
import type { Answer, GuardAnswer } from './answers.js';
import { Questions } from './asking.js';
import type { AskParts } from './before.js';
import type { Reading } from './beliefs.js';
import type { Knowledge } from './knowledge.js';
import { type AskedCall, callText } from './moves.js';
import { type Present, readStep, type Situation, together } from './run.js';

/** A question as it is put, and recorded. */
export interface Put {
  readonly question: 'may' | 'whyNot' | 'instead' | 'before' | 'owed' | 'will' | 'rules' | 'question';
  /** The call, the text or the formula; null if it is about nothing. */
  readonly about: unknown;
  /** What stands before the answer, of the run. */
  readonly said: readonly string[];
}

/** Answers a question in a situation. */
export function answered(
  parts: AskParts,
  situation: Situation,
  { question, about, said }: Put,
  guardOn: (call: AskedCall) => GuardAnswer | null,
): Answer {
  const found = answerOf(new Questions(parts, situation, { guardOn }), question, about);
  return said.length === 0 ? found : { ...found, text: [...said, found.text].join('\n') };
}

function answerOf(at: Questions, question: Put['question'], about: unknown): Answer {
  switch (question) {
    case 'may':
      return at.may(about as AskedCall);
    case 'whyNot':
      return at.whyNot(about as AskedCall);
    case 'instead': {
      const { wanted, candidates } = about as Record<'wanted' | 'candidates', never>;
      return at.instead(wanted, candidates);
    }
    case 'before':
      return at.before(about as AskedCall | string);
    case 'owed':
      return at.owed();
    case 'will':
      return at.will(about as string);
    case 'rules':
      return at.rules();
    case 'question':
      return at.question(about as string);
    default:
      throw new InvalidDataError(`there is no question "${String(question)}"`);
  }
}

/** Keeps what an answer was found from, beside the run: so that it can be found again. */
export class AnswerNotes {
  readonly now: Reading;
  readonly #knowledge: Knowledge;
  readonly #present: Present;
  readonly #read = new Map<string, Reading>();
  readonly #decided = new Map<string, GuardAnswer>();

  constructor(knowledge: Knowledge, present: Present) {
    this.#knowledge = knowledge;
    this.#present = present;
    this.now = present.now;
  }

  /** The step at hand with its call. */
  read(call: AskedCall): Reading {
    const reading = this.#present.read(call);
    const plain = withCallAlone(this.#knowledge, this.now, call);
    if (!isSame(plain.known, reading.known) || !isSame(plain.valuation, reading.valuation))
      this.#read.set(callText(call), reading);
    return reading;
  }

  decided(call: AskedCall, answer: GuardAnswer): GuardAnswer {
    this.#decided.set(callText(call), answer);
    return answer;
  }

  record({ question, about, said }: Put, answer: Answer, { knowledge, limits }: AskParts): AskedContent {
    const calls = Object.fromEntries([...this.#read].map(([text, reading]) => [text, asRecorded(reading)]));
    return {
      specification: knowledge.specification.hash,
      question,
      about,
      answer: 'answer' in answer ? `${answer.kind}: ${answer.answer}` : answer.kind,
      text: answer.text,
      ...(said.length > 0 && { said }),
      read: asRecorded(this.now),
      ...(this.#read.size > 0 && { calls }),
      ...(this.#decided.size > 0 && { decided: Object.fromEntries(this.#decided) }),
      // JSON has no infinity.
      limits: Object.fromEntries(Object.entries(limits).filter(([, most]) => Number.isFinite(most))),
    };
  }
}

/** The step at hand with a call, from what is read of the state and of the call apart. */
export function withCallAlone(knowledge: Knowledge, now: Reading, call: AskedCall): Reading {
  const action = { name: call.name, arguments: call.arguments ?? {} };
  return together(now, readStep(knowledge, null, { action }));
}

function asRecorded({ valuation, known }: Reading): AskedReading {
  return { valuation: [...valuation], known: [...known] };
}

function isSame(one: Uint32Array, other: Uint32Array): boolean {
  return one.every((word, w) => word === other[w]);
}
