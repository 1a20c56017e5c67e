import { InvalidArgumentError } from '../../base/errors.js';
import { printableName } from '../../base/words.js';
import type { DecidingSession } from './guarded.js';
import type { Verdict } from './verdict.js';

/**
 * The verdict for which all calls of a turn are withheld; undefined if they are not. In a session that may withhold turns, a call that could not be judged beside the
 * others of its turn is one, too: nobody knows what it is.
 */
export function turnRefusal(
  { scope }: Pick<DecidingSession, 'scope'>,
  verdicts: readonly Verdict[],
): Verdict | undefined {
  if (scope !== 'turn') return undefined;
  return verdicts.find((one) => one.run === null && (one.scope === 'turn' || one.reason === 'calls-running'));
}

/** Withholds a call because another call of its turn was refused: if it was let through, it is given up. One that is withheld already stays as it is. */
export async function withheldBeside(
  session: DecidingSession,
  verdict: Verdict,
  refused: Verdict,
): Promise<Verdict> {
  if (verdict.run === null || verdict === refused) return verdict;
  await session.withdraw(verdict);
  const name = printableName(refused.call.name);
  const { suggestion: _, ...rest } = verdict;
  return {
    ...rest,
    ...(verdict.ends ? {} : { decision: 'block', reason: 'turn-withheld' }),
    rule: refused.rule,
    run: null,
    message: `This action was not taken: another of the same turn (${name}) was refused, and with it all of them. Propose again what is still wanted.`,
    explanation: `Withheld with its turn, of which ${name} was refused.`,
  };
}

/** Withholds a call that shows only when it is to run, so that nobody can say whether another call of its turn was refused. */
export async function withheldAlone(session: DecidingSession, verdict: Verdict): Promise<Verdict> {
  if (session.scope !== 'turn' || verdict.run === null) return verdict;
  await session.withdraw(verdict);
  const told =
    'This action was not taken: it was not proposed together with the other calls of its turn, which are withheld together.';
  return {
    ...verdict,
    decision: 'block',
    reason: 'turn-withheld',
    run: null,
    message: told,
    explanation: told,
  };
}

/**
 * Refuses, when an adapter is configured, a session that may withhold all calls of a turn, where the adapter sees a call only when it is to run.
 *
 * @param framework its name, for the message
 * @throws InvalidArgumentError saying what to choose instead
 */
export function requireCallScope({ scope }: Pick<DecidingSession, 'scope'>, framework: string): void {
  if (scope !== 'turn') return;
  throw new InvalidArgumentError(
    `a policy or judge of the session may withhold all calls of a turn (scope: turn), and ${framework} shows calls one by one, and not which others belong to the turn, so that some may have run before one is refused; choose scope: call, which withholds the refused call alone, or strategy: stop, or a loop that runs whole turns (guardCalls, the Vercel AI SDK, LangChain.js)`,
  );
}
