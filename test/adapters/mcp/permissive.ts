import type { Verdict } from 'foreguard/enforce';
import type { McpSession, McpWorld } from 'foreguard/mcp';

/** A session that lets all calls run. */
export function permissive(_: McpWorld): McpSession {
  const allow: McpSession['decide'] = async (call) =>
    ({ ...{ call, run: call, message: null, decision: 'allow', ends: false } }) as Verdict;
  return {
    check: allow,
    decide: allow,
    answer: () => Promise.reject(new Error('nobody was asked')),
    ran: async () => undefined,
    withdraw: async () => undefined,
    end: async () => undefined,
    stopped: null,
  };
}
