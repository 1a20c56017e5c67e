import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { ForeguardError, InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { wordsOf } from '../../base/words.js';
import type { Answer, Ask, Inspection } from '../../runtime/enforcement/index.js';

const LEAST_KEY = 32;
const MAX_BODY = 1 << 20;
const FIRST_WAIT_MS = 250;
const TIME = 'foreguard-timestamp';
const SIGNATURE = 'foreguard-signature';

/** Options of `openWebhook`. */
export interface WebhookOptions {
  /** Where questions are posted to: https, or http to this machine alone. */
  readonly url: string;
  /** A random secret of at least 32 characters that the receiver shares, and the agent does not know. */
  readonly key: string;
  /** How often a question is posted again if the receiver cannot be reached or says 408, 429 or 5xx; default 3. */
  readonly retries?: number;
  /** How far the clock of the receiver may be off, and how old a signature may be: milliseconds, default 5 minutes. */
  readonly toleranceMs?: number;
  /** Milliseconds since 1970; default: the clock. */
  readonly now?: () => number;
}

/** Questions posted to a server, and their signed answers. */
export interface Webhook {
  /** The `ask` of a session. Rejects, so that the call does not run, without a signed answer to this very question before the session's deadline. */
  readonly ask: Ask;
  /**
   * Takes an answer that came later: your server hands over the body, byte for byte, and the headers of the request.
   * @throws InvalidDataError if it was not signed with the key, or too long ago; InvalidArgumentError if no such question is open
   */
  answer(
    body: string,
    headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  ): void;
}

interface Waiting {
  readonly id: string;
  readonly take: (answer: Answer) => void;
}

/**
 * Opens a channel that posts questions, signed, to a server, which answers in its response or, after a 202, later by a request to a server of yours.
 *
 * @throws InvalidArgumentError if the address would show the question to the network, the key is too short, or a number is out of range
 */
export function openWebhook(options: WebhookOptions): Webhook {
  refuseUnknownOptions('openWebhook', options, {
    url: true,
    key: true,
    retries: true,
    toleranceMs: true,
    now: true,
  });
  const { url, key, retries = 3, toleranceMs = 300_000, now = Date.now } = options;
  requireAddress(url);
  if (typeof key !== 'string' || key.length < LEAST_KEY)
    throw new InvalidArgumentError(
      `the key of the webhook has ${typeof key === 'string' ? key.length : 0} characters; expected ${LEAST_KEY} or more, at random`,
    );
  if (!Number.isSafeInteger(retries) || retries < 0 || retries > 20)
    throw new InvalidArgumentError(`retries is ${retries}; expected a whole number from 0 to 20`);
  if (!(toleranceMs > 0 && toleranceMs < 2 ** 31))
    throw new InvalidArgumentError(`toleranceMs is ${toleranceMs}; expected milliseconds above 0`);

  /** By nonce: each question that is asked has its own, so that no answer fits another, nor the same asked again. */
  const waiting = new Map<string, Waiting>();

  const read = (
    body: string,
    time: string | null,
    signature: string | null,
  ): { nonce: unknown; id: unknown; answer: Answer } => {
    if (body.length > MAX_BODY) throw new InvalidDataError(`the answer has more than ${MAX_BODY} characters`);
    if (time === null || signature === null || !isSigned('answer', key, time, body, signature))
      throw new InvalidDataError(
        `the answer is not signed with the key (${TIME}, ${SIGNATURE}); it does not count`,
      );
    const off = Math.abs(now() - Number(time));
    if (!(off <= toleranceMs))
      throw new InvalidDataError(
        `the answer was signed at ${time}, ${off} ms from now; expected at most ${toleranceMs}`,
      );
    const found: unknown = JSON.parse(body);
    if (!isObject(found)) throw new InvalidDataError('the answer is no object of JSON');
    const { nonce, id, approved, by, comment, arguments: given } = found;
    const answer = {
      approved: approved as boolean,
      ...(by !== undefined && { by: by as string }),
      ...(comment !== undefined && { comment: comment as string }),
      ...(given !== undefined && { arguments: given as NonNullable<Answer['arguments']> }),
    };
    return { nonce, id, answer };
  };
  const take = (body: string, time: string | null, signature: string | null): void => {
    const { nonce, id, answer } = read(body, time, signature);
    const open = typeof nonce === 'string' ? waiting.get(nonce) : undefined;
    if (open === undefined || open.id !== id)
      throw new InvalidArgumentError(
        'no such question is open: it was answered, its time is over, or another process asked it',
      );
    waiting.delete(nonce as string);
    open.take(answer);
  };

  const post = async (inspection: Inspection, nonce: string, signal: AbortSignal): Promise<void> => {
    const body = JSON.stringify({ nonce, inspection });
    for (let tried = 0; ; tried++) {
      const failed = await attempt(body, signal);
      if (failed === null) return;
      if (!failed.again || tried === retries)
        throw new ForeguardError(
          'no-answer',
          `the webhook gave no answer in ${tried + 1} attempts: ${failed.why}`,
        );
      await pause(FIRST_WAIT_MS * 2 ** tried, signal);
    }
  };
  /** Posts once; null if the question has arrived. */
  const attempt = async (
    body: string,
    signal: AbortSignal,
  ): Promise<{ why: string; again: boolean } | null> => {
    let response: Response;
    let text: string;
    try {
      const time = String(now());
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [TIME]: time,
          [SIGNATURE]: signatureOf('question', key, time, body),
        },
        body,
        redirect: 'error',
        signal,
      });
      text = await textOf(response);
    } catch (error) {
      signal.throwIfAborted();
      return { why: wordsOf(error), again: true };
    }
    const { status, headers } = response;
    if (status === 202 || status === 204) return null;
    if (status !== 200)
      return { why: `status ${status}`, again: status === 408 || status === 429 || status >= 500 };
    take(text, headers.get(TIME), headers.get(SIGNATURE));
    return null;
  };

  const ask: Ask = (inspection, signal) =>
    new Promise((resolve, reject) => {
      const nonce = randomUUID();
      const over = new AbortController();
      const end = (): void => {
        waiting.delete(nonce);
        signal.removeEventListener('abort', abort);
        over.abort();
      };
      const fail = (error: unknown): void => {
        // An answer may have come by the other way while this one failed.
        if (!waiting.has(nonce)) return;
        end();
        reject(error);
      };
      const abort = (): void => fail(signal.reason);
      waiting.set(nonce, {
        id: inspection.id,
        take: (answer) => {
          end();
          resolve(answer);
        },
      });
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      else post(inspection, nonce, over.signal).catch(fail);
    });

  return {
    ask,
    answer: (body, headers) => {
      const header = (name: string): string | null => {
        const value = headers instanceof Headers ? headers.get(name) : (headers[name] ?? null);
        return typeof value === 'string' ? value : null;
      };
      take(body, header(TIME), header(SIGNATURE));
    },
  };
}

