import { readFileSync } from 'node:fs';
import { canonicalJson } from '../../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../../base/errors.js';
import { type Principal, readPrincipal } from '../../../runtime/enforcement/index.js';
import type { RunBound } from './runs.js';
import type { RequiredHeader } from './webClients.js';

/** Options of the command that say on whose behalf clients call. */
export interface PrincipalWords {
  /** A file of JSON, or JSON. */
  readonly principal?: string;
  /** The name of the header that has it, of each client its own. */
  readonly principalHeader?: string;
}

/** On whose behalf clients call: one principal for all, one a header, or nobody says. */
export interface Principals {
  /** The header; null if there is none to read. */
  readonly header: RequiredHeader | null;
  /** The principal of a client. @param said what the header's `read` gave, if there is one */
  of(said?: string): Principal | undefined;
}

/** @throws InvalidArgumentError if the options do not fit together, or the principal is none */
export function principalsOf(
  { principal: text, principalHeader: name }: PrincipalWords,
  bound: RunBound,
  listens: boolean,
): Principals {
  if (text !== undefined && name !== undefined)
    throw new InvalidArgumentError(
      'give either --principal, one for all clients, or --principal-header, one for each client',
    );
  if (name === undefined) {
    const principal = text === undefined ? undefined : given(text);
    return { header: null, of: () => principal };
  }
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw new InvalidArgumentError(`--principal-header is "${name}"; expected a name such as X-Principal`);
  if (!listens)
    throw new InvalidArgumentError(
      '--principal-header is for clients over HTTP: give --listen HOST:PORT/PATH as well, or --principal FILE',
    );
  if (bound.kind === 'session' || bound.kind === 'idle')
    throw new InvalidArgumentError(
      `--run ${bound.kind} is one run for all clients, and a run has one principal; with --principal-header choose connection or header:NAME`,
    );
  return {
    header: {
      name: name.toLowerCase(),
      says: 'who is asking',
      read(value) {
        if (!ASCII.test(value))
          throw new InvalidArgumentError(
            `the header ${name} is not in ASCII; write other letters as \\uXXXX`,
          );
        return canonicalJson(parsed(value, `the header ${name}`));
      },
    },
    of: (said) => parsed(said ?? '', `the header ${name}`),
  };
}

function given(text: string): Principal {
  if (text.trimStart().startsWith('{')) return parsed(text, '--principal');
  let content: string;
  try {
    content = readFileSync(text, 'utf8');
  } catch (cause) {
    throw new InvalidArgumentError(
      `--principal: ${(cause as Error).message}; expected a file of JSON, or JSON such as '{"id": "ada", "roles": ["admin"]}'`,
      { cause },
    );
  }
  return parsed(content, text);
}

/** Header values come as bytes of Latin-1, whatever was meant: beyond ASCII nobody knows which letters they are. */
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

function parsed(text: string, where: string): Principal {
  const expected = 'expected JSON such as {"id": "ada", "roles": ["admin"], "tenant": "home"}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // The text may be a secret of the wrong header.
    throw new InvalidArgumentError(`${where} is not JSON; ${expected}`, { cause });
  }
  return readPrincipal(value, where);
}
