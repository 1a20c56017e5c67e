import { createSession, type SessionOptions } from 'foreguard/enforce';
import { parsePolicies, policyJudge } from 'foreguard/policy';
import { mailTools } from './mail.js';

/** A session under a policy that withholds all calls of a turn in which something is sent abroad. */
export async function turnSession(options: Partial<SessionOptions> = {}) {
  const { set, hash } = parsePolicies(`version: 1
inputs: { to: { type: text, optional: true } }
policies:
  mail:
    tools: [send, forget]
    permit: { home: 'to == null || to.endsWith(".home")' }
    onDeny: { scope: turn }
`);
  return createSession({ judges: [await policyJudge(set, hash)], tools: [...mailTools], ...options });
}