/**
 * Signs an answer as a receiver in JavaScript sends it: the headers of its response, or of its later request.
 * @param body the JSON of `{ nonce, id, approved, by, comment, arguments }`: nonce and id are those of the question
 */
export function signAnswer(
  body: string,
  key: string,
  now: number = Date.now(),
): Readonly<Record<string, string>> {
  const time = String(now);
  return { [TIME]: time, [SIGNATURE]: signatureOf('answer', key, time, body) };
}

/** HMAC-SHA-256 in hexadecimal. Question and answer are told apart, so that a question sent back is no answer. */
function signatureOf(kind: 'question' | 'answer', key: string, time: string, body: string): string {
  return createHmac('sha256', key).update(`foreguard ${kind} 1\n${time}\n${body}`).digest('hex');
}

function isSigned(
  kind: 'question' | 'answer',
  key: string,
  time: string,
  body: string,
  signature: string,
): boolean {
  const [expected, found] = [signatureOf(kind, key, time, body), signature].map((text) => Buffer.from(text));
  return /^\d{1,16}$/.test(time) && expected.length === found.length && timingSafeEqual(expected, found);
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_BODY)
      throw new InvalidDataError(`the response has more than ${MAX_BODY} characters`);
  }
  return text + decoder.decode();
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** @throws InvalidArgumentError unless what is posted is encrypted, or stays on this machine */
function requireAddress(url: string): void {
  const found = URL.canParse(url) ? new URL(url) : null;
  const isHere = found !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(found.hostname);
  if (found?.protocol === 'https:' || (found?.protocol === 'http:' && isHere)) return;
  throw new InvalidArgumentError(
    `the webhook's address is ${JSON.stringify(url)}; expected one of https, or of http on this machine: questions hold arguments of calls`,
  );
}
