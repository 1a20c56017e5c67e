import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonicalJson.js';
import { ForeguardError, InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { Generations, type Storage } from '../../base/storage/index.js';
import { describeValue, refuseUnknownOptions } from '../../base/suggest.js';
import { printableName, wordsOf } from '../../base/words.js';
import type { Answer, Ask, Inspection } from './inspection.js';
import { InspectionSeal, isSameSeal } from './inspectionSeal.js';

/** A folder of files that holds only questions and answers. `foreguard/node` has the implementation for Node. */
export interface InspectionFolder extends Storage {
  /** The names of all files, in any order. */
  list(): Promise<readonly string[]>;
  /** Removes a file, if it exists. */
  remove(path: string): Promise<void>;
}

/** A question with its status. */
export interface KeptInspection {
  readonly inspection: Inspection;
  /** `expired`: nobody answered in time, which counts as a refusal, even if an answer comes later. */
  readonly status: 'open' | 'answered' | 'expired';
  /** Null if nobody has answered in time. */
  readonly answer: (Answer & { readonly answeredAt: number }) | null;
}

/** Options of an `InspectionStore`. */
export interface InspectionStoreOptions {
  /**
   * A random secret of at least 32 characters or bytes, shared by the process that asks and the process that answers, and unknown to the agent and its tools.
   * Questions and answers are sealed with it (HMAC-SHA-256): files that others write to the folder are ignored.
   */
  readonly key: string | Uint8Array;
  /** Called once for each file that no holder of the key wrote; its content is ignored. */
  readonly onNote?: (text: string) => void;
  /** How often `ask` looks for an answer of another process; default 250 milliseconds. */
  readonly pollMs?: number;
  /** Milliseconds since 1970; default: the clock. The clocks of the asking and the answering process must agree. */
  readonly now?: () => number;
}

interface Question {
  readonly inspection: Inspection;
  /** The process that asked has gone on without an answer. */
  readonly expired: boolean;
}

type GivenAnswer = NonNullable<KeptInspection['answer']>;

/**
 * Questions to people that outlast the process that asks: each keeps its deadline from when it was first asked, and an answer given in time counts even if no
 * process was waiting for it.
 *
 * A question is one file, written by the process that asks, and its answer another, written by the process that answers; any number of processes may therefore
 * share one folder. If two people answer the same question at the same moment, either answer may be taken: the audit log records which one was acted on.
 *
 * A process that can write to the folder can remove and damage questions and answers, which then count as refused. An approval needs the key.
 */
export class InspectionStore {
  readonly #folder: InspectionFolder;
  readonly #seal: InspectionSeal;
  readonly #onNote: (text: string) => void;
  /** Files that were already reported to `onNote`. */
  readonly #noted = new Set<string>();
  readonly #pollMs: number;
  readonly #now: () => number;
  /** Waiting callers of this process, by question. */
  readonly #waiting = new Map<string, Set<() => void>>();

  /** @throws InvalidArgumentError if the key is too short, or `pollMs` is not a valid time */
  constructor(folder: InspectionFolder, options: InspectionStoreOptions) {
    refuseUnknownOptions('InspectionStore', options ?? {}, {
      key: true,
      onNote: true,
      pollMs: true,
      now: true,
    });
    const { key, onNote = () => undefined, pollMs = 250, now = Date.now } = options ?? {};
    this.#seal = new InspectionSeal(key);
    this.#onNote = onNote;
    if (!(pollMs > 0 && pollMs < 2 ** 31))
      throw new InvalidArgumentError(`pollMs is ${pollMs}; expected milliseconds above 0`);
    this.#folder = folder;
    this.#pollMs = pollMs;
    this.#now = now;
  }

  /**
   * Asks a question and waits for the answer, from whichever process it comes: the `ask` of a session.
   * @throws ForeguardError (rejects) of code `no-answer` once the question has expired; the reason of the signal; as `open`
   */
  readonly ask: Ask = async (inspection, signal) => {
    let kept = await this.open(inspection);
    while (kept.status === 'open') {
      const leftMs = kept.inspection.expiresAt - this.#now();
      await this.#wait(inspection.id, Math.min(this.#pollMs, Math.max(0, leftMs) + 1), signal);
      kept = (await this.find(inspection.id)) ?? kept;
    }
    if (kept.answer !== null) return kept.answer;
    await this.#write(inspection.id, { inspection: kept.inspection, expired: true });
    throw new ForeguardError(
      'no-answer',
      `nobody answered inspection ${inspection.id} until ${new Date(kept.inspection.expiresAt).toISOString()}`,
    );
  };

  /**
   * Stores a question. A question that is already stored remains as it is, with its deadline and its answer.
   * @throws InvalidDataError (rejects) if another question was asked under the same id, or the stored question is damaged
   */
  async open(inspection: Inspection): Promise<KeptInspection> {
    if (!Number.isFinite(inspection.expiresAt))
      throw new InvalidArgumentError(
        `expiresAt is ${inspection.expiresAt}; expected milliseconds since 1970`,
      );
    const kept = await this.find(inspection.id);
    if (kept === null) {
      await this.#write(inspection.id, { inspection, expired: false });
      return (await this.find(inspection.id)) as KeptInspection;
    }
    if (contentOf(kept.inspection) === contentOf(inspection)) return kept;
    throw new InvalidDataError(
      `inspection ${inspection.id} is kept with another question, about ${printableName(kept.inspection.call.name)}; an answer to that says nothing about this one`,
    );
  }

  /**
   * Answers an open question.
   * @throws InvalidArgumentError (rejects) if there is no such question, it has an answer, or it has expired; or if the answer has other arguments, and is a no, or
   * the question takes none
   */
  async answer(id: string, { approved, by, comment, arguments: given }: Answer): Promise<KeptInspection> {
    if (typeof approved !== 'boolean')
      throw new InvalidArgumentError(`approved is ${JSON.stringify(approved)}; expected true or false`);
    if (given !== undefined && !isObject(given))
      throw new InvalidArgumentError(
        `the arguments of the answer are ${describeValue(given)}; expected an object with all arguments of the call`,
      );
    if (given !== undefined && !approved)
      throw new InvalidArgumentError(
        'the answer is no, and has arguments for the call to run with; leave them out',
      );
    const before = await this.find(id);
    if (before === null)
      throw new InvalidArgumentError(`there is no inspection ${id}; list those that are open`);
    if (before.status !== 'open') throw closed(before);
    if (given !== undefined && before.inspection.editable !== true)
      throw new InvalidArgumentError(
        `inspection ${id} takes no other arguments: its session was begun without edits: true; approve the call as it is, or refuse it with a comment`,
      );
    const answer = {
      approved,
      ...(by !== undefined && { by }),
      ...(comment !== undefined && { comment }),
      // As it is read again: plain JSON.
      ...(given !== undefined && { arguments: JSON.parse(JSON.stringify(given)) as typeof given }),
      answeredAt: this.#now(),
    };
    const mac = this.#seal.ofAnswer(before.inspection, answer);
    await this.#answers(id).write(JSON.stringify({ ...answer, mac }));
    const after = await this.find(id);
    if (after?.status !== 'answered') throw closed(after ?? before);
    for (const wake of this.#waiting.get(id) ?? []) wake();
    return after;
  }

  /** Returns a stored question, or null. @throws InvalidDataError (rejects) if the question or its answer is damaged, or no holder of the key has asked it */
  async find(id: string): Promise<KeptInspection | null> {
    const kept = await this.#questions(id).read();
    if (kept === null) return null;
    const question = this.#readQuestion(kept.content);
    if (question !== null && question.inspection.id === id) return this.#judge(question);
    throw new InvalidDataError(
      `inspection ${id} was not asked with this key: it was written by somebody else, or the keys of who asks and who answers differ`,
    );
  }

  /**
   * Lists all stored questions that were asked with the key, the earliest deadline first.
   *
   * @param onDamaged called for each question that cannot be read, or whose answer cannot: it is left out, and counts as refused. Default: `onNote`.
   */
  async list(onDamaged: (text: string) => void = this.#onNote): Promise<KeptInspection[]> {
    const names = new Set(
      (await this.#folder.list()).flatMap((name) => /^(question-[0-9a-f]{64})\.[01]$/.exec(name)?.[1] ?? []),
    );
    const all: KeptInspection[] = [];
    for (const name of names) {
      try {
        const kept = await new Generations(this.#folder, name).read();
        if (kept === null) continue;
        const question = this.#readQuestion(kept.content);
        if (question !== null && nameOf('question', question.inspection.id) === name)
          all.push(await this.#judge(question));
        else this.#note(name, 'a question that was not asked with this key, and is not shown');
      } catch (error) {
        onDamaged(`${name} cannot be read, is not shown, and counts as refused: ${wordsOf(error)}`);
      }
    }
    return all.sort((a, b) => a.inspection.expiresAt - b.inspection.expiresAt);
  }

  /** Removes a question and its answer; call it once its run is over and nobody will ask for them again. */
  async forget(id: string): Promise<void> {
    for (const kind of ['answer', 'question'] as const)
      for (const slot of [0, 1]) await this.#folder.remove(`${nameOf(kind, id)}.${slot}`);
  }

  async #judge({ inspection, expired }: Question): Promise<KeptInspection> {
    const answer = await this.#readAnswer(inspection);
    if (answer !== null && !expired && answer.answeredAt <= inspection.expiresAt)
      return { inspection, status: 'answered', answer };
    const over = expired || this.#now() > inspection.expiresAt;
    return { inspection, status: over ? 'expired' : 'open', answer: null };
  }

  /** Null if no holder of the key wrote it. */
  #readQuestion(content: string): Question | null {
    try {
      const { inspection, expired, mac } = JSON.parse(content) as Question & { readonly mac: unknown };
      return isSameSeal(this.#seal.ofQuestion(inspection, expired), mac) ? { inspection, expired } : null;
    } catch {
      return null;
    }
  }

  /** The answer to a question; null if no holder of the key has given one. */
  async #readAnswer(inspection: Inspection): Promise<GivenAnswer | null> {
    const kept = await this.#answers(inspection.id).read();
    if (kept === null) return null;
    try {
      const { mac, ...answer } = JSON.parse(kept.content) as GivenAnswer & { readonly mac: unknown };
      if (isSameSeal(this.#seal.ofAnswer(inspection, answer), mac)) return answer;
    } catch {
      // Not a valid answer.
    }
    this.#note(
      nameOf('answer', inspection.id),
      `an answer to inspection ${inspection.id} that was not given with this key, or to another question; it does not count`,
    );
    return null;
  }

  #note(name: string, what: string): void {
    if (this.#noted.has(name)) return;
    this.#noted.add(name);
    this.#onNote(`${name} holds ${what}`);
  }

  #write(id: string, { inspection, expired }: Question): Promise<void> {
    const mac = this.#seal.ofQuestion(inspection, expired);
    return this.#questions(id).write(JSON.stringify({ inspection, expired, mac }));
  }

  #questions(id: string): Generations {
    return new Generations(this.#folder, nameOf('question', id));
  }

  #answers(id: string): Generations {
    return new Generations(this.#folder, nameOf('answer', id));
  }

  /** Waits for an answer of this process, for at most `ms` milliseconds. */
  #wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(id);
      };
      const wake = (): void => {
        end();
        resolve();
      };
      const abort = (): void => {
        end();
        reject(signal.reason);
      };
      const timer = setTimeout(wake, ms);
      waiting.add(wake);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }
}

/** The content of a question, without the call's own id, which may differ after a restart. */
function contentOf({ question, call: { name, arguments: given } }: Inspection): string {
  return canonicalJson([question, name, given]);
}

/** Ids may hold any characters; file names may not. */
function nameOf(kind: 'question' | 'answer', id: string): string {
  return `${kind}-${bytesToHex(sha256(utf8ToBytes(id)))}`;
}

function closed({ inspection: { id, expiresAt }, status, answer }: KeptInspection): InvalidArgumentError {
  if (status === 'answered') {
    const [who, what] = [answer?.by ?? 'somebody', answer?.approved ? 'approved' : 'refused'];
    return new InvalidArgumentError(
      `inspection ${id} was answered: ${who} ${what} it; there is nothing to add`,
    );
  }
  return new InvalidArgumentError(
    `the time to answer inspection ${id} ended at ${new Date(expiresAt).toISOString()}: it counts as refused`,
  );
}
