import type { SmallContracts } from '../laws/smallPlans.js';
import type { SmallCall, SmallChoice, SmallRun } from './planRuns.js';

/*
 * Noninterference as it is defined, by pairs of runs and without labels: if what the one may know was given alike in both, then both look the same to the one.
 */

/** An observer: what it may know of what is given, what it sees of a call, and which ends of a run cut short what it sees. */
interface Observer {
  readonly name: string;
  readonly mayKnow: (tool: string) => boolean;
  readonly sees: (call: SmallCall) => unknown;
  readonly cut: readonly SmallRun['end'][];
}

/** How many pairs of runs agree on what somebody may know, and the first that does not look the same. */
export interface Pairs {
  readonly count: number;
  readonly broken: string | null;
}

/** @param isEndCovered whether also the ends for want of a value or of rounds must tell nothing */
export function pairsOf(runs: readonly SmallRun[], contracts: SmallContracts, isEndCovered: boolean): Pairs {
  let count = 0;
  for (const observer of observersOf(contracts, isEndCovered)) {
    const seen = runs.map((run) => lookOf(run, observer));
    for (const [i, one] of seen.entries())
      for (let j = 0; j < i; j++) {
        const other = seen[j];
        if (!agree(one.known, other.known)) continue;
        count++;
        if (isSame(one, other)) continue;
        const show = ({ calls, choices, end }: SmallRun) => ({
          end,
          choices: choices.map(({ at, taken }) => `${at}: ${taken}`),
          calls: calls.map(({ step }) => step),
        });
        return { count, broken: JSON.stringify([observer.name, show(runs[i]), show(runs[j])]) };
      }
  }
  return { count, broken: null };
}

function observersOf(contracts: SmallContracts, isEndCovered: boolean): Observer[] {
  const { readers, bodyReaders, observable, isPublic, consequential, trustedTo, tools } = contracts;
  const reader = (name: 'everyone' | 'me'): Observer => {
    const shown = (audience: string) => audience === 'everyone' || audience === name;
    return {
      name,
      mayKnow: (tool) => shown(readers[tool] ?? 'everyone'),
      sees({ tool, given }) {
        if (tool === 'note' && isPublic) return ['note', given.x.value];
        if (tool !== 'send') return null;
        if (shown(bodyReaders)) return ['send', given.body.value];
        return shown(observable) ? ['send'] : null;
      },
      cut: isEndCovered ? [] : ['failed'],
    };
  };
  const attacker: Observer = {
    name: 'attacker',
    mayKnow: (tool) => tool !== 'ask' && tools[tool]?.isTrusted !== false,
    sees({ tool, given }) {
      if (tool === 'act') return ['act'];
      if (tool !== 'send') return null;
      if (trustedTo) return ['send', given.to.value];
      return consequential ? ['send'] : null;
    },
    // Whoever makes a plan stop gains nothing.
    cut: ['failed', 'required'],
  };
  return [reader('everyone'), reader('me'), attacker];
}

interface Look {
  /** What was given of what the observer may know: what for, and what came. */
  readonly known: ReadonlyMap<string, SmallChoice>;
  readonly seen: string;
  readonly isCut: boolean;
}

function lookOf(run: SmallRun, { mayKnow, sees, cut }: Observer): Look {
  const known = run.choices.filter(({ tool }) => mayKnow(tool));
  return {
    known: new Map(known.map((choice) => [`${choice.tool} ${choice.at}`, choice])),
    seen: run.calls
      .map(sees)
      .filter((one) => one !== null)
      .map((one) => `${JSON.stringify(one)};`)
      .join(''),
    isCut: cut.includes(run.end),
  };
}

/** Whether all that is asked of the same step of both, with the same data, is answered alike. Answers to different data may differ. */
function agree(a: Look['known'], b: Look['known']): boolean {
  for (const [at, choice] of a) {
    const other = b.get(at);
    if (other !== undefined && other.given === choice.given && other.taken !== choice.taken) return false;
  }
  return true;
}

function isSame(a: Look, b: Look): boolean {
  return (
    a.seen === b.seen || (a.isCut && b.seen.startsWith(a.seen)) || (b.isCut && a.seen.startsWith(b.seen))
  );
}
