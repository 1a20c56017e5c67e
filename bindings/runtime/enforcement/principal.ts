import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { isRecord } from '../../base/objectKind.js';
import { describeValue } from '../../base/suggest.js';
import { wordsOf } from './messages.js';
import type { BeginRecord } from './record.js';
import { frozenJson } from './snapshot.js';

/** Who is asking: on whose behalf an agent runs. Given once a session, by code that the agent cannot reach. */
export interface Principal {
  readonly id: string;
  readonly roles?: readonly string[];
  readonly tenant?: string;
  /** Further claims, plain JSON. */
  readonly [claim: string]: unknown;
}

/** The field of states that the principal stands in. */
export const PRINCIPAL = 'principal';

/** Every step of a recording repeats it. */
const MAX_LENGTH = 10_000;

/**
 * Reads a principal once, into a frozen copy.
 *
 * @param where it was given, for messages
 * @throws InvalidArgumentError, with the place, if it is no plain JSON of at most 10,000 characters, has no id, or `roles` or `tenant` is of another type
 */
export function readPrincipal(given: unknown, where = PRINCIPAL): Principal {
  const expected = 'expected plain data such as { id: "ada", roles: ["admin"], tenant: "home" }';
  if (typeof given !== 'object' || given === null || Array.isArray(given) || !isRecord(given))
    throw new InvalidArgumentError(
      `${where} is ${Array.isArray(given) ? 'a list' : describeValue(given)}; ${expected}`,
    );
  let read: Record<string, unknown>;
  try {
    read = frozenJson(given, MAX_LENGTH) as Record<string, unknown>;
  } catch (error) {
    throw new InvalidArgumentError(`${where} cannot be read: ${wordsOf(error)}; ${expected}`);
  }
  for (const name of ['id', 'tenant'] as const) {
    const value = read[name];
    if (value === undefined && name === 'tenant') continue;
    if (typeof value !== 'string' || value === '')
      throw new InvalidArgumentError(
        `${where}.${name} is ${value === '' ? 'empty' : describeValue(value)}; expected text${name === 'tenant' ? ', or leave it out' : ' that names who is asking'}`,
      );
  }
  const { roles } = read;
  if (roles !== undefined && !(Array.isArray(roles) && roles.every((role) => typeof role === 'string')))
    throw new InvalidArgumentError(
      `${where}.roles is ${Array.isArray(roles) ? 'a list with something else than text in it' : describeValue(roles)}; expected a list of texts, or leave it out`,
    );
  return read as unknown as Principal;
}

/** The means of a run's records to hide fields and to hash what is hidden. */
interface Hiding {
  redact(value: unknown): unknown;
  hash(value: unknown): string | null;
}

/** A principal as the beginning of a run records it: with its hash if something of it is hidden. */
export function recordedPrincipal(
  principal: Principal | undefined,
  hiding: Hiding,
): Pick<BeginRecord, 'principal' | 'principalHash'> {
  if (principal === undefined) return {};
  const shown = (hiding.redact({ principal }) as { readonly principal?: unknown }).principal;
  const isWhole = canonicalJson(shown) === canonicalJson(principal);
  return { principal: shown, ...(!isWhole && { principalHash: hiding.hash(principal) }) };
}

/** A resumed run has the principal that it began with. @throws InvalidArgumentError for another, or none */
export function requireSamePrincipal(
  begun: BeginRecord,
  principal: Principal | undefined,
  hiding: Pick<Hiding, 'hash'>,
): void {
  const { run, principal: recorded, principalHash } = begun;
  const same =
    recorded === undefined || principal === undefined
      ? recorded === principal
      : principalHash === undefined
        ? canonicalJson(recorded) === canonicalJson(principal)
        : principalHash !== null && principalHash === hiding.hash(principal);
  if (same) return;
  const [had, has] = [recorded, principal].map((one) =>
    one === undefined ? 'without a principal' : 'with one',
  );
  const how =
    recorded !== undefined && principal !== undefined
      ? 'with another principal than this session has'
      : `${had}, and this session is ${has}`;
  const key = principalHash === undefined ? '' : ' and hashKey';
  throw new InvalidArgumentError(
    `run ${run} began ${how}; resume it with the same principal${key}, or begin a new run`,
  );
}
