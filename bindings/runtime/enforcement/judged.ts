import { type Judgement, severity } from '../guard/index.js';

/** What a judge says of a call, or why it says nothing that counts. */
export type Judged = Judgement | JudgeFault;

/** A judge has failed: it threw, gave no judgement, or decided what it had not declared. */
export class JudgeFault {
  constructor(readonly words: string) {}
}

/** Whether a judge lets a call run. */
export function lets(judged: Judged): boolean {
  return !(judged instanceof JudgeFault) && severity[judged.decision] <= severity.report;
}

/** Whether a judge is against a call, and with it against all others of its turn. */
export function withholdsTurn(judged: Judged): boolean {
  return !(judged instanceof JudgeFault) && judged.scope === 'turn' && !lets(judged);
}

/**
 * The place of the most severe of several answers, the first among equals; -1 if there is none. A fault is as severe as the decision that is taken for it, and comes before all
 * that is no more severe: no rule decides where another could not be read.
 */
export function mostSevereAt(judged: readonly (Judged | null)[], onFault: 'stop' | 'block'): number {
  let worst = -1;
  let most = -1;
  for (const [i, one] of judged.entries()) {
    if (one === null) continue;
    const rank =
      one instanceof JudgeFault ? severity[onFault] + (onFault === 'stop' ? 0 : 0.5) : severity[one.decision];
    if (rank > most) [worst, most] = [i, rank];
  }
  return worst;
}

/** The most severe answer of a guard, the first among equals: its numbers are told and recorded, whatever else decided. Null if none was asked. */
export function guardsAnswer(judged: readonly (Judged | null)[]): Judgement | null {
  let worst: Judgement | null = null;
  for (const one of judged) {
    if (one === null || one instanceof JudgeFault || one.step === undefined) continue;
    if (worst === null || severity[one.decision] > severity[worst.decision]) worst = one;
  }
  return worst;
}

/** What each judge has read; null for one that failed. */
export function readsOf(judged: readonly (Judged | null)[]): unknown[] {
  return judged.map((one) => (one === null || one instanceof JudgeFault ? null : one.read));
}
