import type { ClaudeAgentSession } from '../../../../bindings/runtime/adapters/claudeAgent.js';
import type { Inspection, ToolCall, Verdict } from '../../../../bindings/runtime/enforcement/index.js';
import type { Decision } from '../../../../bindings/runtime/guard/index.js';

/** What a session says of a call; the rest of the verdict follows. */
export type Script = (call: ToolCall) => Partial<Verdict> | Promise<Partial<Verdict>>;

/** A session that decides as it is told, and keeps what it hears. */
export function scriptedSession(script: Script, strategies: readonly Decision[] = ['block', 'stop']) {
  const heard: string[] = [];
  const calls = new Map<string, ToolCall>();
  let stopped: Verdict | null = null;
  const decide = async (call: ToolCall): Promise<Verdict> => {
    calls.set(call.id, call);
    const verdict = verdictOn(call, await script(call));
    if (verdict.ends) stopped ??= verdict;
    return verdict;
  };
  const session: ClaudeAgentSession = {
    strategies: new Set(strategies),
    asks: false,
    check: decide,
    decide,
    async answer(id, { approved, comment }) {
      heard.push(`${id} ${approved ? 'approved' : `refused: ${comment}`}`);
      const { arguments: given = {} } = calls.get(id.slice(1)) ?? {};
      const call = { id: id.slice(1), name: 'answered', arguments: given };
      return verdictOn(call, approved ? { reason: 'approved' } : { run: null, message: `no: ${comment}` });
    },
    async ran({ call, run }, outcome) {
      const how = 'error' in outcome ? `failed: ${(outcome.error as Error).message}` : 'ran';
      heard.push(`${call.id} ${run?.name} ${how}`);
    },
    async withdraw({ call, run }) {
      heard.push(`${call.id} ${run?.name} withdrawn`);
    },
    async end() {
      heard.push('end');
    },
    get stopped() {
      return stopped;
    },
  };
  return { session, heard };
}

/** What the guard asks a person about a call. */
export function inspectionOf(call: ToolCall): Inspection {
  return {
    id: `?${call.id}`,
    run: 'run',
    call,
    question: `may ${call.name} run?`,
    rule: 'r',
    risk: 0.5,
    expiresAt: 0,
  };
}

function verdictOn(call: ToolCall, said: Partial<Verdict>): Verdict {
  const decision = said.decision ?? (said.run === null ? 'block' : 'allow');
  return {
    call,
    number: 0,
    decision,
    reason: 'approved',
    rule: 'r',
    run: call,
    message: null,
    ends: false,
    inspection: null,
    step: null,
    explanation: `rule r decided ${decision}`,
    wouldDecide: decision,
    ...said,
  };
}
