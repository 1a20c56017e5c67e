import { InvalidDataError } from '../../../base/errors.js';
import { printable } from '../../../base/words.js';
import { describeDenial, PolicyDecider } from '../../../runtime/policy/index.js';
import { type RateInterval, wilsonInterval } from '../../../study/evaluation/index.js';
import { loadSpecification, TraceFiles, type TraceOptions } from '../inputs.js';
import { parseCount } from '../numbers.js';
import { formatNumber, type Outcome, Progress, plural, type Terminal, table } from '../terminal.js';
import { callOf, inMode, MODE_WORDS, parseModes, playInMode, turnsOf } from './modes.js';

interface ReplayPoliciesOptions extends TraceOptions {
  readonly file: string;
  readonly mode?: string;
  readonly turn?: string;
  readonly maxReflections?: string;
}

/** What a mode would have done on all runs. */
class ModeTotals {
  runs = 0;
  whole = 0;
  stopped = 0;
  losing = 0;
  readonly calls = { proposed: 0, ran: 0, denied: 0, lost: 0, reflections: 0 };

  add({ stopped, ...counts }: Awaited<ReturnType<typeof playInMode>>): void {
    this.runs++;
    if (counts.ran === counts.proposed) this.whole++;
    if (stopped) this.stopped++;
    if (counts.lost > 0) this.losing++;
    for (const key of Object.keys(this.calls) as (keyof ModeTotals['calls'])[])
      this.calls[key] += counts[key];
  }
}

/** `foreguard policy replay`: what policies would have done on recorded runs, by mode of enforcement. */
export async function replayPolicies(options: ReplayPoliciesOptions, terminal: Terminal): Promise<Outcome> {
  const modes = parseModes(options.mode);
  const maxReflections = parseCount('--max-reflections', options.maxReflections) ?? 2;
  const specification = await loadSpecification(options.file);
  const { policies } = specification;
  if (policies === null) throw new InvalidDataError(`${options.file}: there are no policies to replay`);
  const sets = modes.map((mode) => inMode(policies.set, mode));
  const totals = modes.map(() => new ModeTotals());
  const reasons = new Map<string, number>();
  const decider = new PolicyDecider(policies.set);
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  for await (const { steps } of traces) {
    const turns = turnsOf(steps, options.turn);
    for (const turn of turns)
      for (const { action } of turn) {
        const denial = decider.denial(callOf(action!), turn[0].state);
        if (denial !== null) count(reasons, describeDenial(denial, policies.set));
      }
    for (const [i, set] of sets.entries()) totals[i].add(await playInMode(set, turns, maxReflections));
  }
  progress.clear();
  const found = modes.map((mode, i) => rowOf(mode, totals[i]));
  const denials = [...reasons].sort(([, one], [, other]) => other - one);
  const json = {
    file: options.file,
    runs: traces.read,
    maxReflections,
    turns: options.turn ?? null,
    modes: found,
    denials: denials.map(([reason, calls]) => ({ reason, calls })),
    notes: traces.notes,
  };
  return { json, text: describe(found, denials, traces.read, options.turn) };
}

type Row = ReturnType<typeof rowOf>;

function rowOf(mode: string, { runs, whole, stopped, losing, calls }: ModeTotals) {
  return {
    ...{ mode, runs },
    wholeRuns: { runs: whole, ...wilsonInterval(whole, runs) },
    stoppedRuns: { runs: stopped, ...wilsonInterval(stopped, runs) },
    losingRuns: { runs: losing, ...wilsonInterval(losing, runs) },
    ...calls,
  };
}

function describe(
  rows: readonly Row[],
  denials: readonly (readonly [string, number])[],
  runs: number,
  turn: string | undefined,
): string {
  const interval = ({ rate, confidenceLower, confidenceUpper }: RateInterval): string =>
    `${percent(rate)} [${percent(confidenceLower)}, ${percent(confidenceUpper)}]`;
  const [first] = rows;
  return [
    `${plural(runs, 'run')}, ${plural(first.proposed, 'call')}. What each mode would have done, if the agent had gone on to propose what it did (95 % intervals, by run):`,
    '',
    table(
      [
        'mode',
        'runs as recorded, %',
        'runs stopped, %',
        'runs that lose a permitted call, %',
        'calls run',
        'denied',
        'lost',
        'asked to plan again',
      ],
      rows.map((row) => [
        row.mode,
        ...[row.wholeRuns, row.stoppedRuns, row.losingRuns].map(interval),
        ...[row.ran, row.denied, row.lost, row.reflections].map(String),
      ]),
    ),
    '',
    `Of a denied call: ${rows.map(({ mode }) => MODE_WORDS[mode]).join('; ')}.`,
    ...denials.map(([reason, calls]) => printable(`${plural(calls, 'call')} denied: ${reason}`)),
    ...(turn === undefined && rows.some(({ mode }) => mode === 'ab')
      ? [
          'Each call counts as a turn of its own, so ab is as teh: --turn FIELD names a field of the state that is the same throughout a turn.',
        ]
      : []),
    ...(rows.some(({ mode }) => mode.startsWith('crp'))
      ? [
          'An agent that plans again may propose what is permitted, and recordings do not show that: crp and crp+teh are lower bounds of what runs.',
        ]
      : []),
  ].join('\n');
}

const percent = (rate: number): string => formatNumber(Math.round(rate * 1000) / 10);

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
