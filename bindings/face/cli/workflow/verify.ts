import { printable } from '../../../base/words.js';
import { type PathStep, type PlanVerdict, verifyPlan } from '../../../proofs/planProof/index.js';
import { type Outcome, plural } from '../terminal.js';
import { loadProof, type ProvingChoices } from './load.js';
import { describeRisk, type PredictingChoices, predictedRisk } from './risk.js';

export const EXIT_CODES = { proved: 0, refuted: 1, unproved: 3 } as const;

/** `foreguard workflow verify`: proves a plan, refutes it, or says what is not proved. */
export async function workflowVerify(choices: ProvingChoices & PredictingChoices): Promise<Outcome> {
  const { plan, contracts, options } = await loadProof(choices);
  const verdict = verifyPlan(plan, contracts, options);
  const risk = await predictedRisk(verdict, choices);
  return {
    json: { ...jsonOf(choices.plan, verdict), ...(risk && { risk }) },
    text: [...describeVerdict(verdict), ...describeRisk(risk)].map((line) => printable(line)).join('\n'),
    exitCode: EXIT_CODES[verdict.verdict],
  };
}

/** A verdict as plain data: of a proved plan its hash stands for it. */
export function jsonOf(file: string, verdict: PlanVerdict) {
  if (verdict.verdict !== 'proved') return { file, ...verdict };
  const { verified: _, ...rest } = verdict;
  return { file, ...rest };
}

export function describeVerdict(verdict: PlanVerdict): string[] {
  const { assumes, notes, hash } = verdict;
  const tail = [...notes.map((note) => `note: ${note}`), `hash: ${hash.slice(0, 16)}`];
  if (verdict.verdict !== 'proved')
    return [
      ...verdict.findings.flatMap(({ certainty, kind, rule, text, path, run }) => [
        `${certainty}: ${kind}${rule === null ? '' : ` ${rule}`}: ${text}`,
        ...(path.length < 2 ? [] : [`  by way of: ${path.map(describeStep).join(', ')}`]),
        ...(run === null ? [] : [`  a run that shows it: ${describeRun(run)}`]),
      ]),
      `${verdict.verdict}: ${plural(verdict.findings.length, 'finding')}`,
      ...tail,
    ];
  const { questions } = verdict;
  return [
    questions.length === 0
      ? 'proved: in every run, the plan keeps to the contracts'
      : `proved, but for ${plural(questions.length, 'call')} that a person must approve`,
    ...questions.map(({ texts }) => `asked: ${texts.join(' ')}`),
    ...assumes.map(({ kind, of, text }) => `assumed: ${kind} of ${of}: ${text}`),
    ...tail,
  ];
}

/** A step of a path with the branch or the round that is taken; rounds count from 0, as in a run. */
function describeStep({ step, branch, round }: PathStep): string {
  if (branch !== undefined) return `${step} (${branch})`;
  return round === undefined ? step : `${step} (round ${round})`;
}

/** Values of a run, cut to what a line holds. */
function describeRun({
  inputs,
  results,
}: {
  readonly inputs: object;
  readonly results: readonly { readonly step: string; readonly result: unknown }[];
}): string {
  const given = Object.entries(inputs).map(([name, value]) => `${name} = ${shown(value)}`);
  return [...given, ...results.map(({ step, result }) => `${step} gives ${shown(result)}`)].join('; ');
}

const MOST_SHOWN = 120;

/** A value, cut to what a line holds. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
