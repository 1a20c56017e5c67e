import { InvalidArgumentError } from '../../../base/errors.js';
import { describeValue } from '../../../base/suggest.js';
import type { Step } from '../../../observations/trace/index.js';
import {
  createSession,
  type Detector,
  type DetectorValue,
  type ToolCall,
  turnRefusal,
  type Verdict,
  withheldBeside,
} from '../../../runtime/enforcement/index.js';
import { MAX_PENDING, policyJudge } from '../../../runtime/guard/index.js';
import {
  type DecidedCall,
  extractionsOf,
  type OnDeny,
  PolicyDecider,
  type PolicySet,
} from '../../../runtime/policy/index.js';

/** Modes of enforcement, as papers name them, and what policies say for each. */
export const MODES: Readonly<Record<string, OnDeny>> = {
  tt: { strategy: { kind: 'stop' }, scope: 'call', escalate: [] },
  ab: { strategy: { kind: 'block' }, scope: 'turn', escalate: [] },
  teh: { strategy: { kind: 'block' }, scope: 'call', escalate: [] },
  crp: { strategy: { kind: 'reflect' }, scope: 'call', escalate: [] },
  'crp+teh': { strategy: { kind: 'reflect' }, scope: 'call', escalate: [{ kind: 'block' }] },
};

/** What each mode does with a denied call. */
export const MODE_WORDS: Readonly<Record<string, string>> = {
  tt: 'tt stops the run',
  ab: 'ab withholds the whole turn',
  teh: 'teh withholds the call',
  crp: 'crp has the agent plan again, and then stops the run',
  'crp+teh': 'crp+teh has it plan again, and then withholds the call',
};

/** @throws InvalidArgumentError for a mode that there is not */
export function parseModes(text = Object.keys(MODES).join()): string[] {
  const modes = text.split(',').map((mode) => mode.trim());
  const unknown = modes.find((mode) => !Object.hasOwn(MODES, mode));
  if (unknown === undefined) return [...new Set(modes)];
  throw new InvalidArgumentError(
    `--mode has ${describeValue(unknown)}; expected some of ${Object.keys(MODES).join(', ')}, with commas between them`,
  );
}

/** Policies in a mode, whatever they say themselves. */
export function inMode(set: PolicySet, mode: string): PolicySet {
  return { ...set, policies: set.policies.map((policy) => ({ ...policy, onDeny: MODES[mode] })) };
}

/** The calls of a recorded run that one turn of the agent proposed, with the state before them. */
export type RecordedTurn = readonly Step[];

/** The turns of a run. @param field the field of the state that is the same throughout a turn; undefined: each call is a turn of its own */
export function turnsOf(steps: readonly Step[], field: string | undefined): RecordedTurn[] {
  const turns: Step[][] = [];
  let last: string | undefined;
  for (const step of steps) {
    if (step.action === undefined) continue;
    const turn = field === undefined ? undefined : JSON.stringify(step.state[field]);
    if (turn !== undefined && turn === last) turns.at(-1)?.push(step);
    else turns.push([step]);
    last = turn;
  }
  return turns;
}

/** A recorded call, with the answers that were recorded about it. */
export function callOf({ name, arguments: given = {}, detected }: NonNullable<Step['action']>): DecidedCall {
  return { name, arguments: given, ...(detected && { detected: detected as DecidedCall['detected'] & {} }) };
}

/** What a mode would have done on a run, if the agent had proposed what it did. */
export interface ModeRun {
  readonly proposed: number;
  readonly ran: number;
  /** Calls that policies deny. */
  readonly denied: number;
  /** Calls that did not run although policies permit them. */
  readonly lost: number;
  /** Calls whose agent was asked to plan again. */
  readonly reflections: number;
  readonly stopped: boolean;
}

/** Plays a recorded run through a session under policies in a mode. */
export async function playInMode(
  set: PolicySet,
  turns: readonly RecordedTurn[],
  maxReflections: number,
): Promise<ModeRun> {
  const names = turns.flatMap((turn) => turn.flatMap(({ action }) => action?.name ?? []));
  const decider = new PolicyDecider(set);
  let state: Step['state'] = {};
  let called: DecidedCall = { name: '', arguments: {} };
  const answers = extractionsOf(set).map(({ name }): [string, Detector] => [
    name,
    { detect: () => called.detected?.[name] as DetectorValue },
  ]);
  const session = createSession({
    judges: [await policyJudge(set, 'replay')],
    tools: [...new Set(names)],
    detectors: Object.fromEntries(answers),
    state: () => state,
    // Recorded turns were proposed as a whole, in the state before them.
    maxPending: MAX_PENDING,
    maxReflections,
  });
  const counts = { proposed: 0, ran: 0, denied: 0, lost: 0, reflections: 0 };
  for (const [number, turn] of turns.entries()) {
    state = turn[0].state;
    const verdicts: Verdict[] = [];
    for (const [place, { action }] of turn.entries()) {
      called = callOf(action!);
      const { name, arguments: given } = called;
      const call: ToolCall = { id: `${number}.${place}`, name, arguments: given };
      verdicts.push(await session.check(call, { turn: `${number}` }));
    }
    const refused = turnRefusal(session, verdicts);
    for (const decided of verdicts) {
      const isDenied = decider.denial(decided.call, state) !== null;
      const verdict = refused === undefined ? decided : await withheldBeside(session, decided, refused);
      const runs = verdict.run !== null && session.stopped === null;
      if (runs) await session.ran(verdict, { result: null });
      else if (verdict.run !== null) await session.withdraw(verdict);
      counts.proposed++;
      if (runs) counts.ran++;
      if (isDenied) counts.denied++;
      else if (!runs) counts.lost++;
      if (decided.decision === 'reflect') counts.reflections++;
    }
  }
  return { ...counts, stopped: session.stopped !== null };
}
